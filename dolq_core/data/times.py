"""Dates and clocks to seconds: ISO dates, 2020/01/31, 31.01.2020, 31/1/2020, and hours as 10:00:05 or 10:00.

1/2/2020 is January in one country and February in another: dates with slashes that end in the year are read only where
another date of the same column, such as 31/1/2020, tells which of the two comes first.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias

import numpy as np

from dolq_core.arrays import Floats

_CLOCK: Final = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?P<part>[.,]\d+)?)?"
_ZONE: Final = r"\s*(?P<zone>Z|UTC|[+-]\d{2}:?\d{2})?"
_DATES: Final = (
    re.compile(rf"(?P<year>\d{{4}})([-/])(?P<month>\d{{1,2}})\2(?P<day>\d{{1,2}})(?:[T ]+{_CLOCK}{_ZONE})?", re.ASCII),
    re.compile(rf"(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.(?P<year>\d{{4}})(?:[T ,]+{_CLOCK}{_ZONE})?", re.ASCII),
)
_SLASHED: Final = re.compile(
    rf"(?P<one>\d{{1,2}})/(?P<other>\d{{1,2}})/(?P<year>\d{{4}})(?:[T ,]+{_CLOCK}{_ZONE})?", re.ASCII
)
_SHORT: Final = re.compile(r"(\d{1,2}):([0-5]\d)", re.ASCII)
_ELAPSED: Final = re.compile(r"(\d+):([0-5]\d):([0-5]\d(?:[.,]\d+)?)", re.ASCII)
_SPANS: Final = ((3 * 86400.0, "day", 86400.0), (3 * 3600.0, "h", 3600.0), (600.0, "min", 60.0), (0.0, "s", 1.0))
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = re.compile(r"\d+[-/.]\d+[-/.]\d+")

Order: TypeAlias = Literal["day", "month"]
"""What comes first in 1/2/2020."""


def is_moment(cell: str) -> bool:
    """Whether a cell is a date or a clock; of 1/2/2020 the order may still be open."""
    return cell[:1].isdigit() and (seconds(cell) is not None or _either(cell))


def is_slashed(cell: str) -> bool:
    """Whether a cell is a date with slashes that ends in the year."""
    return _SLASHED.fullmatch(cell) is not None


def is_day(cell: str) -> bool:
    """Whether a cell is a date without a clock."""
    return _DAY.fullmatch(cell) is not None


def is_clock(cell: str) -> bool:
    """Whether a cell is a clock without a date."""
    return is_short(cell) or _ELAPSED.fullmatch(cell) is not None


def is_short(cell: str) -> bool:
    """Whether a cell is hours and minutes alone, as in 10:05."""
    return _SHORT.fullmatch(cell) is not None


def order_of(cells: Iterable[str]) -> Order | None:
    """Return what comes first in the dates with slashes of a column; None where they do not tell, or contradict."""
    found = [match for match in map(_SLASHED.fullmatch, cells) if match]
    orders: list[Order] = [
        *(["day"] if any(int(match["one"]) > 12 for match in found) else []),
        *(["month"] if any(int(match["other"]) > 12 for match in found) else []),
    ]
    return orders[0] if len(orders) == 1 else None


def _either(cell: str) -> bool:
    return seconds(cell, "day") is not None or seconds(cell, "month") is not None


def seconds(cell: str, order: Order | None = None) -> float | None:
    """Return seconds since 1970, or since midnight for a clock alone; None when it is neither.

    order: of dates with slashes that end in the year, which are None without it.
    """
    elapsed = _ELAPSED.fullmatch(cell)
    if elapsed:
        return int(elapsed[1]) * 3600.0 + int(elapsed[2]) * 60.0 + float(elapsed[3].replace(",", "."))
    short = _SHORT.fullmatch(cell)
    if short:
        return int(short[1]) * 3600.0 + int(short[2]) * 60.0
    found = next((match for match in (form.fullmatch(cell) for form in _DATES) if match), None)
    if found:
        return _moment(found.groupdict())
    slashed = _SLASHED.fullmatch(cell) if order else None
    if slashed is None:
        return None
    parts = slashed.groupdict()
    day, month = ("one", "other") if order == "day" else ("other", "one")
    return _moment({**parts, "day": parts[day], "month": parts[month]})


def _moment(parts: dict[str, str | None]) -> float | None:
    names = ("year", "month", "day", "hour", "minute", "second")
    try:
        day = datetime(*(int(parts[name] or 0) for name in names), tzinfo=UTC)
    except ValueError:  # 2020-13-01
        return None
    return (day - _shift(parts["zone"]) - _EPOCH).total_seconds() + float((parts["part"] or "0").replace(",", "."))


def _shift(zone: str | None) -> timedelta:
    if not zone or zone in ("Z", "UTC"):
        return timedelta()
    plain = zone.replace(":", "")
    return timedelta(hours=int(plain[:3]), minutes=int(plain[0] + plain[3:]))


def since_first(cells: Sequence[str]) -> tuple[Floats, str]:
    """Return (n,) times since the first cell that is a moment, NaN where there is none, and their unit."""
    order = order_of(cells)
    found = np.array([np.nan if (value := seconds(cell, order)) is None else value for cell in cells])
    known = found[~np.isnan(found)]
    span = float(known.max() - known.min())
    days = all(_DAY.fullmatch(cell) for cell, value in zip(cells, found.tolist(), strict=True) if value == value)
    _, unit, size = _SPANS[0] if days else next(one for one in _SPANS if span >= one[0])
    return (found - known[0]) / size, unit
