"""The times of a table: a column of numbers as it stands, a column of dates as time since its first row."""

from collections.abc import Mapping, Sequence

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.data.columns import Column, Table, cells, coded, column_of
from dolq_core.data.findings import Said
from dolq_core.data.naming import free_name
from dolq_core.data.times import (
    is_clock,
    is_day,
    is_moment,
    is_short,
    is_slashed,
    order_of,
    seconds,
    since_first,
)


def is_moments(column: Column) -> bool:
    """Whether all cells of a column that are not missing are dates or clocks."""
    if len(column.odd) + len(column.missing) < len(column.values) or not column.odd:
        return False
    if not is_moment(column.written[column.odd[0]]):  # most columns of text end here
        return False
    labels = [text for text in coded(column)[0] if text]
    return all(map(is_moment, labels)) and not _is_open(labels)


def is_ambiguous(column: Column) -> bool:
    """Whether all cells are dates, but day and month cannot be told apart: 1/2/2020."""
    labels = [text for text in coded(column)[0] if text]
    return bool(labels) and all(map(is_moment, labels)) and _is_open(labels)


def _is_open(labels: Sequence[str]) -> bool:
    order = order_of(labels)
    return any(seconds(text, order) is None for text in labels)


def how_read(column: Column) -> str:
    """Return how the moments of a column were read where that is a choice, as the beginning of a sentence."""
    first = column.written[column.odd[0]]
    if is_short(first):
        return "read as hours and minutes, and "
    order = order_of(coded(column)[0]) if is_slashed(first) else None
    return f"read with the {order} first, and " if order else ""


def joined_moments(columns: Mapping[str, Column], said: Said) -> dict[str, Column]:
    """Return the columns with one more in front, where one holds dates alone and another one clocks alone."""
    moments = [name for name, column in columns.items() if is_moments(column)]
    days = [name for name in moments if is_day(_first(columns[name]))]
    clocks = [name for name in moments if is_clock(_first(columns[name]))]
    if len(days) != 1 or len(clocks) != 1:
        return dict(columns)
    pairs = list(zip(cells(columns[days[0]]), cells(columns[clocks[0]]), strict=True))
    written = {i: f"{day} {clock}" for i, (day, clock) in enumerate(pairs) if day and clock}
    name = free_name(f"{days[0]} {clocks[0]}", columns)
    found = f"dates stand in '{days[0]}' and clocks in '{clocks[0]}'"
    hint = "Name one of them as the time if that is wrong."
    said.add("joined-time", found, "joined to one column of times", hint, column=name)
    return {name: column_of(name, frozen(np.full(len(pairs), np.nan)), tuple(written), written), **columns}


def _first(column: Column) -> str:
    return column.written[column.odd[0]]


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
