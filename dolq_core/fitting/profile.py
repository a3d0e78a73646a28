"""How well one number of a law is told: the misfit of whole runs with it held, all others and the starts fitted again.

The noise of each state is Gaussian and white, of a size that is fitted as well, so that half the log of the mean
square counts per sample, as in `fitting.likelihood`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting.trajectories import Trajectories, coefficients, with_coefficients
from dolq_core.numerics.shooting import Shot
from dolq_core.records import EquationFit

LIMIT = 1.92
"""Nats below the best up to which 95 % of true values lie: half the 95 % point of chi squared with one degree."""
ENOUGH = 2.0 * LIMIT
"""Nats at which a side is followed no further."""
STEP, FALLBACK = 0.5, 0.05
"""First step, in standard errors; as a share of the number where there is no error."""
EVEN, MOST = 6, 12
"""Steps on a side that are even, after which each is half as long again; and steps in all."""


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """A number held at values (k,), rising, and the nats (k,) that are lost with it there.

    low, high: where LIMIT is crossed; None on a side where the data never speak against the number as far as it was
    followed.
    """

    values: Floats
    nats: Floats
    low: float | None
    high: float | None


def profile(runs: Trajectories, fits: Sequence[EquationFit], place: int, error: float | None) -> Profile | None:
    """Follow number `place`, in the order of `coefficients`, to both sides; None where no run can be followed."""
    own = float(coefficients(fits)[place])
    first = runs.held(fits, place, own)
    if not np.isfinite(first.nmse):
        return None
    step = STEP * error if error else FALLBACK * (abs(own) or 1.0)
    found = [(own, _nats(first))]
    for way in (-1.0, 1.0):
        near = with_coefficients(fits, first.theta, None)
        for value in _outwards(own, way * step):
            shot = runs.held(near, place, value)
            if not np.isfinite(shot.nmse) or shot.length != first.length:
                break
            near = with_coefficients(fits, shot.theta, None)
            found.append((value, _nats(shot)))
            if found[-1][1] > found[0][1] + ENOUGH:
                break
    values, nats = np.array(sorted(found)).T
    lost = nats - np.min(nats)
    best = int(np.argmin(nats))
    return Profile(values, lost, _crossed(values, lost, best, -1), _crossed(values, lost, best, 1))


def _outwards(own: float, step: float) -> Iterator[float]:
    value = own
    for k in count():
        if k == MOST:
            return
        value += step * 1.5 ** max(0, k - EVEN)
        yield value


def _nats(shot: Shot) -> float:
    return 0.5 * float(np.sum(shot.samples * np.log(np.maximum(shot.errors, 1e-30))))


def _crossed(values: Floats, lost: Floats, best: int, way: int) -> float | None:
    """Return where LIMIT is passed, on a straight line in the root of what is lost: a parabola is one there."""
    inside = best
    while 0 <= inside + way < len(values):
        a, b = inside, inside + way
        if lost[b] > LIMIT:
            root = np.sqrt(lost[[a, b]])
            share = float((LIMIT**0.5 - root[0]) / (root[1] - root[0]))
            return float(values[a] + share * (values[b] - values[a]))
        inside = b
    return None
