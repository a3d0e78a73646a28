"""How noisy are the samples: white noise per state from differences of high order."""

from collections.abc import Iterator, Sequence
from math import comb
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.numerics.steps import jumps, rounding_noise

Run: TypeAlias = tuple[Floats, Floats]
"""(t (n,), x (n, d)); NaN where a cell is missing."""

LOWEST_ORDER = 3
HIGHEST_ORDER = 24
MOST_WINDOWS = 2000
EVEN = 1e-9
ROUNDING = 1e-13
"""Of the size of the samples: what is less is no noise but rounding, and hangs on how sums are made."""


def noise_levels(runs: Sequence[Run]) -> Floats:
    """Return (d,) standard deviations of the white noise on each state; 0 where there are too few samples.

    A difference of order p removes the smooth part and keeps the noise; the least value over the orders 3 to
    24 is taken, because what is left of the signal only ever adds. Divided differences with unit weights, so
    irregular times are as good as regular ones. Where samples were rounded, it is at least what rounding adds.
    """
    d = runs[0][1].shape[1]
    own = np.array([_noise_level([*_between_jumps(runs, j)]) for j in range(d)])
    return np.maximum(own, rounding_noise([x for _, x in runs]))


def _between_jumps(runs: Sequence[Run], j: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield the series of a state, cut where it jumps: a jump is no noise."""
    for t, x in runs:
        seen_t, seen = _observed(t, x[:, j])
        cuts = jumps(seen) + 1
        yield from zip(np.split(seen_t, cuts), np.split(seen, cuts), strict=True)


def _observed(t: Floats, x: Floats) -> tuple[Floats, Floats]:
    seen = np.isfinite(x)
    return t[seen], x[seen]


def _noise_level(series: Sequence[tuple[Floats, Floats]]) -> float:
    longest = max(len(t) for t, _ in series)
    levels: list[float] = []
    for order in range(LOWEST_ORDER, min(HIGHEST_ORDER, longest // 3) + 1):
        squares = [_squared_differences(t, x, order) for t, x in series if len(t) > 2 * order]
        if squares:
            levels.append(float(np.sqrt(np.mean(np.concatenate(squares)))))
    if not levels:
        return 0.0
    return max(min(levels), ROUNDING * max(float(np.max(np.abs(x))) for _, x in series if len(x)))


def _squared_differences(t: Floats, x: Floats, order: int) -> Floats:
    """Squares of the unit-weight divided differences over `order + 1` neighbours, at most MOST_WINDOWS of them."""
    count = len(t) - order
    first = np.unique(np.linspace(0, count - 1, min(count, MOST_WINDOWS)).astype(np.int64))
    window = first[:, None] + np.arange(order + 1)
    if _is_even(t):
        own = np.array([comb(order, k) * (-1.0) ** k for k in range(order + 1)])
        return np.asarray((x[window] @ (own / np.linalg.norm(own))) ** 2, dtype=np.float64)
    times = t[window]
    scaled = 4.0 * (times - times[:, :1]) / (times[:, -1:] - times[:, :1])  # 4: the capacity of an interval of 4 is 1
    gaps = scaled[:, :, None] - scaled[:, None, :] + np.eye(order + 1)
    weights = 1.0 / np.prod(gaps, axis=2)
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    return np.asarray(np.sum(weights * x[window], axis=1) ** 2, dtype=np.float64)


def _is_even(t: Floats) -> bool:
    """Whether all steps are equal up to rounding: the weights are then those of a binomial."""
    steps = np.diff(t)
    return bool(np.ptp(steps) <= EVEN * float(np.mean(steps)))
