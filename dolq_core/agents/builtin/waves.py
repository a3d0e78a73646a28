"""Rhythms in time whose phase is free: of each frequency both phases count together.

Beside what follows a drive a sine of the right frequency and the wrong phase explains less than one of another
frequency, and so does one of the right phase between two frequencies that are far apart: the fit then stays in the
wrong valley.
"""

from collections.abc import Sequence
from math import atan2, pi

import numpy as np

from dolq_core.arrays import Floats

WAVE = "sin(params[0] + params[1]*t)"
"""The form of such a term, with what it modulates."""
FINER = 2
"""Frequencies for each quarter of a turn of the run: the true one is at most a sixteenth of a turn away."""
SAME = 1e-12
"""Share of the area of both phases outside the other columns from which they tell nothing beyond rounding: a state that
follows a drive imitates it to a thousandth."""


def waves(starts: Sequence[tuple[float, ...]]) -> Floats:
    """Return (phase, frequency) (2 n, 2) to try: both phases of each of n frequencies, up to the highest start's.

    The lowest start is a quarter of a turn of the run.
    """
    lowest, highest = min(w for _, w in starts), max(w for _, w in starts)
    turns = lowest / FINER * np.arange(1.0, FINER * highest / lowest + 0.5)
    return np.column_stack((np.repeat((0.0, pi / 2.0), len(turns)), np.tile(turns, 2)))


def best_wave(columns: Floats, starts: Floats, q: Floats, b: Floats) -> tuple[float, ...]:
    """Return the phase and frequency of the wave that explains most of b (M,) beside others; empty where none does.

    columns: (2 n, M) of `starts` as `waves` has them; q: (M, k) orthonormal, what is there besides.
    """
    half = len(starts) // 2
    with np.errstate(all="ignore"):
        size = np.sum(columns**2, axis=1)
        beyond = columns - (columns @ q) @ q.T
        s, c = beyond[:half], beyond[half:]
        ss, cc, sc, sb, cb = np.sum(s * s, 1), np.sum(c * c, 1), np.sum(s * c, 1), s @ b, c @ b
        own = ss * cc - sc**2
        along, across = (cc * sb - sc * cb) / own, (ss * cb - sc * sb) / own
        gain = np.where(own > SAME * size[:half] * size[half:], along * sb + across * cb, 0.0)
    k = int(np.nanargmax([0.0, *gain])) - 1
    return (atan2(across[k], along[k]), float(starts[k, 1])) if k >= 0 else ()
