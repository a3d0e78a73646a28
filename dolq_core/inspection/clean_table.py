"""A data set as a plain table again: to look at before a run, or to keep as a file."""

import csv
from collections.abc import Iterator
from io import StringIO
from itertools import islice
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.data.table import Table, cell
from dolq_core.records import Dataset, Trajectory

Rows: TypeAlias = list[list[str | float]]


def clean(data: Dataset, run: str | None) -> str:
    """Return a data set as CSV: the column of runs if there is one, time, states, and the columns with other roles.

    Decimal points, gaps empty. What was done to the columns is done: the table says no more how.
    """
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names(data, run))
    for one in data.trajectories:
        label = [one.label] if run else []
        for row in _rows(data, one):
            writer.writerow([*label, *("" if value != value else repr(value) for value in row)])
    return file.getvalue()


def names(data: Dataset, run: str | None) -> list[str]:
    """Return the names of the columns of the clean table."""
    given = [one.column for one in (*data.weights, *data.derivatives)]
    own = [data.time.name, *(variable.name for variable in (*data.states, *data.inputs)), *given]
    return [*([run] if run else []), *own]


def first_rows(data: Dataset, run: str | None, most: int = 6) -> Rows:
    """Return the first rows of the clean table, of several runs the first of each of them; NaN is a gap."""
    share = max(2, most // len(data.trajectories))
    label = [[one.label] if run else [] for one in data.trajectories]
    rows = (
        [*own, *row]
        for own, one in zip(label, data.trajectories, strict=True)
        for row in islice(_rows(data, one, share), share)
    )
    return list(islice(rows, most))


def first_cells(table: Table, most: int = 6) -> Rows:
    """Return the first rows of a table as it was read, every cell as text."""
    return [[cell(column, i) for column in table.columns.values()] for i in range(min(most, len(table.rows)))]


def _rows(data: Dataset, run: Trajectory, most: int | None = None) -> Iterator[list[float]]:
    """Yield times, states, inputs, weights and derivatives of a run, side by side."""
    places = {state.name: j for j, state in enumerate(data.states)}
    parts: list[Floats] = [run.t[:most, None], run.x[:most]] + ([] if run.inputs is None else [run.inputs[:most]])
    for given, values in ((data.weights, run.weights), (data.derivatives, run.derivatives)):
        parts += [values[:most, [places.get(one.state, 0)]] for one in given if values is not None]
    yield from np.hstack(parts).tolist()
