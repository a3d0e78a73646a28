"""Columns of a table by name: their numbers, and the rows of each run."""

from difflib import get_close_matches

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.data.clock import is_moments, times_of
from dolq_core.data.columns import Column, Table, cell, coded, rows_at
from dolq_core.data.findings import refusal


def find(table: Table, name: str) -> Column:
    """Return the column `name`; raise TableError with the names there are."""
    column = table.columns.get(name)
    if column is not None:
        return column
    near = get_close_matches(name, table.columns, n=1, cutoff=0.6)
    hint = f"Did you mean '{near[0]}'? " if near else ""
    listed = ", ".join(f"'{own}'" for own in table.columns)
    hint = f"{hint}The columns are {listed}."
    raise refusal("unknown-column", "", "there is no such column", hint, column=name)


def numbers_of(table: Table, name: str) -> Floats:
    """Return the numbers of a column; raise TableError that names the first cell that is none."""
    column = find(table, name)
    if column.numbers is not None:
        return column.numbers
    if not column.odd:
        raise refusal("empty-column", "", "all its cells are empty", "Choose a column with numbers.", column=name)
    odd = cell(column, column.odd[0])
    more = f" (one of {len(column.odd)} such cells in this column)" if len(column.odd) > 1 else ""
    hint = "Correct it, leave it empty, or name the columns to use without this one."
    if "," in odd or "'" in odd:
        hint = "Write numbers without thousands separators, or name the columns to use without this one."
    rows = rows_at(table, column.odd)
    raise refusal("not-a-number", "", f"'{odd}' is not a number{more}", hint, rows, name)


def groups(table: Table, run: str | None) -> dict[str, Ints]:
    """Return the positions of the rows of each run, by its label, in the order of first appearance."""
    if not run:
        return {"": np.arange(len(table.rows))}
    column = find(table, run)
    if column.missing:
        hint = "Every row needs the name of its run."
        rows = rows_at(table, column.missing)
        raise refusal("missing-cell", "", "the cell is empty", hint, rows, run)
    labels, which = coded(column)
    order = np.argsort(which, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(which, minlength=len(labels)))[:-1])
    return dict(zip(labels, parts, strict=True))


def increases(table: Table, name: str, run: str | None) -> bool:
    """Whether a column of numbers or dates increases inside every run, without gaps."""
    numbers = times_or_none(table, name)
    if numbers is None or not np.isfinite(numbers).all():
        return False
    return all((np.diff(numbers[positions]) > 0).all() for positions in groups(table, run).values())


def times_or_none(table: Table, name: str) -> Floats | None:
    """Return the numbers of a column, or the times that its dates are; None when it is neither."""
    return times_of(table, name)[0] if is_moments(table.columns[name]) else table.columns[name].numbers
