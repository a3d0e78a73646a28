"""Dates and clocks to seconds: ISO dates, 2020/01/31, 31.01.2020, and hours as 10:00:05.

Dates with slashes that end in the year are not read: 1/2/2020 is January in one country and February in another.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from dolq_core.arrays import Floats

_CLOCK: Final = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?P<part>[.,]\d+)?)?"
_ZONE: Final = r"\s*(?P<zone>Z|UTC|[+-]\d{2}:?\d{2})?"
_DATES: Final = (
    re.compile(rf"(?P<year>\d{{4}})([-/])(?P<month>\d{{1,2}})\2(?P<day>\d{{1,2}})(?:[T ]+{_CLOCK}{_ZONE})?", re.ASCII),
    re.compile(rf"(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.(?P<year>\d{{4}})(?:[T ,]+{_CLOCK}{_ZONE})?", re.ASCII),
)
_ELAPSED: Final = re.compile(r"(\d+):([0-5]\d):([0-5]\d(?:[.,]\d+)?)", re.ASCII)
_SPANS: Final = ((3 * 86400.0, "day", 86400.0), (3 * 3600.0, "h", 3600.0), (600.0, "min", 60.0), (0.0, "s", 1.0))
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = re.compile(r"\d+[-/.]\d+[-/.]\d+")


def is_moment(cell: str) -> bool:
    """Whether a cell is a date or a clock that can be read in one way only."""
    return cell[:1].isdigit() and seconds(cell) is not None


def seconds(cell: str) -> float | None:
    """Return seconds since 1970, or since midnight for a clock alone; None when it is neither."""
    elapsed = _ELAPSED.fullmatch(cell)
    if elapsed:
        return int(elapsed[1]) * 3600.0 + int(elapsed[2]) * 60.0 + float(elapsed[3].replace(",", "."))
    found = next((match for match in (form.fullmatch(cell) for form in _DATES) if match), None)
    return None if found is None else _moment(found.groupdict())


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
    found = np.array([np.nan if value is None else value for value in map(seconds, cells)])
    known = found[~np.isnan(found)]
    span = float(known.max() - known.min())
    days = all(_DAY.fullmatch(cell) for cell, value in zip(cells, found.tolist(), strict=True) if value == value)
    _, unit, size = _SPANS[0] if days else next(one for one in _SPANS if span >= one[0])
    return (found - known[0]) / size, unit
