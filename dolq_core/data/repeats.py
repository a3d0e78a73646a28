"""Rows as they follow in time: sorted, or one row for each time of a run, with the mean of those that share it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.data.dates import elapsed, is_dates
from dolq_core.data.findings import Findings
from dolq_core.data.table import Column, Table, at, column_of, find, free_name, numbers_of, rows_at, runs_of

COUNT: Final = "measurements"
"""What the column is called that says how many rows were averaged."""


def by_time(table: Table, time: str, run: str | None) -> Table:
    """Return the table with the rows of each run in the order of time; each row keeps its number.

    Rows that share a time stay in their order; those without one come last.
    """
    t = _times(table, time)
    order, late = np.arange(len(t)), list[int]()
    for rows in runs_of(table, run).values():
        late += rows[1:][np.diff(t[rows]) < 0.0].tolist()
        order[rows] = rows[np.argsort(t[rows], kind="stable")]
    findings = Findings(table.findings)
    what, done = (
        ("time goes back", "the rows were sorted by time, as you asked") if late else ("time increases", "kept")
    )
    findings.add("time-not-increasing", what, done, rows=rows_at(table, late), column=time)
    columns = {name: at(one, order) for name, one in table.columns.items()}
    return replace(table, columns=columns, rows=tuple(rows_at(table, order)), findings=tuple(findings))


def averaged(table: Table, time: str, run: str | None) -> tuple[Table, Mapping[str, str]]:
    """Return the table with one row for each time of a run, in the order of time, and the weights of its rows.

    A number is the mean of those that are there; text is that of the first row. Where one time has more rows than
    another, a column counts them, and weighs the rows: the mean of k has a k-th of the variance.
    """
    t = _times(table, time)
    groups = [part for rows in runs_of(table, run).values() for part in _alike(t, rows)]
    first = np.array([part[0] for part in groups])
    columns = {
        name: at(one, first) if one.numbers is None or name in (time, run) else _mean(one, groups)
        for name, one in table.columns.items()
    }
    counts = np.array([len(part) for part in groups], dtype=float)
    weights: dict[str, str] = {}
    if len(set(counts.tolist())) > 1:
        name = free_name(COUNT, columns)
        columns[name] = column_of(name, counts)
        weights[name] = ""
    findings = Findings(table.findings)
    again = [int(part[1]) for part in groups if len(part) > 1]
    least, most = int(counts.min()), int(counts.max())
    many = f"{most} rows" if least == most else f"{least} to {most} rows"
    what, done = (f"{many} share a time", "averaged, as you asked") if again else ("no two rows share a time", "kept")
    findings.add("time-repeat", f"{what} in their run" if run else what, done, rows=rows_at(table, again), column=time)
    rows = tuple(rows_at(table, first))
    return replace(table, columns=columns, rows=rows, findings=tuple(findings)), weights


def _times(table: Table, time: str) -> Floats:
    column = find(table, time)
    return elapsed(column)[0] if is_dates(column) else numbers_of(table, time)


def _alike(t: Floats, rows: Ints) -> list[Ints]:
    """Return the rows of each time, the earliest time first; rows without a time stay apart."""
    order = rows[np.argsort(t[rows], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(t[order]) != 0.0) + 1)


def _mean(column: Column, groups: list[Ints]) -> Column:
    order = np.concatenate(groups)
    starts = np.cumsum([0, *(len(part) for part in groups[:-1])])
    values = column.values[order]
    known = ~np.isnan(values)
    sums = np.add.reduceat(np.where(known, values, 0.0), starts)
    counts = np.add.reduceat(known.astype(float), starts)
    return column_of(column.name, np.divide(sums, counts, out=np.full(len(groups), np.nan), where=counts > 0.0))
