"""The times of a table: a column of numbers as it stands, a column of dates as time since its first row."""

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.data.columns import Column, Table, cells, coded
from dolq_core.data.times import is_moment, since_first


def is_moments(column: Column) -> bool:
    """Whether all cells of a column that are not missing are dates or clocks."""
    if len(column.odd) + len(column.missing) < len(column.values) or not column.odd:
        return False
    if not is_moment(column.written[column.odd[0]]):  # most columns of text end here
        return False
    return all(is_moment(text) for text in coded(column)[0] if text)


def times_of(table: Table, name: str) -> tuple[Floats, str]:
    """Return (n,) times of a column of dates since the first of them, and their unit."""
    times, unit = since_first(list(cells(table.columns[name])))
    return frozen(times), unit


def restarts(t: Floats) -> list[int]:
    """Return the positions at which time falls back to within a tenth of what has passed since the last start."""
    found: list[int] = []
    first = 0
    for i in (np.flatnonzero(np.diff(t) < 0) + 1).tolist():
        if i - first > 1 and t[i] <= t[first] + 0.1 * (t[i - 1] - t[first]):
            found.append(i)
            first = i
    return found
