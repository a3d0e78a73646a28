"""Which column is the time, which tells runs apart, which are states: as named by the person, else guessed.

A guess follows names first and numbers second:

| role | taken |
|---|---|
| time | a name such as t, time, hours, day, Zeit; else the first column that increases inside every run |
| run | a name such as run, trial, replicate that repeats; else text that repeats, if time restarts without it |
| states | every other column of numbers that changes; columns that stay constant are left out, and named in a note |
| ignored | text, dates, row numbers, empty columns; but a column of mostly numbers with text in it is an error |
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.data.csv import Column, Table
from dolq_core.errors import DataError

TIME_UNITS: Final = {
    "s": "s second seconds sec secs sekunde sekunden",
    "ms": "ms millisecond milliseconds",
    "min": "min mins minute minutes minuten",
    "h": "h hr hrs hour hours stunde stunden",
    "day": "d day days tag tage",
    "week": "week weeks woche wochen",
    "month": "month months monat monate",
    "year": "yr yrs year years jahr jahre",
}
_UNIT_OF: Final = {word: unit for unit, words in TIME_UNITS.items() for word in words.split()}
_TIME_WORDS: Final = frozenset(
    {"t", "time", "times", "zeit", "temps", "tiempo", "tempo", "timestamp", "elapsed", "date", "datetime"}
)
_SHORT: Final = frozenset({"s", "h", "d", "ms", "min", "sec"})  # may name a state too: only when they increase
_CLEAR: Final = (_TIME_WORDS | _UNIT_OF.keys()) - _SHORT
_RUN_WORDS: Final = frozenset(
    "run runs trial replicate replicates rep repeat experiment exp series batch trajectory versuch lauf".split()
)
_INDEX_WORDS: Final = frozenset({"index", "idx", "row", "nr", "no", "id"})
_BRACKET: Final = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*$")


@dataclass(frozen=True, slots=True)
class Roles:
    """The role of every column, by own names; `notes` says what was assumed, in plain sentences."""

    time: str
    run: str | None
    states: tuple[str, ...]
    ignored: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def guess_roles(
    table: Table, time: str | None = None, states: Sequence[str] | None = None, run: str | None = None
) -> Roles:
    """Give each column a role; what the person named is taken, the rest is guessed; raise DataError without a time.

    An empty `run` says that all rows are one run; None leaves it to a guess.
    """
    for name in (time, run or None, *(states or ())):
        if name is not None:
            find(table, name)
    if time is not None and time == run:
        raise DataError(f"Column '{time}'", "it is named twice", "Give each column one role.")
    notes: list[str] = []
    if run is None:
        run = _named_run(table, {time, *(states or ())})
    if time is None:
        time = _guess_time(table, {run, *(states or ())}, run, notes)
    if run is None:
        run = _text_run(table, time, {time, *(states or ())})
        if run is not None:
            notes.append(f"Column '{run}' tells the runs apart: time increases inside each of its values.")
    run = run or None
    chosen = _guess_states(table, time, run, notes) if states is None else _check_states(table, states, time, run)
    ignored = tuple(name for name in table.columns if name not in {time, run, *chosen})
    return Roles(time, run, chosen, ignored, tuple(notes))


def find(table: Table, name: str) -> Column:
    """Return the column `name`; raise DataError with the names there are."""
    column = table.columns.get(name)
    if column is not None:
        return column
    near = get_close_matches(name, table.columns, n=1, cutoff=0.6)
    hint = f"Did you mean '{near[0]}'? " if near else ""
    listed = ", ".join(f"'{own}'" for own in table.columns)
    raise DataError(f"Column '{name}'", "there is no such column", f"{hint}The columns are {listed}.")


def numbers_of(table: Table, name: str) -> Floats:
    """Return the numbers of a column; raise DataError that names the first cell that is none."""
    column = find(table, name)
    if column.numbers is not None:
        return column.numbers
    if not column.odd:
        raise DataError(f"Column '{name}'", "all its cells are empty", "Choose a column with numbers.")
    first = column.odd[0]
    cell = column.text[first]
    more = f" (one of {len(column.odd)} such cells in this column)" if len(column.odd) > 1 else ""
    hint = "Correct it, leave it empty, or name the columns to use without this one."
    if "," in cell or "'" in cell:
        hint = "Write numbers without thousands separators, or name the columns to use without this one."
    raise DataError(f"Row {table.rows[first]}, column '{name}'", f"'{cell}' is not a number{more}", hint)


def unit_of(name: str, *, time: bool = False) -> str:
    """Return the unit that a name tells: in brackets at its end, or by being a unit of time itself."""
    bracket = _BRACKET.search(name)
    if bracket:
        return bracket[1].strip()
    return next((_UNIT_OF[word] for word in reversed(_words(name)) if time and word in _UNIT_OF), "")


def groups(table: Table, run: str | None) -> dict[str, Ints]:
    """Return the positions of the rows of each run, by its label, in the order of first appearance."""
    if not run:
        return {"": np.arange(len(table.rows))}
    found: dict[str, list[int]] = {}
    for i, label in enumerate(find(table, run).text):
        if not label:
            hint = "Every row needs the name of its run."
            raise DataError(f"Row {table.rows[i]}, column '{run}'", "the cell is empty", hint)
        found.setdefault(label, []).append(i)
    return {label: np.array(positions) for label, positions in found.items()}


def _words(name: str) -> list[str]:
    return re.findall(r"[^\W_]+", _BRACKET.sub("", name).lower())


def _increases(table: Table, name: str, run: str | None) -> bool:
    numbers = table.columns[name].numbers
    if numbers is None or not np.isfinite(numbers).all():
        return False
    return all((np.diff(numbers[positions]) > 0).all() for positions in groups(table, run).values())


def _named_run(table: Table, taken: set[str | None]) -> str | None:
    for name, column in table.columns.items():
        words = _words(name)
        if name not in taken and words and words[0] in _RUN_WORDS and _labels(column):
            return name
    return None


def _labels(column: Column) -> bool:
    """Whether the cells can be labels of runs: each stands twice on average, and a number is a whole one."""
    whole = column.numbers is None or bool((column.numbers % 1 == 0).all())
    return whole and all(column.text) and len(set(column.text)) <= len(column.text) / 2


def _text_run(table: Table, time: str, taken: set[str | None]) -> str | None:
    """Return a text column that makes time increase, where it does not increase over the whole table."""
    if _increases(table, time, None):
        return None
    for name, column in table.columns.items():
        text = len(column.odd) > len(column.text) / 2
        if name not in taken and text and _labels(column) and _increases(table, time, name):
            return name
    return None


def _is_time(table: Table, name: str, run: str | None) -> bool:
    """Whether the name says so. Single capitals never do: T is a temperature, S a susceptible, H a host."""
    words = _words(name)
    if not words or (len(words[0]) == 1 and not name.lstrip().startswith(words[0])):
        return False
    head, *tail = words
    plain = set(tail) <= _UNIT_OF.keys()  # t, t_s, time (h), hour; not t_cells
    if plain and head in _CLEAR:
        return True
    likely = plain if len(head) == 1 else head in _CLEAR | _SHORT or words[-1] in _TIME_WORDS
    return likely and (head in _SHORT or len(head) > 1) and _increases(table, name, run)


def _guess_time(table: Table, taken: set[str | None], run: str | None, notes: list[str]) -> str:
    named = [name for name in table.columns if name not in taken and _is_time(table, name, run)]
    numeric = [name for name in named if table.columns[name].numbers is not None]
    mixed = [name for name in named if _is_mixed(table.columns[name])]
    if numeric or mixed:  # a unit such as `day` may stand beside a time proper
        return min(numeric or mixed, key=lambda name: _words(name)[0] not in _TIME_WORDS)
    if all(column.numbers is None for column in table.columns.values()):
        _refuse_mixed(table, table.columns)
        raise DataError("The table", "no column holds numbers", "Choose a table with times and measured values.")
    text = next((table.columns[name] for name in named if table.columns[name].odd), None)
    if text:  # sooner than a guess: a curve that only grows is not the time because the dates were not understood
        reason = f"it looks like the time but holds text such as '{text.text[text.odd[0]]}'"
        raise DataError(f"Column '{text.name}'", reason, "Give the time as numbers, for example days since the start.")
    for name in table.columns:
        if name not in taken and _increases(table, name, run):
            notes.append(f"Column '{name}' was taken as the time: it is the first one that always increases.")
            return name
    listed = ", ".join(f"'{name}'" for name in table.columns)
    hint = f"Name the one that is. The columns are {listed}."
    raise DataError("The table", "no column is called time, and none increases throughout", hint)


def _is_mixed(column: Column) -> bool:
    """Whether a column is mostly numbers, with text in it."""
    filled = len(column.text) - len(column.missing)
    return 0 < len(column.odd) <= filled / 2


def _refuse_mixed(table: Table, names: Iterable[str]) -> None:
    for name in names:
        if _is_mixed(table.columns[name]):
            numbers_of(table, name)


def _guess_states(table: Table, time: str, run: str | None, notes: list[str]) -> tuple[str, ...]:
    rest = [name for name in table.columns if name not in (time, run)]
    _refuse_mixed(table, rest)
    states: list[str] = []
    for name in rest:
        why = _unfit(table, name, run)
        if why:
            notes.append(f"Column '{name}' was left out: {why}.")
        else:
            states.append(name)
    if not states:
        hint = " ".join(notes) or "Add a column of measured values."
        raise DataError("The table", f"beside the time '{time}' there is no column of changing numbers", hint)
    return tuple(states)


def _unfit(table: Table, name: str, run: str | None) -> str:
    """Return why a column is no state; empty when it can be one."""
    column = table.columns[name]
    if column.odd:
        return f"it holds text such as '{column.text[column.odd[0]]}'"
    numbers = column.numbers
    if numbers is None:
        return "all its cells are empty"
    if constant(table, name, run):
        return f"it is constant in every run ('{column.text[0]}'), so it has no law of change; name it to keep it"
    if set(_words(name)) & _INDEX_WORDS and len(_words(name)) == 1 and (np.diff(numbers) == 1).all():
        return "it counts the rows"
    return ""


def constant(table: Table, name: str, run: str | None) -> bool:
    """Whether a column of numbers has one value only inside each run."""
    numbers = numbers_of(table, name)
    parts = (numbers[positions] for positions in groups(table, run).values())
    filled = (part[~np.isnan(part)] for part in parts)
    return all((part == part[:1]).all() for part in filled)


def _check_states(table: Table, states: Sequence[str], time: str, run: str | None) -> tuple[str, ...]:
    if not states:
        raise DataError("The states", "none is named", "Name at least one column of numbers.")
    for name in states:
        if name in (time, run) or list(states).count(name) > 1:
            raise DataError(f"Column '{name}'", "it is named twice", "Give each column one role.")
        numbers_of(table, name)
    return tuple(states)
