"""A data set as a plain table again: to look at before a run, or to keep as a file."""

import csv
from io import StringIO
from typing import TypeAlias

from dolq_core.data.table import Table, cell
from dolq_core.export.tables import columns, samples
from dolq_core.records import Dataset, Variable
from dolq_core.units import unit_of

Rows: TypeAlias = list[list[str | float]]


def clean(data: Dataset, run: str | None) -> str:
    """Return a data set as CSV: the column of runs if there is one, time, states, and the columns with other roles.

    Decimal points, gaps empty, units above their columns. What was done to the columns is done: the table says no more
    how.
    """
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    titles = [_titled(one, time=one is data.time) for one in data.columns]
    writer.writerow([*([run] if run else []), *titles, *columns(data)[len(titles) :]])
    for one in data.trajectories:
        label = [one.label] if run else []
        for row in samples(data, one):
            writer.writerow([*label, *("" if value != value else repr(value) for value in row)])
    return file.getvalue()


def _titled(column: Variable, *, time: bool) -> str:
    """The name of a column, with its unit where the name does not tell it."""
    return column.name if unit_of(column.name, time=time) == column.unit else column.title


def names(data: Dataset, run: str | None) -> list[str]:
    """Return the names of the columns of the clean table."""
    return [*([run] if run else []), *columns(data)]


def first_rows(data: Dataset, run: str | None, most: int = 6) -> Rows:
    """Return the first rows of the clean table, of several runs the first of each of them; NaN is a gap."""
    share = max(2, most // len(data.trajectories))
    shown = [(([one.label] if run else []), samples(data, one, share)) for one in data.trajectories[:most]]
    return [[*label, *row] for label, rows in shown for row in rows][:most]


def first_cells(table: Table, most: int = 6) -> Rows:
    """Return the first rows of a table as it was read, every cell as text."""
    return [[cell(column, i) for column in table.columns.values()] for i in range(min(most, len(table.rows)))]
