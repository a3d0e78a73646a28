"""Columns of dates and clocks as time: 2020-01-31, 2020/01/31, 31.01.2020, 31/1/2020, 10:00:05 and 10:00.

1/2/2020 is January in one country and February in another: it is read only where another date of the column, such as
31/1/2020, tells which of the two comes first.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from math import inf
from typing import Final, Literal, TypeAlias

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.data.findings import Findings
from dolq_core.data.table import Column, Table, cells, coded, free_name, runs_of, text_column

Order: TypeAlias = Literal["day", "month"]
"""What comes first in 1/2/2020."""
_DATE: Final = re.compile(
    r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})"
    r"(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})([.,]\d+)?)?\s*(?:Z|UTC|([+-])(\d{2}):?(\d{2}))?)?",
    re.ASCII,
)
_ISO: Final = re.compile(r"(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:\n|\Z))+", re.ASCII)
_CLOCK: Final = re.compile(r"(\d+):([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?", re.ASCII)
_UNITS: Final = ((3 * 86400.0, "day", 86400.0), (3 * 3600.0, "h", 3600.0), (600.0, "min", 60.0), (0.0, "s", 1.0))
"""The least span in seconds, the unit for it, and that unit in seconds."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def is_date(cell: str) -> bool:
    """Whether a cell is a date or a clock; of 1/2/2020 the order may still be open."""
    return cell[:1].isdigit() and any(_seconds(cell, order) is not None for order in ("day", "month"))


def is_short_clock(cell: str) -> bool:
    """Whether a cell is hours and minutes alone, as in 10:05; it may also be a ratio."""
    found = _CLOCK.fullmatch(cell)
    return found is not None and not found[3]


def _is_day(cell: str) -> bool:
    found = _DATE.fullmatch(cell)
    return found is not None and found[5] is None


def _slashed(cell: str) -> tuple[int, int] | None:
    """Return day and month of 31/1/2020 in the order in which they are written."""
    found = _DATE.fullmatch(cell)
    return (int(found[1]), int(found[3])) if found and found[2] == "/" and len(found[4]) == 4 else None


def _order(cells: Iterable[str]) -> Order | None:
    """Return what comes first in the dates with slashes of a column; None where they do not tell, or contradict."""
    pairs = [pair for text in cells if "/" in text and (pair := _slashed(text))]
    day, month = any(one > 12 for one, _ in pairs), any(other > 12 for _, other in pairs)
    return None if day == month else "day" if day else "month"


def _seconds(cell: str, order: Order | None) -> float | None:
    """Return seconds since 1970, or since midnight for a clock alone; None when it is neither."""
    clock = _CLOCK.fullmatch(cell)
    if clock:
        hours, minutes, seconds = int(clock[1]), int(clock[2]), float((clock[3] or "0").replace(",", "."))
        return hours * 3600.0 + minutes * 60.0 + seconds if clock[3] or len(clock[1]) <= 2 else None
    found = _DATE.fullmatch(cell)
    if found is None:
        return None
    one, mark, other, last, hour, minute, second, part, sign, zone_h, zone_min = found.groups()
    if len(one) == 4 and mark != "." and len(last) <= 2:
        year, month, day = one, other, last
    elif len(last) != 4 or len(one) > 2 or mark == "-" or (mark == "/" and order is None):
        return None
    else:
        year, month, day = (last, other, one) if mark == "." or order == "day" else (last, one, other)
    try:
        moment = datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0), tzinfo=UTC
        )
    except ValueError:  # 2020-13-01
        return None
    shift = timedelta(hours=int(f"{sign}{zone_h}"), minutes=int(f"{sign}{zone_min}")) if sign else timedelta()
    return (moment - shift - _EPOCH).total_seconds() + float((part or "0").replace(",", "."))


def are_iso(texts: Sequence[str]) -> bool:
    """Whether every text is a date with a clock, as 2020-01-31 10:00:05."""
    return _ISO.fullmatch("\n".join(texts)) is not None


def _all_seconds(texts: Sequence[str], order: Order | None) -> Floats:
    """Return `_seconds` of each text, NaN where there are none; ISO dates are read a hundred times faster."""
    if are_iso(texts):
        with suppress(ValueError):  # 2020-13-01: one by one below
            return np.array(texts, dtype="datetime64[us]").astype(np.float64) / 1e6
    return np.array([np.nan if (value := _seconds(text, order)) is None else value for text in texts])


@lru_cache(maxsize=4)  # of long columns this takes a second, and it is asked at every click
def is_dates(column: Column) -> bool:
    """Whether all cells of a column that are not missing are dates or clocks that can be read in one way."""
    if len(column.odd) + len(column.missing) < len(column.values) or not column.odd:
        return False
    if not is_date(column.written[column.odd[0]]):  # most columns of text end here
        return False
    labels = [text for text in coded(column)[0] if text]
    return not np.isnan(_all_seconds(labels, _order(labels))).any()


def is_ambiguous(column: Column) -> bool:
    """Whether all cells are dates, but day and month cannot be told apart: 1/2/2020."""
    labels = [text for text in coded(column)[0] if text]
    return bool(labels) and all(map(is_date, labels)) and not is_dates(column)


def unit_of_span(seconds: float) -> tuple[str, float]:
    """Return the unit in which times of such a span are read best, and how many seconds it has."""
    return next((unit, size) for least, unit, size in _UNITS if seconds >= least)


@lru_cache(maxsize=4)
def elapsed(column: Column) -> tuple[Floats, str]:
    """Return (n,) times of a column of dates since the first of them, NaN where there is none, and their unit."""
    texts, places = coded(column)
    found = _all_seconds(texts, _order(texts))[places]
    known = found[~np.isnan(found)]
    span = float(known.max() - known.min())
    days = all(_is_day(text) for text in texts if text)
    unit, size = unit_of_span(inf if days else span)
    return frozen((found - known[0]) / size), unit


def note_elapsed(table: Table, column: Column, t: Floats, unit: str, findings: Findings) -> None:
    """Note how dates were read, and from where on time counts."""
    first = int(np.flatnonzero(~np.isnan(t))[0])
    text, row = column.written[first], table.rows[first]
    order = _order(coded(column)[0]) if _slashed(text) else None
    read = (
        "read as hours and minutes, and "
        if is_short_clock(text)
        else f"read with the {order} first, and " * bool(order)
    )
    assumed = f"{read}converted to the time since row {row}, in the unit '{unit}'"
    hint = "Give numbers for another unit or start."
    findings.add("iso-time", f"dates or clocks such as '{text}'", assumed, hint, [row], column.name)


def join_date_and_clock(columns: Mapping[str, Column], findings: Findings) -> dict[str, Column]:
    """Return the columns with one more in front, where one holds dates alone and another one clocks alone."""
    first = {name: column.written[column.odd[0]] for name, column in columns.items() if is_dates(column)}
    days = [name for name, text in first.items() if _is_day(text)]
    clocks = [name for name, text in first.items() if _CLOCK.fullmatch(text)]
    if len(days) != 1 or len(clocks) != 1:
        return dict(columns)
    pairs = list(zip(cells(columns[days[0]]), cells(columns[clocks[0]]), strict=True))
    written = {i: f"{day} {clock}" for i, (day, clock) in enumerate(pairs) if day and clock}
    name = free_name(f"{days[0]} {clocks[0]}", columns)
    found = f"dates are in '{days[0]}' and clocks in '{clocks[0]}'"
    hint = "Name one of them as the time if that is wrong."
    findings.add("joined-time", found, "joined to one column of times", hint, column=name)
    return {name: text_column(name, written, len(pairs)), **columns}


def times_or_none(column: Column) -> Floats | None:
    """Return the numbers of a column, or the times that its dates are; None when it is neither."""
    return elapsed(column)[0] if is_dates(column) else column.numbers


def increases(table: Table, name: str, run: str | None) -> bool:
    """Whether a column of numbers or dates increases inside every run, without gaps."""
    t = times_or_none(table.columns[name])
    if t is None or not np.isfinite(t).all():
        return False
    return all((np.diff(t[positions]) > 0).all() for positions in runs_of(table, run).values())


def restarts(t: Floats) -> list[int]:
    """Return the positions at which time falls back to within a tenth of what has passed since the last start."""
    found: list[int] = []
    first = 0
    for i in (np.flatnonzero(np.diff(t) < 0) + 1).tolist():
        if i - first > 1 and t[i] <= t[first] + 0.1 * (t[i - 1] - t[first]):
            found.append(i)
            first = i
    return found
