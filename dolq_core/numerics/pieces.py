"""Systems with known inputs: smooth only from one knot of the inputs to the next.

A solver that does not know where the kinks are shrinks its steps at every one of them. Here the steps end there:
Dormand and Prince's method of order 5 with an error of order 4 (J. Comp. Appl. Math. 6, 19, 1980).
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Final

import numpy as np

from dolq_core.arrays import Floats

_NODES: Final = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_STAGES: Final = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_ERROR: Final = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
SAFETY, SHRINK, GROW = 0.9, 0.2, 5.0


class Driven:
    """A right-hand side with known inputs: `rhs` of (t, states and inputs), which are linear between their samples.

    times: (n,) of the samples; inputs: (n, u). Before the first and after the last they keep their value.
    """

    def __init__(self, rhs: Callable[[float, Sequence[float]], Sequence[float]], times: Floats, inputs: Floats) -> None:
        self.rhs = rhs
        self.knots: list[float] = times.tolist()
        self._levels: list[list[float]] = inputs.tolist()

    def __call__(self, t: float, x: Sequence[float]) -> Sequence[float]:
        """Return the slopes of the states."""
        return self.rhs(t, [*x, *self.inputs(t)])

    def inputs(self, t: float) -> list[float]:
        """Return the inputs (u,) at a time."""
        i = bisect_right(self.knots, t)
        if i == 0 or i == len(self.knots):
            return self._levels[max(i - 1, 0)]
        first = self.knots[i - 1]
        share = (t - first) / (self.knots[i] - first)
        return [a + share * (b - a) for a, b in zip(self._levels[i - 1], self._levels[i], strict=True)]


def by_pieces(
    rhs: Callable[[float, Floats], Sequence[float]],
    start: Floats,
    t: Floats,
    knots: Sequence[float],
    rtol: float,
    atol: Floats,
) -> Floats:
    """Return the states (n, d) at the times t (n,), with steps that end there and at the knots, which lie between.

    Ends only when rhs raises.
    """
    ends: list[float] = np.union1d(t, np.array(knots)).tolist()
    least: list[float] = atol.tolist()
    wanted = set(t.tolist())
    x: list[float] = start.tolist()
    found = [x]
    step = first_step(rhs(ends[0], start), start, rtol, atol, ends[-1] - ends[0])
    for first, last in zip(ends[:-1], ends[1:], strict=True):
        x, step = _piece(rhs, x, first, last, min(step, last - first), rtol, least)
        if last in wanted:
            found.append(x)
    return np.array(found)


def first_step(slope: Sequence[float], x: Floats, rtol: float, atol: Floats, span: float) -> float:
    """A hundredth of the time in which the state changes by its size (Hairer, Norsett and Wanner, II.4)."""
    scale = atol + rtol * np.abs(x)
    size, speed = (float(np.sqrt(np.mean((np.array(v) / scale) ** 2))) for v in (x, slope))
    return min(0.01 * size / speed, span) if size > 1e-5 and speed > 1e-5 else 1e-6 * span


def _piece(
    rhs: Callable[[float, Floats], Sequence[float]],
    x: list[float],
    first: float,
    last: float,
    step: float,
    rtol: float,
    atol: list[float],
) -> tuple[list[float], float]:
    """Follow the system over one smooth piece; return the state at its end and a step to go on with."""
    now = first
    slope = rhs(now, np.array(x))
    while True:
        ends = now + step >= last
        h = last - now if ends else step
        new, slopes, error = tried(rhs, now, x, slope, h, rtol, atol)
        further = next_step(h, error)
        if error > 1.0:
            step = min(further, h)
            continue
        if ends:
            return new, max(step, further)
        now, x, slope, step = now + h, new, slopes, further


def tried(
    rhs: Callable[[float, Floats], Sequence[float]],
    now: float,
    x: list[float],
    slope: Sequence[float],
    h: float,
    rtol: float,
    atol: list[float],
) -> tuple[list[float], Sequence[float], float]:
    """Return the state after one step of length h, the slopes there, and the error over what is allowed."""
    slopes: list[Sequence[float]] = [slope]
    point = x
    for node, factors in zip(_NODES, _STAGES, strict=True):
        point = [v + h * sum(f * k[i] for f, k in zip(factors, slopes, strict=True)) for i, v in enumerate(x)]
        slopes.append(rhs(now + node * h, np.array(point)))
    wrong = [h * sum(e * k[i] for e, k in zip(_ERROR, slopes, strict=True)) for i in range(len(x))]
    scale = [a + rtol * max(abs(u), abs(v)) for a, u, v in zip(atol, x, point, strict=True)]
    return point, slopes[-1], sqrt(sum((w / s) ** 2 for w, s in zip(wrong, scale, strict=True)) / len(x))


def next_step(h: float, error: float) -> float:
    """Return the length of the next step."""
    return h * (GROW if error == 0.0 else min(GROW, max(SHRINK, SAFETY * error**-0.2)))
