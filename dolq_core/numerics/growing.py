"""Noise that grows with the value, as that of many instruments does: by how much, and what samples count for then.

The variance of a sample is taken as constant^2 + (share * value)^2, the combined error model of pharmacokinetics (Beal
and Sheiner, CRC Crit. Rev. Biomed. Eng. 8, 195, 1982), of which noise of one size and noise in proportion are the ends.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from typing import Final

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.noise import Run, between_jumps, resolution, squared_differences, windows
from dolq_core.numerics.samples import CLEAN


@dataclass(frozen=True, slots=True)
class Growth:
    """How the noise of a state grows: its size is sqrt(constant^2 + (share * value)^2); share 0: it does not."""

    constant: float
    share: float


EVEN: Final = Growth(1.0, 0.0)

ORDERS: Final = (3, 4, 6, 8)
"""Orders of the differences of neighbours that are tried until they hold noise alone, where values are large."""
NOISE_ALONE: Final = 0.85
"""Of the size of a difference that one of two and of four orders more has, from which all are noise: of a curve, or of
peaks that few samples catch, less is left."""
FEWEST: Final = 30
"""Differences from which anything is said."""
GAIN: Final = 2.0
"""Nats, in each half of the samples, by which growing noise explains the differences better than even noise: no outlier
alone does, and chance in one of two thousand states (chi-squared of one number, in both halves)."""
LEAST_SHARE: Final = 1e-3
"""Of the value, from which noise is told to grow with it: what has four digits is rounded by less."""
MOST_SHARE: Final = 0.2
"""Up to which it is: more is no noise of a measurement, but peaks that few samples catch."""
LEAST_CONSTANT: Final = 0.01
"""Constant part, over the noise of a usual (root-mean-square) value, at least: no value near zero outweighs all."""
RATIOS: Final[Floats] = np.geomspace(1.0, LEAST_CONSTANT, 41)
"""What that is tried as."""
OF_STEPS: Final = 2.0
"""Times what rounding to the steps of the values adds (a step over the root of 12) up to which noise is rounding: more
steps lie between two samples where values change faster."""
BELOW_ZERO: Final = 4.0
"""Sizes of the noise by which values of one sign may lie beyond zero."""
BESIDE: Final = (-2, -1, 1, 2)
"""Neighbours whose median stands for a sample's value: with its own noise in it, samples that are low by chance would
count for more."""


def growths(runs: Sequence[Run], noise: Floats, *, known: bool = False) -> tuple[Growth, ...]:
    """Return for each state of the runs (t (n,), x (n, d)) how its noise, of size `noise` (d,), grows with its value.

    known: it is said to grow in proportion; then it does for every state of one sign.
    """
    return tuple(_growth([*between_jumps(runs, j)], float(size), known=known) for j, size in enumerate(noise))


def weights(x: Floats, growth: Sequence[Growth]) -> Floats:
    """Return (n, d) weights of the samples x (n, d) of a run, in order of time: one over their variances.

    They are relative to a sample in which the constant part alone acts; a missing one has weight 1.
    """
    found = np.ones_like(x)
    for j, one in enumerate(growth):
        if one.share > 0.0:
            value = np.where(np.isfinite(x[:, j]), _beside(x[:, j]), np.nan)
            weight = 1.0 / (1.0 + (one.share / one.constant * value) ** 2)
            found[:, j] = np.where(np.isfinite(weight), weight, 1.0)
    return found


def over_levels(runs: Sequence[Run], growth: Sequence[Growth], noise: Floats) -> Floats:
    """Return (d,) the root-mean-square noise of the samples over `noise` (d,); 1 where it does not grow.

    Differences of neighbours tell little of the ends of a run, where values may be the largest.
    """
    found = np.ones_like(noise)
    for j, one in enumerate(growth):
        if one.share > 0.0 and noise[j] > 0.0:
            values = np.concatenate([_beside(x[np.isfinite(x[:, j]), j]) for _, x in runs])
            found[j] = np.sqrt(one.constant**2 + one.share**2 * np.mean(values**2)) / noise[j]
    return found


def _beside(x: Floats) -> Floats:
    """What neighbours of each sample (n,) say of it: the median of those that were measured; its own value if none."""
    padded = np.pad(x, 2, constant_values=np.nan)
    beside = np.stack([padded[2 + k : len(padded) - 2 + k] for k in BESIDE])
    alone = ~np.isfinite(beside).any(axis=0)
    beside[:, alone] = np.nan_to_num(x[alone])
    return np.asarray(np.nanmedian(beside, axis=0), dtype=np.float64)


def _growth(series: Sequence[tuple[Floats, Floats]], noise: float, *, known: bool) -> Growth:
    values = np.concatenate([x for _, x in series])
    sign = np.sign(np.median(values)) if len(values) else 0.0
    if sign == 0.0 or float(np.min(values * sign)) < -BELOW_ZERO * noise:
        return EVEN
    usual = float(np.sqrt(np.mean(values**2)))
    least = max(CLEAN * float(np.std(values)), OF_STEPS * resolution(values) / sqrt(12.0))
    if noise <= least and not known:
        return EVEN
    found = next(_noise_alone(series), None)
    if found is None or not found[0].any():
        return Growth(LEAST_CONSTANT * noise, noise / usual) if known and noise > 0.0 else EVEN
    squares, levels, spread = found
    if known:
        share = float(np.sqrt(np.mean(squares / ((LEAST_CONSTANT * usual) ** 2 + levels**2))))
        return Growth(LEAST_CONSTANT * usual * share, share)
    return _most_likely(squares, levels / usual, spread, usual)


def _noise_alone(series: Sequence[tuple[Floats, Floats]]) -> Iterator[tuple[Floats, Floats, float]]:
    """Yield squares of differences that are noise, the median values there, and how many share what one tells."""
    for order in ORDERS:
        found = [_differences(series, order + more) for more in (0, 2, 4)]
        if len(found[-1][0]) < FEWEST:
            return
        usual = float(np.median(found[0][1]))
        over = [squares / (levels**2 + usual**2) for squares, levels in found]  # windows of other orders lie elsewhere
        large = [float(np.mean(own[levels >= usual])) for own, (_, levels) in zip(over, found, strict=True)]
        every = [float(np.mean(own)) for own in over]
        if all([min(own[1:]) >= NOISE_ALONE**2 * own[0] for own in (large, every)]):
            alike = [comb(2 * order, order + k) / comb(2 * order, order) for k in range(-order, order + 1)]
            yield *found[0], sum(one**2 for one in alike)


def _differences(series: Sequence[tuple[Floats, Floats]], order: int) -> tuple[Floats, Floats]:
    long = [(t, x) for t, x in series if len(t) > 2 * order]
    squares = [squared_differences(t, x, order) for t, x in long]
    levels = [np.median(np.abs(x[windows(len(t), order)]), axis=1) for t, x in long]
    return np.concatenate([np.empty(0), *squares]), np.concatenate([np.empty(0), *levels])


def _most_likely(squares: Floats, levels: Floats, spread: float, usual: float) -> Growth:
    """levels: over the usual value."""
    variances: Floats = np.add.outer(RATIOS**2, levels**2)
    best = int(np.argmax([_likelihood(squares, variances[k]) for k in range(len(variances))]))
    likely: Floats = variances[best]
    share = float(np.mean(squares / likely)) ** 0.5 / usual
    gained = [
        (_likelihood(squares[part], likely[part]) - _likelihood(squares[part], np.ones(len(part)))) / spread
        for part in _halves(len(squares))
    ]
    if min(gained) < GAIN or not LEAST_SHARE <= share <= MOST_SHARE:
        return EVEN
    return Growth(float(RATIOS[best]) * usual * share, share)


def _likelihood(squares: Floats, variances: Floats) -> float:
    """Log-likelihood of differences whose variances are these times one number, which is fitted; nats."""
    size = max(float(np.mean(squares / variances)), 1e-300)
    return -0.5 * float(np.sum(np.log(variances * size)))


def _halves(count: int) -> Iterator[Ints]:
    """Yield both halves of so many, each from two places."""
    quarters = np.array_split(np.arange(count), 4)
    yield from (np.concatenate(quarters[first::2]) for first in (0, 1))
