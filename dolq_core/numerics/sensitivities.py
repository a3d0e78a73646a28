"""Where a law carries every sample of a path to the next, what is left there, and the slopes of it all.

All is vectorised over the samples and smooth in its arguments: no adaptive step decides anything.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.numerics.steps import Law, at_part, beside, carried
from dolq_core.numerics.stretches import Stretches

STEP = 1e-6
"""Relative step of the differences by states and numbers: integration here is smooth to rounding."""
STEPS_PER_SLOPE = 4
"""Steps of the states for one of their slopes."""

Rise: TypeAlias = tuple[Floats, Floats, Floats]
"""Rates (d, m) at one place of each step, and their slopes by state (d, d, m) and theta (d, p, m)."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Numbers theta (p,) and states x (n, d), and what is left there.

    along: (d, m) the states of the m samples that are followed by another one, and where they are carried at the end of
    each part of the way to it; to: (m, d) where that ends less the next state; chi2: sum of squares of the residuals;
    gaps: sum of the sizes of `to`, in standard deviations of the noise.
    """

    theta: Floats
    x: Floats
    along: list[Floats]
    to: Floats
    chi2: float
    gaps: float


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A place, and the slopes of the integration over each sample there: by state (m, d, d) and by theta (m, d, p)."""

    place: Place
    by_state: Floats
    by_theta: Floats


def place_of(data: Stretches, law: Law, theta: Floats, x: Floats) -> Place | None:
    """Return the place of numbers theta (p,) and states x (n, d); None where a sample is carried to nothing finite."""
    parts = _parts(data)
    along = [x[data.inside].T]
    for i in range(parts):
        along.append(carried(data, law, theta, along[-1], (i / parts, (i + 1) / parts)))
    if not np.isfinite(along[-1]).all():
        return None
    to = along[-1].T - x[data.inside + 1]
    left = residual(data, x)
    return Place(theta, x, along, to, float(np.nansum(left * left)), float(np.sum(np.abs(to / data.sigma))))


def _parts(data: Stretches) -> int:
    """Parts of the way from a sample to the next over which the slopes are integrated, which need not be as exact."""
    return max(1, data.steps // STEPS_PER_SLOPE)


def residual(data: Stretches, x: Floats) -> Floats:
    """Return the samples less the states (n, d), in standard deviations of their noise."""
    return (data.y - data.seen(x)) / data.sigma * data.counts


def look_at(data: Stretches, law: Law, place: Place | None) -> Look | None:
    """Return a place with its slopes; None where they are not finite, or nothing is."""
    if place is None:
        return None
    inside, along, d = data.inside, place.along, place.x.shape[1]
    moves = STEP * np.maximum(np.abs(place.x).max(axis=0), 1e-12)
    parts = len(along) - 1
    h = (data.t[inside + 1] - data.t[inside]) / parts

    def rise(at: Floats, share: float) -> Rise:
        t, inputs = at_part(data, inside, share)
        return law.slopes(beside(at, inputs), t, place.theta, moves)

    by_state, by_theta = np.zeros((d, d, len(inside))), np.zeros((d, len(place.theta), len(inside)))
    by_state[range(d), range(d)] = 1.0
    begin = rise(along[0], 0.0)
    for i, (now, after) in enumerate(pairwise(along)):
        end = rise(after, (i + 1) / parts)
        half = 0.5 * (now + after) + h / 8.0 * (begin[0] - end[0])
        own, others = _added(begin, rise(half, (i + 0.5) / parts), end, h)
        by_theta += others if not i else _product(own, by_theta) + others
        by_state += own if not i else _product(own, by_state)
        begin = end
    if not (np.isfinite(by_state).all() and np.isfinite(by_theta).all()):
        return None
    return Look(place, *(np.ascontiguousarray(slopes.transpose(2, 0, 1)) for slopes in (by_state, by_theta)))


def _added(begin: Rise, middle: Rise, end: Rise, h: Floats) -> tuple[Floats, Floats]:
    """Return what a step of length h (m,) adds to the identity (d, d, m) and to no slopes by theta (d, p, m).

    The four stages of Runge and Kutta for a linear equation with A, B at the begin, the middle and the end, multiplied
    out: what is added is h/6 (P B_begin + Q B_middle + B_end), and the same with A in the place of B.
    """
    m, e = h * middle[1], h * end[1]
    square, across = _product(m, m), _product(e, m)
    p = m + 0.5 * square + 0.25 * _product(across, m)
    q = m + e + 0.5 * across
    for k in range(len(m)):
        p[k, k] += 1.0
        q[k, k] += 4.0
    by_state, by_theta = (h / 6.0 * (_product(p, begin[k]) + _product(q, middle[k]) + end[k]) for k in (1, 2))
    return by_state, by_theta


def _product(maps: Floats, columns: Floats) -> Floats:
    """Return the products (d, q, m) of small matrices (d, k, m) and (k, q, m).

    Samples are the last axis: one product after the other would take ten times as long.
    """
    return np.asarray(np.einsum("jkm,kqm->jqm", maps, columns))
