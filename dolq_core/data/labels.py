"""Which column tells the runs apart, where none is named: by its name, or because it explains where time falls back."""

import numpy as np

from dolq_core.data.clock import restarts
from dolq_core.data.columns import Column, Table, coded, rows_at
from dolq_core.data.findings import Said
from dolq_core.data.lookup import groups, increases, times_or_none
from dolq_core.data.words import RUN_WORDS, SUBJECT_WORDS, words_of


def say_run(said: Said, run: str, why: str) -> None:
    """Say which column tells the runs apart, and why."""
    said.add("run-column", why, "it tells the runs apart", "Name another one, or none, if that is wrong.", column=run)


def named_run(table: Table, taken: set[str | None]) -> str | None:
    """Return the column whose name says run and whose cells can be labels."""
    if table.sources:
        return table.parts
    for name, column in table.columns.items():
        words = words_of(name)
        if name not in taken and name != table.parts and words and words[0] in RUN_WORDS and _labels(column):
            return name
    return None


def _labels(column: Column) -> bool:
    """Whether the cells can be labels of runs: each stands twice on average, and a number is a whole one."""
    if column.missing:
        return False
    if column.numbers is not None:
        return bool((column.numbers % 1 == 0).all()) and len(np.unique(column.numbers)) <= len(column.numbers) / 2
    return len(coded(column)[0]) <= len(column.values) / 2


def guess_run(table: Table, time: str, taken: set[str | None], said: Said) -> str | None:
    """Return a column that makes time increase, where it does not increase over the whole table."""
    if increases(table, time, None):
        if table.parts:
            found = "blank lines or repeated headers divide the rows into blocks, and time increases across them"
            hint = f"Name the column '{table.parts}' as the run to take each block as a run."
            said.add("blank-block", found, "one run", hint, _starts(table))
        return None
    for name, column in table.columns.items():
        text = len(column.odd) > len(column.values) / 2
        subject = set(words_of(name)) & SUBJECT_WORDS
        if name not in taken and (text or subject) and _labels(column) and _explains(table, time, name):
            say_run(said, name, "time increases inside each of its values")
            return name
    if table.parts and increases(table, time, table.parts) and _at_blocks(table, time):
        hint = "Remove the blank lines, or name the column that tells runs apart, if the blocks are no runs."
        found = "blank lines or repeated headers divide the rows into blocks, and time restarts with each"
        said.add("blank-block", found, "each block was taken as a run", hint, _starts(table))
        return table.parts
    return None


def _explains(table: Table, time: str, name: str) -> bool:
    """Whether the labels of a column explain why time does not increase throughout.

    Time must increase inside each label. Besides, either time falls back wherever the label changes and nowhere else,
    or all runs begin at one time and are equally long: else any column of yes and no would explain a single slip.
    """
    t = times_or_none(table, time)
    if t is None or not increases(table, time, name):
        return False
    parts = list(groups(table, name).values())
    turns = np.flatnonzero(np.diff(coded(table.columns[name])[1]))
    together = len({float(t[part[0]]) for part in parts}) == 1 and len(set(map(len, parts))) == 1
    return together or np.array_equal(turns, np.flatnonzero(np.diff(t) <= 0))


def _at_blocks(table: Table, time: str) -> bool:
    t = times_or_none(table, time)
    return t is not None and restarts(t) == _turns(table)


def _turns(table: Table) -> list[int]:
    return (np.flatnonzero(np.diff(table.columns[table.parts].values)) + 1).tolist()


def _starts(table: Table) -> list[int]:
    return rows_at(table, _turns(table))
