"""Which column is the time, which tells runs apart, which are states: as named by the person, else guessed.

A guess follows names first and numbers second:

| role | taken |
|---|---|
| time | a name such as t, time, hours, Datum; else a column of dates; else the first that increases inside every run |
| run | a name such as run, trial, replicate that repeats; else text that repeats, if time restarts without it; |
|      | else the blocks between blank lines, if time restarts with each of them |
| rates  | a name such as dx/dt beside x, and inputs that are called so: see `extra_roles`; weights are never guessed |
| states | every other column of numbers that changes; columns that stay constant are left out, and named in a finding |
| ignored | text, dates, row numbers, empty columns, the time in other units; but a column of mostly numbers with text |
|         | in it is an error |
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.data.dates import increases, is_ambiguous, is_dates, is_short_clock, restarts, times_or_none
from dolq_core.data.extra_roles import as_given, check_roles, guess_derivatives, guess_inputs
from dolq_core.data.findings import SHOWN, Code, Finding, Findings, quoted, refusal
from dolq_core.data.table import Column, Table, cell, coded, find, is_mixed, numbers_of, rows_at, runs_of
from dolq_core.records import Given
from dolq_core.units import TIME_UNITS, without_unit

TIME_WORDS: Final = frozenset(
    "t time times zeit temps tiempo tempo timestamp elapsed date datetime datum uhrzeit zeitpunkt zeitstempel messzeit "
    "fecha horodatage heure hora laufzeit clock zeiten tid tijd czas".split()
)
RUN_WORDS: Final = frozenset(
    "run runs trial replicate replicates rep repeat experiment exp series batch trajectory versuch lauf durchgang "
    "wiederholung messreihe essai expérience série serie ensayo corrida experimento réplica replica".split()
)
SUBJECT_WORDS: Final = frozenset(
    "subject subjects participant patient animal specimen individual id proband versuchsperson sujet individu sujeto "
    "paciente mouse rat shot shots".split()
)
INDEX_WORDS: Final = frozenset({"index", "idx", "row", "nr", "no", "id", "zeile", "ligne", "fila", "num", "n"})
NO_RUN: Final = "none"
"""What a person may write for no column of runs, where none is called so."""
KEEP: Final = "Name it as a state to keep it."
WAYS_OUT: Final[Mapping[Code, str]] = {
    "text-column": "Write numbers in the place of the words to use it.", "empty-column": "Fill its cells to use it.",
    "constant-column": "Name it as a known input to use it.",
}  # fmt: skip
"""What to do about a column that was left out, where to name it as a state is not enough."""
ALIKE: Final = 0.9999
"""Correlation with the time from which a column that is named like one is the time in other units, and rounded."""
FEWEST_ALIKE: Final = 3
_SHORT: Final = frozenset({"s", "h", "d", "ms", "us", "ns", "min", "sec", "an", "ano", "std", "ora", "ore"})
"""Units of time that may name a state, too: they name a time only where it increases."""
_CLEAR: Final = (TIME_WORDS | TIME_UNITS.keys()) - _SHORT


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

    An empty `run`, or "none", says that all rows are one run; None leaves it to a guess. So do empty and None inputs
    and derivatives, which are guessed only together with the states.

    weights: the state that a column weighs, by the column's name; "" for the whole row.
    derivatives: the state that a column is the derivative of.
    """
    weighing, rates = as_given(weights), as_given(derivatives)
    named = {time, *(states or ()), *(inputs or ()), *(one.column for one in (*weighing, *rates))}
    findings = Findings()
    time, run = time_and_run(table, time, run, named, findings)
    rest = [name for name in table.columns if name not in {time, run, table.parts} | (named - set(states or ()))]
    if states is None and inputs is None:
        inputs = guess_inputs(table, rest, findings)
        rest = [name for name in rest if name not in inputs]
    if states is None and derivatives is None:
        rates = guess_derivatives(table, time, run, rest, findings)
        rest = [name for name in rest if name not in {one.column for one in rates}]
    if states is not None and not states:
        there = _guess_states(table, time, run, rest, Findings())  # raises where there is none to name
        more = f" or one of {len(there) - SHOWN} more" if len(there) > SHOWN else ""
        hint = f"Name at least one column of numbers: {quoted(there[:SHOWN])}{more}."
        raise refusal("bad-role", "The states", "none is named", hint)
    chosen = tuple(states) if states else _guess_states(table, time, run, rest, findings)
    check_roles(table, inputs or (), weighing, rates, chosen, (time, run))
    used = {time, run, *chosen, *(inputs or ()), *(one.column for one in (*weighing, *rates))}
    ignored = tuple(name for name in table.columns if name not in used)
    return Roles(time, run, chosen, ignored, tuple(findings), tuple(inputs or ()), weighing, rates)


def time_and_run(
    table: Table, time: str | None, run: str | None, named: set[str | None], findings: Findings
) -> tuple[str, str | None]:
    """Return the columns of time and run, as they are named or guessed beside the columns with another role."""
    run = "" if run == NO_RUN and NO_RUN not in table.columns else run
    for name in (run or None, time, *named):
        if name is not None:
            find(table, name)
    if time is not None and time == run:
        raise refusal("bad-role", "", "it is named twice", "Give each column one role.", column=time)
    if run is None:
        run = _named_run(table, named)
        if run is not None:
            _note_run(findings, run, "its name says so")
    if time is None:
        time = _guess_time(table, {run, *named}, run, findings)
    if run is None:
        run = _guess_run(table, time, {time, *named}, findings)
    return time, run or None


def _guess_time(table: Table, taken: set[str | None], run: str | None, findings: Findings) -> str:
    free = [name for name in table.columns if name not in taken and name != table.parts]
    named = [name for name in free if names_time(name, lambda own: increases(table, own, run))]
    numeric = [name for name in named if table.columns[name].numbers is not None]
    mixed = [name for name in named if is_mixed(table.columns[name])]
    if numeric or mixed:  # a unit such as `day` may be beside a time proper
        return min(numeric or mixed, key=lambda name: words_of(name)[0] not in TIME_WORDS)
    dates = [name for name in free if _is_time(table, name, run, named)]
    if dates:
        return min(dates, key=lambda name: (not increases(table, name, run), name not in named))
    if all(column.numbers is None for column in table.columns.values()):
        _refuse_mixed(table, table.columns)
        hint = "Choose a table with times and measured values."
        raise refusal("no-numbers", "The table", "no column holds numbers", hint)
    refuse_text(table, named or [name for name in free if is_ambiguous(table.columns[name])])
    for name in free:
        if increases(table, name, run):
            hint = "Name another column as the time if that is wrong."
            findings.add("time-guess", "the first column that always increases", "taken as the time", hint, column=name)
            return name
    nearly = next((name for name in free if _nearly_increases(table.columns[name])), None)
    if nearly is not None:  # it will be refused, with the row where it does not
        return nearly
    hint = f"Name the one that is. The columns are {quoted(table.columns)}."
    raise refusal("no-time", "The table", "no column is called time, and none increases throughout", hint)


def _is_time(table: Table, name: str, run: str | None, named: Sequence[str]) -> bool:
    """Whether a column of dates may be the time: 1:10 is hours and minutes, but also a ratio."""
    column = table.columns[name]
    if not is_dates(column):
        return False
    return name in named or not is_short_clock(cell(column, column.odd[0])) or increases(table, name, run)


def _nearly_increases(column: Column) -> bool:
    """Whether a column increases but for a slip: in four of five steps at least."""
    if column.numbers is None and not is_mixed(column):
        return False
    steps = np.diff(column.values[~np.isnan(column.values)])
    return len(steps) > 4 and (steps > 0).mean() >= 0.8


def refuse_text(table: Table, named: Sequence[str]) -> None:
    """Refuse a time that is text sooner than guess: a curve that only grows is no time because dates are unread."""
    text = next((table.columns[name] for name in named if table.columns[name].odd), None)
    if text is None:
        return
    written = cell(text, text.odd[0])
    if is_ambiguous(text):
        reason = f"'{written}' may be read with the day or the month first"
        hint = "Write dates as 2020-01-31, or as 31.01.2020."
    else:
        reason = f"it looks like the time but holds text such as '{written}'"
        hint = "Give the time as numbers, for example days since the start, or as dates like 2020-01-31 10:00:00."
    raise refusal("not-a-number", "", reason, hint, rows_at(table, text.odd), text.name)


def _refuse_mixed(table: Table, names: Iterable[str]) -> None:
    for name in names:
        if is_mixed(table.columns[name]):
            numbers_of(table, name)


def _named_run(table: Table, taken: set[str | None]) -> str | None:
    """Return the column whose name says run and whose cells can be labels."""
    if table.sources:
        return table.parts
    for name, column in table.columns.items():
        words = words_of(name)
        if name not in taken and name != table.parts and words and words[0] in RUN_WORDS and _are_labels(column):
            return name
    return None


def _guess_run(table: Table, time: str, taken: set[str | None], findings: Findings) -> str | None:
    """Return a column that makes time increase, where it does not increase over the whole table."""
    blocks = (np.flatnonzero(np.diff(table.columns[table.parts].values)) + 1).tolist() if table.parts else []
    divided = "blank lines or repeated headers divide the rows into blocks"
    if increases(table, time, None):
        if table.parts:
            hint = f"Name the column '{table.parts}' as the run to take each block as a run."
            found = f"{divided}, and time increases across them"
            findings.add("blank-block", found, "one run", hint, rows_at(table, blocks))
        return None
    t = times_or_none(table.columns[time])
    if t is None:
        return None
    for name in labels_of_restarts(table, t, time, taken):
        column = table.columns[name]
        if len(column.odd) > len(column.values) / 2 or set(words_of(name)) & SUBJECT_WORDS:
            _note_run(findings, name, "time increases inside each of its values")
            return name
    if table.parts and increases(table, time, table.parts) and restarts(t) == blocks:
        hint = "Remove the blank lines, or name the column that tells runs apart, if the blocks are no runs."
        found = f"{divided}, and time restarts with each"
        findings.add("blank-block", found, "each block was taken as a run", hint, rows_at(table, blocks))
        return table.parts
    return None


def labels_of_restarts(table: Table, t: Floats, time: str, taken: set[str | None]) -> Iterator[str]:
    """Yield the columns that explain why time does not increase throughout: labels of runs, or levels of an input."""
    for name, column in table.columns.items():
        if name not in taken and name != table.parts and _are_labels(column) and _explains(table, t, time, name):
            yield name


def _note_run(findings: Findings, run: str, why: str) -> None:
    hint = "Name another one, or none, if that is wrong."
    findings.add("run-column", why, "it tells the runs apart", hint, column=run)


def _are_labels(column: Column) -> bool:
    """Whether the cells can be labels of runs: each occurs twice on average, and a number is a whole one."""
    if column.missing:
        return False
    if column.numbers is not None:
        return bool((column.numbers % 1 == 0).all()) and len(np.unique(column.numbers)) <= len(column.numbers) / 2
    return len(coded(column)[0]) <= len(column.values) / 2


def _explains(table: Table, t: Floats, time: str, name: str) -> bool:
    """Whether the labels of a column explain why time does not increase throughout.

    Time must increase inside each label. Besides, either time falls back wherever the label changes and nowhere else,
    or all runs begin at one time and are equally long: else any column of yes and no would explain a single slip.
    """
    if not increases(table, time, name):
        return False
    parts = list(runs_of(table, name).values())
    turns = np.flatnonzero(np.diff(coded(table.columns[name])[1]))
    together = len({float(t[part[0]]) for part in parts}) == 1 and len(set(map(len, parts))) == 1
    return together or np.array_equal(turns, np.flatnonzero(np.diff(t) <= 0))


def _guess_states(table: Table, time: str, run: str | None, rest: Sequence[str], findings: Findings) -> tuple[str, ...]:
    _refuse_mixed(table, rest)
    states: list[str] = []
    left: list[str] = []
    unfit = {name: _unfit(table, name, run) for name in rest}
    again = {name for name, (_, why) in unfit.items() if not why and _is_time_again(table, time, run, name)}
    if any(not why and name not in again for name, (_, why) in unfit.items()):  # else nothing would be a state
        unfit |= dict.fromkeys(again, ("time-again", f"it is '{time}' in other units"))
    for name, (code, why) in unfit.items():
        if why:
            findings.add(code, why, "left out", WAYS_OUT.get(code, KEEP), column=name, severity="left out")
            left.append(f"'{name}': {why}.")
        else:
            states.append(name)
    if not states:
        hint = " ".join(left) or "Add a column of measured values."
        reason = f"beside the time '{time}' there is no column of changing numbers"
        raise refusal("no-numbers", "The table", reason, hint)
    return tuple(states)


def _is_time_again(table: Table, time: str, run: str | None, name: str) -> bool:
    """Whether a column that is named like a time is the time, scaled and shifted; a state may rise evenly, too."""
    t, x = times_or_none(table.columns[time]), times_or_none(table.columns[name])
    if t is None or x is None or not names_time(name, lambda own: increases(table, own, run)):
        return False
    seen = np.isfinite(t) & np.isfinite(x)
    if seen.sum() < FEWEST_ALIKE or not np.ptp(t[seen]) > 0.0 or not np.ptp(x[seen]) > 0.0:
        return False
    return bool(abs(np.corrcoef(t[seen], x[seen])[0, 1]) > ALIKE)


def _unfit(table: Table, name: str, run: str | None) -> tuple[Code, str]:
    """Return why a column is no state, as code and words; empty words when it can be one."""
    column = table.columns[name]
    if column.odd:
        return "text-column", f"it holds text such as '{cell(column, column.odd[0])}'"
    if column.numbers is None:
        return "empty-column", "all its cells are empty"
    if is_constant(table, name, run):
        return "constant-column", f"it is constant in every run ('{cell(column, 0)}'), so it has no law of change"
    words = words_of(name)
    if len(words) == 1 and words[0] in INDEX_WORDS and (np.diff(column.numbers) == 1).all():
        return "row-number", "it counts the rows"
    return "text-column", ""


def is_constant(table: Table, name: str, run: str | None) -> bool:
    """Whether a column of numbers has only one value inside each run."""
    numbers = numbers_of(table, name)
    parts = (numbers[positions] for positions in runs_of(table, run).values()) if run else (numbers,)
    filled = (part[~np.isnan(part)] for part in parts)
    return all(bool((part == part[:1]).all()) for part in filled)


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case, without a unit in brackets at its end."""
    return re.findall(r"[^\W_]+", without_unit(name).lower())


def names_time(name: str, increases: Callable[[str], bool]) -> bool:
    """Whether a name says time. Single capitals never do: T is a temperature, S a susceptible, H a host."""
    words = words_of(name)
    if not words or (len(words[0]) == 1 and not name.lstrip().startswith(words[0])):
        return False
    head, *tail = words
    plain = set(tail) <= TIME_UNITS.keys()  # t, t_s, time (h), hour; not t_cells
    if (plain or (len(head) > 1 and set(tail) <= TIME_WORDS)) and head in _CLEAR:
        return True
    likely = plain if len(head) == 1 else head in _CLEAR | _SHORT or words[-1] in TIME_WORDS
    return likely and (head in _SHORT or len(head) > 1) and increases(name)
