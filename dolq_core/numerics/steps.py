"""What is seen in steps: values that were rounded, and jumps from one sample to the next."""

from collections.abc import Sequence
from math import sqrt

import numpy as np

from dolq_core.arrays import Floats, Ints

LEAST = 50
"""Samples of a run from which anything is said: with fewer, large differences are usual and values few."""
SHARE = 0.9
"""Different values, as a share of the samples, up to which rounding is looked for."""
WHOLE = 1e-4
"""How far a difference of two values may be from a whole number of steps, in steps."""
SIDE = 6
"""Samples on each side of a jump that tell its size from an outlier's."""
FAR = 10.0
"""Times the median difference beside it that a jump is: of white noise one in 1e10 is so far from zero."""
ALONE = 3.0
"""Times the differences next to it that a jump is: what is fast and smooth takes more than one sample."""
KEPT = 0.6
"""Share of a jump by which the medians of both sides differ."""


def resolution(values: Floats) -> float:
    """Return the step in which values (n,) were written: all are whole numbers of it apart; 0 where none shows.

    Few different values are what it is told by: numbers of six digits are all different in a thousand samples.
    """
    seen = values[np.isfinite(values)]
    levels = np.unique(seen)
    if len(seen) < LEAST or not 2 <= len(levels) <= SHARE * len(seen):
        return 0.0
    gaps = np.diff(levels)
    gaps = gaps[gaps > 1e-9 * float(levels[-1] - levels[0])]  # rounded products differ in their last bits
    if not len(gaps):
        return 0.0
    times: Floats = gaps / gaps.min()
    whole = np.rint(times)
    return float(gaps.sum() / whole.sum()) if np.all(np.abs(times - whole) <= WHOLE * whole) else 0.0


def levels(values: Floats) -> int:
    """Return how many different values there are, those that differ by rounding of a double counted as one."""
    ranked = np.unique(values[np.isfinite(values)])
    return 1 + int(np.sum(np.diff(ranked) > 1e-9 * float(np.ptp(ranked)))) if len(ranked) else 0


def rounding_noise(runs: Sequence[Floats]) -> Floats:
    """Return (d,) the standard deviation that rounding adds to the states of runs (n, d): a step over sqrt(12)."""
    return np.array([resolution(column) for column in np.concatenate([*runs]).T]) / sqrt(12.0)


def jumps(x: Floats) -> Ints:
    """Return the places i of a series (n,) between which and i + 1 it jumps, by much more than beside them.

    The values must stay apart for SIDE samples, so that an outlier is none; one step of rounding is none either.
    """
    n = len(x)
    apart = np.abs(np.diff(x))
    if n < LEAST or not np.isfinite(x).all():
        return np.zeros(0, dtype=np.int64)
    window = np.lib.stride_tricks.sliding_window_view(np.pad(apart, 2 * SIDE, mode="reflect"), 4 * SIDE + 1)
    usual = np.median(window, axis=1)
    least = max(1.5 * resolution(x), 1e-6 * float(np.ptp(x)))
    found = np.flatnonzero(apart > np.maximum(FAR * usual, least))
    kept = [i for i in found.tolist() if SIDE // 2 <= i < n - 1 - SIDE // 2 and _stays(x, i) and _is_alone(apart, i)]
    return np.array(kept, dtype=np.int64)


def _is_alone(apart: Floats, i: int) -> bool:
    beside = np.concatenate((apart[i - 2 : i], apart[i + 1 : i + 3]))
    return bool(apart[i] > ALONE * beside.max())


def _stays(x: Floats, i: int) -> bool:
    before, after = x[max(0, i + 1 - SIDE) : i + 1], x[i + 1 : i + 1 + SIDE]
    return abs(float(np.median(after) - np.median(before))) > KEPT * abs(float(x[i + 1] - x[i]))
