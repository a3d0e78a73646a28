"""The digits that numbers of a table were written with, told from the numbers alone."""

import numpy as np

from dolq_core.arrays import Floats

WHOLE = 1e-4
"""How far a difference of two values may be from a whole number of steps, in steps."""
DIGITS = 9
"""Digits from which numbers are not taken for rounded."""
FIRST = 50
"""Values that are looked at before all are."""


def last_digit(x: Floats, at: Floats | None = None) -> Floats:
    """Return the unit of the last digit of each value (n,), where all are written with as many digits; else zeros.

    Such numbers have no one step: 9.996 is followed by 10.00, and a curve that levels off there ends in steps of 0.01.
    at: (m,) values for which it is told instead, as they would be written.
    """
    asked, digits = x if at is None else at, written_digits(x)
    return 10.0 ** (_decades(asked) - digits + 1) if digits else np.zeros(len(asked))


def written_digits(x: Floats) -> int:
    """Return with how many digits all values (n,) are written; 0 where that is not seen."""
    sizes = _decades(x)
    for digits in range(1, DIGITS):
        first = x[:FIRST] * 10.0 ** (digits - 1 - sizes[:FIRST])
        if np.any(np.abs(first - np.rint(first)) > WHOLE):
            continue
        every: Floats = x * 10.0 ** (digits - 1 - sizes)
        if np.all(np.abs(every - np.rint(every)) <= WHOLE):
            return digits
    return 0


def _decades(x: Floats) -> Floats:
    return np.floor(np.log10(np.maximum(np.abs(x), 1e-300)))


def written_to(x: Floats) -> Floats:
    """Return the unit of the last place of each value (n,), written with so many digits or so many decimals; else 0."""
    places = (10.0**-place for place in range(DIGITS))
    step = next((unit for unit in places if np.all(np.abs(x / unit - np.rint(x / unit)) <= WHOLE)), 0.0)
    return np.maximum(last_digit(x), step)
