"""Which column is the time, which tells runs apart, which are states: as named by the person, else guessed.

A guess follows names first and numbers second:

| role | taken |
|---|---|
| time | a name such as t, time, hours, Datum; else a column of dates; else the first that increases inside every run |
| run | a name such as run, trial, replicate that repeats; else text that repeats, if time restarts without it; |
|      | else the blocks between blank lines, if time restarts with each of them |
| rates  | a name such as dx/dt beside x, and inputs that are called so: see `data.given`; weights are never guessed |
| states | every other column of numbers that changes; columns that stay constant are left out, and named in a finding |
| ignored | text, dates, row numbers, empty columns; but a column of mostly numbers with text in it is an error |
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.data.clock import is_ambiguous, is_moments
from dolq_core.data.columns import Column, Table, cell, rows_at
from dolq_core.data.findings import Code, Finding, Said, refusal, sentence
from dolq_core.data.given import as_given, check_given, check_of_states, guess_derivatives, guess_inputs
from dolq_core.data.labels import guess_run, named_run, say_run
from dolq_core.data.lookup import find, groups, increases, numbers_of
from dolq_core.data.times import is_short
from dolq_core.data.words import INDEX_WORDS, TIME_WORDS, names_time, words_of
from dolq_core.records import Given


@dataclass(frozen=True, slots=True)
class Roles:
    """The role of every column, by own names; `findings` says what was assumed."""

    time: str
    run: str | None
    states: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    inputs: tuple[str, ...] = ()
    weights: tuple[Given, ...] = ()
    derivatives: tuple[Given, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed, in plain sentences."""
        return tuple(map(sentence, self.findings))


def guess_roles(
    table: Table,
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    *,
    inputs: Sequence[str] | None = None,
    weights: Mapping[str, str] | None = None,
    derivatives: Mapping[str, str] | None = None,
) -> Roles:
    """Give each column a role; what the person named is taken, the rest is guessed; raise TableError without a time.

    An empty `run` says that all rows are one run; None leaves it to a guess. So do empty and None inputs and
    derivatives, which are guessed only together with the states.

    weights: the state that a column weighs, by the column's name; "" for the whole row.
    derivatives: the state that a column is the derivative of.
    """
    weighing, rates = as_given(weights), as_given(derivatives)
    named = {time, *(states or ()), *(inputs or ()), *(one.column for one in (*weighing, *rates))}
    time, run, said = _time_and_run(table, time, run, named)
    rest = [name for name in table.columns if name not in {time, run, table.parts} | (named - set(states or ()))]
    if states is None and inputs is None:
        inputs = guess_inputs(table, rest, said)
        rest = [name for name in rest if name not in inputs]
    if states is None and derivatives is None:
        rates = guess_derivatives(table, time, run, rest, said)
        rest = [name for name in rest if name not in {one.column for one in rates}]
    chosen = _guess_states(table, time, run, rest, said) if states is None else _check_states(table, states, time, run)
    check_given(table, inputs or (), (*weighing, *rates), (time, run, *chosen))
    check_of_states(rates, weighing, chosen)
    used = {time, run, *chosen, *(inputs or ()), *(one.column for one in (*weighing, *rates))}
    ignored = tuple(name for name in table.columns if name not in used)
    return Roles(time, run, chosen, ignored, tuple(said.all), tuple(inputs or ()), weighing, rates)


def time_of(table: Table, time: str | None, run: str | None, named: Sequence[str]) -> str:
    """Return the column of the time, as named or guessed beside the columns that have another role."""
    return _time_and_run(table, time, run, {time, *named})[0]


def _time_and_run(
    table: Table, time: str | None, run: str | None, named: set[str | None]
) -> tuple[str, str | None, Said]:
    for name in (run or None, *named):
        if name is not None:
            find(table, name)
    if time is not None and time == run:
        raise refusal("bad-role", "", "it is named twice", "Give each column one role.", column=time)
    said = Said()
    if run is None:
        run = named_run(table, named)
        if run is not None:
            say_run(said, run, "its name says so")
    if time is None:
        time = _guess_time(table, {run, *named}, run, said)
    if run is None:
        run = guess_run(table, time, {time, *named}, said)
    return time, run or None, said


def _guess_time(table: Table, taken: set[str | None], run: str | None, said: Said) -> str:
    free = [name for name in table.columns if name not in taken and name != table.parts]
    named = [name for name in free if names_time(name, lambda own: increases(table, own, run))]
    numeric = [name for name in named if table.columns[name].numbers is not None]
    mixed = [name for name in named if _is_mixed(table.columns[name])]
    if numeric or mixed:  # a unit such as `day` may stand beside a time proper
        return min(numeric or mixed, key=lambda name: words_of(name)[0] not in TIME_WORDS)
    moments = [name for name in free if _is_time(table, name, run, named)]
    if moments:
        return min(moments, key=lambda name: (not increases(table, name, run), name not in named))
    if all(column.numbers is None for column in table.columns.values()):
        _refuse_mixed(table, table.columns)
        hint = "Choose a table with times and measured values."
        raise refusal("no-numbers", "The table", "no column holds numbers", hint)
    _refuse_text(table, named)
    for name in free:
        if increases(table, name, run):
            hint = "Name another column as the time if that is wrong."
            said.add("time-guess", "the first column that always increases", "taken as the time", hint, column=name)
            return name
    nearly = next((name for name in free if _nearly_increases(table.columns[name])), None)
    if nearly is not None:  # it will be refused, with the row where it does not
        return nearly
    listed = ", ".join(f"'{name}'" for name in table.columns)
    hint = f"Name the one that is. The columns are {listed}."
    raise refusal("no-time", "The table", "no column is called time, and none increases throughout", hint)


def _is_time(table: Table, name: str, run: str | None, named: Sequence[str]) -> bool:
    """Whether a column of moments may be the time: 1:10 is hours and minutes, but also a ratio."""
    column = table.columns[name]
    if not is_moments(column):
        return False
    return name in named or not is_short(cell(column, column.odd[0])) or increases(table, name, run)


def _nearly_increases(column: Column) -> bool:
    """Whether a column increases but for a slip: in four of five steps at least."""
    if column.numbers is None and not _is_mixed(column):
        return False
    steps = np.diff(column.values[~np.isnan(column.values)])
    return len(steps) > 4 and (steps > 0).mean() >= 0.8


def _refuse_text(table: Table, named: Sequence[str]) -> None:
    """Refuse a time that is text sooner than guess: a curve that only grows is no time because dates are unread."""
    text = next((table.columns[name] for name in named if table.columns[name].odd), None)
    if text and is_ambiguous(text):
        reason = f"'{cell(text, text.odd[0])}' may be read with the day or the month first"
        hint = "Write dates as 2020-01-31, or as 31.01.2020."
        raise refusal("not-a-number", "", reason, hint, rows_at(table, text.odd), text.name)
    if text:
        reason = f"it looks like the time but holds text such as '{cell(text, text.odd[0])}'"
        hint = "Give the time as numbers, for example days since the start, or as dates like 2020-01-31 10:00:00."
        raise refusal("not-a-number", "", reason, hint, rows_at(table, text.odd), text.name)


def _is_mixed(column: Column) -> bool:
    """Whether a column is mostly numbers, with text in it."""
    filled = len(column.values) - len(column.missing)
    return 0 < len(column.odd) <= filled / 2


def _refuse_mixed(table: Table, names: Iterable[str]) -> None:
    for name in names:
        if _is_mixed(table.columns[name]):
            numbers_of(table, name)


def _guess_states(table: Table, time: str, run: str | None, rest: Sequence[str], said: Said) -> tuple[str, ...]:
    _refuse_mixed(table, rest)
    states: list[str] = []
    left: list[str] = []
    for name in rest:
        code, why = _unfit(table, name, run)
        if why:
            said.add(code, why, "left out", "Name it as a state to keep it.", column=name, severity="left out")
            left.append(f"'{name}': {why}.")
        else:
            states.append(name)
    if not states:
        hint = " ".join(left) or "Add a column of measured values."
        reason = f"beside the time '{time}' there is no column of changing numbers"
        raise refusal("no-numbers", "The table", reason, hint)
    return tuple(states)


def _unfit(table: Table, name: str, run: str | None) -> tuple[Code, str]:
    """Return why a column is no state, as code and words; empty words when it can be one."""
    column = table.columns[name]
    if column.odd:
        return "text-column", f"it holds text such as '{cell(column, column.odd[0])}'"
    numbers = column.numbers
    if numbers is None:
        return "empty-column", "all its cells are empty"
    if constant(table, name, run):
        return "constant-column", f"it is constant in every run ('{cell(column, 0)}'), so it has no law of change"
    words = words_of(name)
    if len(words) == 1 and words[0] in INDEX_WORDS and (np.diff(numbers) == 1).all():
        return "row-number", "it counts the rows"
    return "text-column", ""


def constant(table: Table, name: str, run: str | None) -> bool:
    """Whether a column of numbers has one value only inside each run."""
    numbers = numbers_of(table, name)
    parts = (numbers[positions] for positions in groups(table, run).values()) if run else (numbers,)
    return all(_flat(part) for part in parts)


def _flat(part: Floats) -> bool:
    filled = part[~np.isnan(part)] if np.isnan(part[:1]).all() or np.isnan(part.min()) else part
    return bool((filled == filled[:1]).all())


def _check_states(table: Table, states: Sequence[str], time: str, run: str | None) -> tuple[str, ...]:
    if not states:
        raise refusal("bad-role", "The states", "none is named", "Name at least one column of numbers.")
    for name in states:
        if name in (time, run) or list(states).count(name) > 1:
            raise refusal("bad-role", "", "it is named twice", "Give each column one role.", column=name)
        numbers_of(table, name)
    return tuple(states)
