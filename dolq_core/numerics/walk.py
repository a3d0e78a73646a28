"""What a random walk makes of samples, and one whose speed walks: where a law explains them no better, it says nothing.

Both are seen through noise, as states of a Kalman filter, with their variances fitted (Durbin & Koopman, Time Series
Analysis by State Space Methods, 2012, chapters 2 and 3: the local level model, and the smooth trend, whose best path
is a cubic spline).
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.numerics.stretches import Stretches

RATIOS: Floats = np.geomspace(1e-6, 1e8, 57)
"""Variances that a walk gains between two samples, in those of the noise: the likelihood is flat between neighbours."""
UNKNOWN = 1e7
"""Variance of a first speed, in those of the noise and of the walk."""

Ahead: TypeAlias = tuple[Floats, Floats, Floats]
"""Innovation, its variance, and the variance of the noise in it, by ratio."""


def misfits_of_walks(data: Stretches) -> tuple[Floats, Floats]:
    """Return (d,) what a random walk, and one whose speed walks, leave of the samples, in standard deviations of noise.

    The root mean square that a law would leave which explains them as well; inf where too few samples tell.
    """
    return _misfit(data, _level, 1), _misfit(data, _trend, 2)


def _misfit(data: Stretches, filtered: Callable[[Floats, Floats, Floats], list[Ahead]], unknown: int) -> Floats:
    weights = np.broadcast_to(np.asarray(data.counts, dtype=np.float64), data.y.shape)
    steps = np.diff(data.t)[data.inside]
    usual = float(np.median(steps)) if len(steps) else 1.0
    found = np.full(data.y.shape[1], np.inf)
    for k, own in enumerate(data.y.T):
        told: list[Ahead] = []
        for i, j in data.spans:
            seen = i + np.flatnonzero(np.isfinite(own[i:j]))
            if len(seen) > unknown:
                told += filtered(own[seen], np.diff(data.t[seen]) / usual, weights[seen, k] ** -2.0)[unknown - 1 :]
        if told:
            missed, total, noise = (np.array(part) for part in zip(*told, strict=True))
            left = np.mean(missed**2 / total, axis=0) * np.exp(np.mean(np.log(total / noise), axis=0))
            found[k] = float(np.sqrt(np.min(left))) / data.sigma[k]
    return found


def _level(y: Floats, gaps: Floats, noise: Floats) -> list[Ahead]:
    """Filter samples (n,) that lie `gaps` (n - 1,) apart, whose noise has these variances (n,): the second one on."""
    level, variance = np.full(len(RATIOS), y[0]), np.full(len(RATIOS), noise[0])
    told: list[Ahead] = []
    for value, gap, own in zip(y[1:].tolist(), gaps.tolist(), noise[1:].tolist(), strict=True):
        ahead = variance + RATIOS * gap
        total = ahead + own
        missed = value - level
        level, variance = level + ahead / total * missed, ahead * own / total
        told.append((missed, total, np.full(len(RATIOS), own)))
    return told


def _trend(y: Floats, gaps: Floats, noise: Floats) -> list[Ahead]:
    """Do the same for a walk of the speed, which is not known at first."""
    level, speed = np.full(len(RATIOS), y[0]), np.zeros(len(RATIOS))
    a, b, c = np.full(len(RATIOS), noise[0]), np.zeros(len(RATIOS)), UNKNOWN * (noise[0] + RATIOS)
    told: list[Ahead] = []
    for value, gap, own in zip(y[1:].tolist(), gaps.tolist(), noise[1:].tolist(), strict=True):
        a = a + 2.0 * gap * b + gap**2 * c + RATIOS * gap**3 / 3.0
        b = b + gap * c + RATIOS * gap**2 / 2.0
        c = c + RATIOS * gap
        level = level + gap * speed
        total, missed = a + own, value - level
        level, speed = level + a / total * missed, speed + b / total * missed
        a, b, c = a * own / total, b * own / total, c - b**2 / total
        told.append((missed, total, np.full(len(RATIOS), own)))
    return told
