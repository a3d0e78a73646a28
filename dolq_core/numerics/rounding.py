"""Figures as far as they are known, so that no decision hangs on the last digit of a processor.

Two processors add the same numbers in another order and get another last digit. Where two choices are equally good,
that digit would choose. What is compared is therefore rounded first, and equals have a canonical order.
"""

from math import floor, isfinite, log10

import numpy as np

from dolq_core.arrays import Floats

DIGITS = 9
"""Digits to which a sum of squares is known whatever the order of its terms: half of a double's."""
CANCELLED = 1e-12
"""Of what a small remainder was taken off from, below which it is rounding: a double has 2e-16, times its rows."""
NATS = 0.01
"""To which a score is known: an inner parameter whose search has not quite ended moves it by less. One unit of it is
1 % of a likelihood, which nobody would decide by."""
LEAST_POWER, MOST_POWER = -330, 310
"""Of ten, between which all doubles lie."""
_UNITS = 10.0 ** (np.arange(LEAST_POWER, MOST_POWER) + 1.0 - DIGITS)
RATIO_DIGITS = 4
"""Digits to which the ratio of two errors is known."""


def nats(value: float) -> float:
    """Return a score in whole units of NATS; what is not finite stays."""
    return round(round(value / NATS) * NATS, 2) if isfinite(value) else value


def known_ratio(value: float) -> float:
    """Return a ratio of errors to RATIO_DIGITS; what is not finite stays."""
    return round(value, RATIO_DIGITS - 1 - floor(log10(abs(value)))) if isfinite(value) and value else value


def squares(values: Floats, whole: float) -> Floats:
    """Return sums of squares (n,) as far as they are known; whole: what they were taken off from."""
    least = CANCELLED * whole
    size = np.maximum(np.abs(values), least)
    with np.errstate(all="ignore"):
        power = np.floor(np.log10(size)).astype(np.int64)
        unit = _UNITS.take(power - LEAST_POWER, mode="clip")
        rounded = np.rint(values / unit) * unit
    return np.where(np.isfinite(values), np.maximum(rounded, least), values)
