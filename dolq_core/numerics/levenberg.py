"""Levenberg-Marquardt for a handful of parameters, by one singular value decomposition per step.

The steps, their region of trust and the tests of convergence are those of MINPACK's `lmder`. What differs: residual
and slopes come from one look, in coordinates that may change from look to look; and near an exact fit the last step
is taken without a look.

Source: J. More, The Levenberg-Marquardt algorithm: implementation and theory, Lecture Notes in Mathematics 630 (1978).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any, cast

import numpy as np
from scipy.linalg import lapack

from dolq_core import clock
from dolq_core.arrays import Floats

Look = Callable[[Floats], tuple[Floats, Floats]]
"""v (p,) -> residual (m,) and its slopes (p, m)."""

_dgesdd = cast(Callable[..., tuple[Any, ...]], lapack.dgesdd)

REACH = 100.0
"""First region of trust, over the length of the start."""
STILL = 1e-12
"""Region of trust over the length of v at which a search ends."""
RANK = 1e-13
"""Singular value over the largest, below which a direction is not moved along."""


@dataclass(frozen=True, slots=True)
class Stop:
    """When a search ends.

    Attributes:
        looks: at most so many.
        settled: relative change of the squared residual.
        rounding: squared residual at which nothing but rounding is left.
        unseen: squared residual from which the last step, one that promises `rounding`, is taken without a look.
    """

    looks: int
    settled: float
    rounding: float = 0.0
    unseen: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Descent:
    """Where a search ended: v (p,), its squared residual, and how many looks it took."""

    v: Floats
    square: float
    looks: int


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A point, its squared residual, and its slopes over `scale` taken apart: pull (r,) is what they explain of it."""

    v: Floats
    square: float
    scale: Floats
    stretch: Floats
    turn: Floats
    pull: Floats

    def step(self, damping: float) -> tuple[Floats, Floats]:
        """Return the step (p,), in units of the scale, and what it changes of pull (r,), were the residual linear."""
        along = self.stretch * self.pull / (self.stretch * self.stretch + damping)
        return -along @ self.turn, self.stretch * along


def descend(look: Look, start: Floats, stop: Stop) -> Descent:
    """Minimise the squared residual from `start` (p,)."""
    place = _place(start, look(start), np.zeros(len(start)))
    looks, trust = 1, REACH * (_length(place.scale * start) or 1.0)
    while place.square > stop.rounding and looks < stop.looks:
        clock.check()
        step, change, damping = _within(place, trust)
        there, length, bend = place.v + step / place.scale, _length(step), float(change @ change)
        if damping == 0.0 and place.square <= stop.unseen and place.square - bend <= stop.rounding:
            return Descent(there, max(place.square - bend, 0.0), looks)
        seen = look(there)
        new = float(seen[0] @ seen[0]) / place.square
        gain = 1.0 - new if new < 100.0 else -1.0
        bend, damped = bend / place.square, damping * length * length / place.square
        promise = bend + 2.0 * damped
        trust = min(trust, length) if looks == 1 else trust
        looks += 1
        if gain <= 0.25 * promise:
            trust = _cut(gain, bend + damped, new) * min(trust, 10.0 * length)
        elif damping == 0.0 or gain >= 0.75 * promise:
            trust = 2.0 * length
        if gain >= 1e-4 * promise > 0.0:
            place = _place(there, seen, place.scale)
        settled = abs(gain) <= stop.settled and promise <= stop.settled and gain <= 2.0 * promise
        if settled or trust <= STILL * _length(place.scale * place.v):
            break
    return Descent(place.v, place.square, looks)


def _place(v: Floats, seen: tuple[Floats, Floats], scale: Floats) -> _Place:
    residual, slopes = seen
    scale = np.maximum(scale, np.sqrt((slopes * slopes).sum(axis=1)))
    if not scale.all():
        scale = np.where(scale > 0.0, scale, 1.0)
    turn, stretch, across, _ = _dgesdd(slopes / scale[:, None], full_matrices=0)
    if stretch[-1] <= RANK * stretch[0]:
        kept = int((stretch > RANK * stretch[0]).sum())
        turn, stretch, across = turn[:, :kept], stretch[:kept], across[:kept]
    return _Place(v, float(residual @ residual), scale, stretch, turn.T, across @ residual)


def _within(place: _Place, trust: float) -> tuple[Floats, Floats, float]:
    """Return the step of about the length `trust`, its change, and its damping: 0 where the whole step is as short."""
    damping, (step, change) = 0.0, place.step(0.0)
    length = _length(step)
    for _ in range(10):
        if length <= 1.1 * trust:
            break
        squares = np.square(place.stretch)
        slope = float((squares * np.square(place.pull) / (squares + damping) ** 3).sum()) / length
        damping += (length - trust) / slope * length / trust
        step, change = place.step(damping)
        length = _length(step)
    return step, change, damping


def _cut(gain: float, falling: float, ratio: float) -> float:
    """Return the part of the region of trust that is left after a step that kept a quarter of its promise or less.

    falling: how steeply the square began to fall along the step; ratio: the new square over the old one.
    """
    part = 0.5 if gain >= 0.0 else 0.5 * falling / (falling - 0.5 * gain)
    return 0.1 if ratio >= 100.0 or part < 0.1 else part


def _length(v: Floats) -> float:
    return sqrt(float(v @ v))
