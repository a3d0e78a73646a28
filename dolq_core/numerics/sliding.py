"""Laws that jump: followed on one side of each jump at a time, and along it where both sides drive towards it.

Dry friction holds a body that is at rest until the force is large enough. A solver that only sees the signs goes to and
fro across rest with steps as small as rounding. Here a step that crosses a jump ends there, with Dormand and Prince's
method; held at a jump, the law is the mean of both sides that stays on it.

Source: A. F. Filippov, Differential Equations with Discontinuous Righthand Sides, Kluwer 1988.
"""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Final, Protocol, runtime_checkable

import numpy as np
from scipy.optimize import brentq

from dolq_core.arrays import Floats
from dolq_core.numerics.pieces import first_step, next_step, tried

Slopes = Callable[[float, Sequence[float]], Sequence[float]]

AHEAD: Final = 1e-7
"""Share of the whole time over which the change of what jumps is looked at along the slopes."""
SHORTEST: Final = 1e-13
"""Share of it from which a step is none: the jumps come ever closer."""
PLACED: Final = 1e-15
"""Share of it to which the time of a jump is known."""


class Stuck(Exception):
    """Jumps that come ever closer, two that hold at once, or one that is nowhere, as the root of a negative number."""


@runtime_checkable
class Switching(Protocol):
    """A right-hand side that jumps: `gaps` of (t, x) change their sign there; `sided` is of (t, x and the signs)."""

    gaps: Slopes
    sided: Slopes

    def __call__(self, t: float, x: Sequence[float]) -> Sequence[float]:
        """Return the slopes of the states."""
        ...


class Side:
    """The law on the sides where it is now: a smooth right-hand side.

    Attributes:
        sides: per jump 1 or -1; held: the jump along which the law is followed, None where it is along none.
    """

    def __init__(self, law: Switching, span: float) -> None:
        self.law = law
        self.ahead = AHEAD * (span or 1.0)
        self.sides: list[float] = []
        self.held: int | None = None

    def __call__(self, t: float, x: Sequence[float]) -> Sequence[float]:
        """Return the slopes of the states."""
        if self.held is None:
            return self.law.sided(t, [*x, *self.sides])
        up, down = self._both(t, x, self.held)
        rise, fall = self._change(t, x, up, self.held), self._change(t, x, down, self.held)
        share = min(max(fall / (fall - rise), 0.0), 1.0) if fall != rise else 0.5
        return [share * u + (1.0 - share) * d for u, d in zip(up, down, strict=True)]

    def begin(self, t: float, x: Sequence[float]) -> None:
        """Look on which side of each jump a state is."""
        gaps = self.law.gaps(t, x)
        self.sides = [1.0 if gap >= 0.0 else -1.0 for gap in gaps]
        for k, gap in enumerate(gaps):
            if gap == 0.0:
                self.arrive(t, x, k)

    def arrive(self, t: float, x: Sequence[float], k: int) -> None:
        """Go on from a jump: across it, back, or along it."""
        rise, fall = self._drives(t, x, k)
        if self.held == k:
            self.held, self.sides[k] = None, 1.0 if fall > -rise else -1.0
        elif rise >= 0.0 or fall <= 0.0:
            self.sides[k] = 1.0 if rise > 0.0 or fall > 0.0 else -1.0
        elif self.held is None:
            self.held = k
        else:
            raise Stuck

    def left(self, t: float, x: Sequence[float]) -> tuple[float, int]:
        """Return how far a state is from leaving where it is (below 0 it has left), and the jump that it comes to."""
        gaps = self.law.gaps(t, x)
        free = [(side * gap, k) for k, (side, gap) in enumerate(zip(self.sides, gaps, strict=True)) if k != self.held]
        if self.held is not None:
            rise, fall = self._drives(t, x, self.held)
            free.append((min(-rise, fall), self.held))
        room = min(free)
        if not isfinite(room[0]):
            raise Stuck
        return room

    def _drives(self, t: float, x: Sequence[float], k: int) -> tuple[float, float]:
        """How fast the gap of a jump grows above it, and below it."""
        up, down = self._both(t, x, k)
        return self._change(t, x, up, k), self._change(t, x, down, k)

    def _both(self, t: float, x: Sequence[float], k: int) -> tuple[Sequence[float], Sequence[float]]:
        above, below = ([*self.sides[:k], side, *self.sides[k + 1 :]] for side in (1.0, -1.0))
        return self.law.sided(t, [*x, *above]), self.law.sided(t, [*x, *below])

    def _change(self, t: float, x: Sequence[float], slope: Sequence[float], k: int) -> float:
        moved = [v + self.ahead * s for v, s in zip(x, slope, strict=True)]
        return (self.law.gaps(t + self.ahead, moved)[k] - self.law.gaps(t, x)[k]) / self.ahead


def by_sides(
    side: Side, rhs: Callable[[float, Floats], Sequence[float]], start: Floats, t: Floats, rtol: float, atol: Floats
) -> Floats:
    """Return the states (n, d) at times t (n,); rhs is `side` under a guard, which may raise. Raises Stuck."""
    span, least = float(t[-1] - t[0]), atol.tolist()
    x: list[float] = start.tolist()
    found, now = [x], float(t[0])
    side.begin(now, x)
    slope = rhs(now, start)
    step = first_step(slope, start, rtol, atol, span)
    for end in t[1:].tolist():
        while now < end:
            ends = now + step >= end
            h = end - now if ends else step
            if h < SHORTEST * span and not ends:
                raise Stuck
            new, slopes, error = tried(rhs, now, x, slope, h, rtol, least)
            if error > 1.0:
                step = min(next_step(h, error), 0.9 * h)
                continue
            room, k = side.left(now + h, new)
            if room >= 0.0:
                now, x, slope = (end if ends else now + h), new, slopes
                step = max(step, next_step(h, error)) if ends else next_step(h, error)
                continue
            if side.left(now, x)[0] <= 0.0:  # it begins on a jump, perhaps a last digit beyond it
                step = 0.5 * h
                continue
            reached = _within(rhs, now, x, slope, rtol, least)
            h = _until(side, now, reached, h, span)
            now, x = now + h, reached(h)
            side.arrive(now, x, k)
            slope = rhs(now, np.array(x))
        found.append(x)
    return np.array(found)


def _within(
    rhs: Callable[[float, Floats], Sequence[float]],
    now: float,
    x: list[float],
    slope: Sequence[float],
    rtol: float,
    atol: list[float],
) -> Callable[[float], list[float]]:
    """The state after a part of a step, by its length."""
    return lambda part: tried(rhs, now, x, slope, part, rtol, atol)[0]


def _until(side: Side, now: float, reached: Callable[[float], list[float]], h: float, span: float) -> float:
    """The part of a step of length h after which it comes to a jump."""
    return float(brentq(lambda part: side.left(now + part, reached(part))[0], 0.0, h, xtol=PLACED * span))
