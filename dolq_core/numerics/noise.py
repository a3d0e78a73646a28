"""How noisy are the samples, and what is seen in steps: values that were rounded, and jumps between samples."""

from collections.abc import Iterator, Sequence
from math import comb, sqrt
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.derivative import is_uniform
from dolq_core.numerics.digits import WHOLE, last_digit

Run: TypeAlias = tuple[Floats, Floats]
"""(t (n,), x (n, d)); NaN where a cell is missing."""

LOWEST_ORDER = 3
HIGHEST_ORDER = 24
MOST_WINDOWS = 2000
FEWEST_WINDOWS = 0.25
"""Windows of an order, over those of the lowest, from which its level is believed: the least of levels from a handful,
which the longest of many short pieces leave, is chance (0.011 to 0.022 was told where it was 0.02)."""
EVEN = 1e-9
ROUNDING = 1e-13
"""Of the size of the samples: what is less is no noise but rounding, and hangs on how sums are made."""

LEAST = 50
"""Samples of a run from which anything is said: with fewer, large differences are usual and values few."""
SHARE = 0.9
"""Different values, as a share of the samples, up to which rounding is looked for."""
ROUNDED = 0.1
"""Of what rounding to the last digit adds, from which differences of samples say that they were rounded, as values that
come again do, and are not just numbers with few digits, as a ramp of 0.1 a step is."""
SIDE = 6
"""Samples on each side of a jump that tell its size from an outlier's."""
FAR = 10.0
"""Times the median difference beside it that a jump is: of white noise one in 1e10 is so far from zero."""
ALONE = 3.0
"""Times the differences next to it that a jump is: what is fast and smooth takes more than one sample."""
KEPT = 0.6
"""Share of a jump by which the medians of both sides differ."""
BEND = 4
"""Order of the differences that a jump of the slope stands out of, and how many of them it reaches."""
SHARP, ASIDE = 20.0, 0.05
"""Times the median of such differences beside it that a jump of the slope makes (dry friction on 420 clean samples: 20
to 97), and what is left of it further away: a narrow peak that few samples catch is wider."""


def noise_levels(runs: Sequence[Run], bends: Sequence[Ints] = ()) -> Floats:
    """Return (d,) standard deviations of the white noise on each state; 0 where there are too few samples.

    A difference of order p removes the smooth part and keeps the noise; the least value over the orders 3 to
    24 is taken, because what is left of the signal only ever adds. Divided differences with unit weights, so
    irregular times are as good as regular ones. Where samples were rounded, it is at least what rounding adds: where a
    state changes slowly, neighbours are rounded alike, and their differences tell less.

    bends: per run the samples after which the slopes of the states jump, as an input is switched: no smooth part goes
    across them.
    """
    d = runs[0][1].shape[1]
    own = np.array([_noise_level([*between_jumps(runs, j, bends)]) for j in range(d)])
    whole = np.concatenate([x for _, x in runs])
    return np.array([max(noise, rounding(column, noise)) for noise, column in zip(own.tolist(), whole.T, strict=True)])


def between_jumps(runs: Sequence[Run], j: int, bends: Sequence[Ints] = ()) -> Iterator[tuple[Floats, Floats]]:
    """Yield the series (t, x) of state j, cut where it jumps or its slope does: neither is noise."""
    for k, (t, x) in enumerate(runs):
        seen_t, seen = _observed(t, x[:, j])
        cuts = jumps(seen) + 1
        if bends:
            cuts = np.union1d(cuts, np.searchsorted(seen_t, t[bends[k]], side="right"))
        yield from zip(np.split(seen_t, cuts), np.split(seen, cuts), strict=True)


def _observed(t: Floats, x: Floats) -> tuple[Floats, Floats]:
    seen = np.isfinite(x)
    return t[seen], x[seen]


def _noise_level(series: Sequence[tuple[Floats, Floats]]) -> float:
    longest = max(len(t) for t, _ in series)
    squares = [
        [squared_differences(t, x, order) for t, x in series if len(t) > 2 * order]
        for order in range(LOWEST_ORDER, min(HIGHEST_ORDER, longest // 3) + 1)
    ]
    found = [np.concatenate(own) for own in squares if own]
    if not found:
        return 0.0
    levels = [float(np.sqrt(np.mean(own))) for own in found if len(own) >= FEWEST_WINDOWS * len(found[0])]
    return max(min(levels), ROUNDING * max(float(np.max(np.abs(x))) for _, x in series if len(x)))


def windows(samples: int, order: int) -> Ints:
    """Return (m, order + 1) places of neighbours among so many samples, at most MOST_WINDOWS of them."""
    count = samples - order
    first = np.unique(np.linspace(0, count - 1, min(count, MOST_WINDOWS)).astype(np.int64))
    return first[:, None] + np.arange(order + 1)


def squared_differences(t: Floats, x: Floats, order: int) -> Floats:
    """Return the squares (m,) of the unit-weight divided differences in `windows` of t and x (n,)."""
    window = windows(len(t), order)
    if is_uniform(t, EVEN):  # the weights are those of a binomial
        own = np.array([comb(order, k) * (-1.0) ** k for k in range(order + 1)])
        return np.asarray((x[window] @ (own / np.linalg.norm(own))) ** 2, dtype=np.float64)
    times = t[window]
    scaled = 4.0 * (times - times[:, :1]) / (times[:, -1:] - times[:, :1])  # 4: the capacity of an interval of 4 is 1
    gaps = scaled[:, :, None] - scaled[:, None, :] + np.eye(order + 1)
    weights = 1.0 / np.prod(gaps, axis=2)
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    return np.asarray(np.sum(weights * x[window], axis=1) ** 2, dtype=np.float64)


# --- steps ------------------------------------------------------------------------------------------


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


def rounding(values: Floats, differences: float) -> float:
    """Return the standard deviation that rounding adds to values (n,): a step over the square root of 12; 0 without.

    differences: what differences of neighbours say of the noise.
    """
    seen = values[np.isfinite(values)]
    step = resolution(seen)
    digits = float(np.sqrt(np.mean(steps_at(seen, seen) ** 2))) if len(seen) else 0.0
    is_seen = differences >= ROUNDED * digits / sqrt(12.0) or 2 <= levels(seen) <= SHARE * len(seen)
    return max(step, digits if is_seen else 0.0) / sqrt(12.0)


def steps_at(values: Floats, at: Floats) -> Floats:
    """Return the steps (m,) in which values like `at` (m,) are written where `values` (n,) are; 0 where none show."""
    seen = values[np.isfinite(values)]
    if len(seen) < LEAST:
        return np.zeros(len(at))
    return np.maximum(last_digit(seen, at), resolution(seen))


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


def bends(t: Floats, x: Floats) -> Ints:
    """Return the samples next to which a slope of states (n, d), even and complete, jumps, as where friction turns."""
    found = [np.zeros(0, dtype=np.int64)]
    if len(t) >= LEAST and is_uniform(t, EVEN) and np.isfinite(x).all():
        for differences in np.abs(np.diff(x, BEND, axis=0)).T:
            window = np.lib.stride_tricks.sliding_window_view(
                np.pad(differences, 2 * SIDE, mode="reflect"), 4 * SIDE + 1
            )
            for k in np.flatnonzero(differences > SHARP * np.median(window, axis=1)).tolist():
                near = differences[max(0, k - 2 * BEND) : k + 2 * BEND + 1]
                reached = np.flatnonzero(near > ASIDE * near.max())
                if reached[-1] - reached[0] <= BEND:
                    found.append(k + BEND // 2 + np.arange(-2, 2))
    return np.unique(np.clip(np.concatenate(found), 0, len(t) - 2))


def _is_alone(apart: Floats, i: int) -> bool:
    beside = np.concatenate((apart[i - 2 : i], apart[i + 1 : i + 3]))
    return bool(apart[i] > ALONE * beside.max())


def _stays(x: Floats, i: int) -> bool:
    before, after = x[max(0, i + 1 - SIDE) : i + 1], x[i + 1 : i + 1 + SIDE]
    return abs(float(np.median(after) - np.median(before))) > KEPT * abs(float(x[i + 1] - x[i]))
