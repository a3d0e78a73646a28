"""From each sample to the next by steps of Runge and Kutta, all samples at once; divided where a law jumps."""

from typing import Protocol

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.stretches import Stretches


class Law(Protocol):
    """Right-hand sides for many points at once; values (v, n) are states, then inputs."""

    @property
    def jumps(self) -> int:
        """At how many places it jumps."""
        ...

    def sides(self, values: Floats, t: Floats) -> Floats:
        """Return (s, n) what changes its sign where the law jumps."""
        ...

    def rates(self, values: Floats, t: Floats, theta: Floats, sides: Floats | None = None) -> Floats:
        """Return rates (d, n); on these sides (s, n) of its jumps, if given."""
        ...

    def slopes(self, values: Floats, t: Floats, theta: Floats, moves: Floats) -> tuple[Floats, Floats, Floats]:
        """Return rates (d, n), and their slopes by state (d, d, n), with steps moves (d,), and theta (d, p, n)."""
        ...


CROSSINGS = 3
"""Times the place of a jump within a step is corrected: each leaves the square of its distance in steps."""


def carried(data: Stretches, law: Law, theta: Floats, x: Floats, part: tuple[float, float] = (0.0, 1.0)) -> Floats:
    """Integrate states x (d, m) over a part of the way from each sample to the next."""
    begin, end = part
    steps = max(1, round(data.steps * (end - begin)))
    share = (end - begin) / steps
    for i in range(steps):
        at = begin + i * share
        after = _stepped(data, law, theta, x, data.inside, at, share)
        x = _past_jumps(data, law, theta, x, after, at, share)
    return x


def _stepped(
    data: Stretches,
    law: Law,
    theta: Floats,
    x: Floats,
    inside: Ints,
    at: float | Floats,
    share: float | Floats,
    sides: Floats | None = None,
) -> Floats:
    """One step of Runge and Kutta from states x (d, m), `at` and by a `share` of the way from these samples on."""

    def rise(x: Floats, at: float | Floats) -> Floats:
        t, inputs = at_part(data, inside, at)
        return law.rates(beside(x, inputs), t, theta, sides)

    h = (data.t[inside + 1] - data.t[inside]) * share
    k1 = rise(x, at)
    k2 = rise(x + 0.5 * h * k1, at + 0.5 * share)
    k3 = rise(x + 0.5 * h * k2, at + 0.5 * share)
    k4 = rise(x + h * k3, at + share)
    return x + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)


def _past_jumps(data: Stretches, law: Law, theta: Floats, x: Floats, after: Floats, at: float, share: float) -> Floats:
    """Return where a step ends that led from x to `after`, with its steps across a jump of the law divided there.

    Across a jump a step is of first order, and dry friction on clean samples looks like something else.
    """
    if not law.jumps:
        return after
    g0, g1 = _sides(data, law, x, data.inside, at), _sides(data, law, after, data.inside, at + share)
    touched = np.flatnonzero(np.any((g0 * g1 <= 0.0) & (g1 != 0.0), axis=0))
    if not len(touched):
        return after
    inside, start, g0, g1 = data.inside[touched], x[:, touched], g0[:, touched], g1[:, touched]
    parts = np.where(g0 * g1 < 0.0, g0 / (g0 - g1), 1.0)
    first = np.argmin(parts, axis=0), np.arange(len(touched))
    part, turns = parts[first], (g0 * g1)[first] < 0.0
    before = np.where(g0 == 0.0, g1, g0)
    for _ in range(CROSSINGS):
        middle = _stepped(data, law, theta, start, inside, at, share * part, before)
        left = _sides(data, law, middle, inside, at + share * part)[first]
        found = part * g0[first] / (g0[first] - left)
        part = np.where(turns & np.isfinite(found), np.clip(found, 0.0, 1.0), part)
    middle = _stepped(data, law, theta, start, inside, at, share * part, before)
    behind = before.copy()
    behind[first] *= np.where(turns, -1.0, 1.0)
    done = after.copy()
    done[:, touched] = _stepped(data, law, theta, middle, inside, at + share * part, share * (1.0 - part), behind)
    return done


def _sides(data: Stretches, law: Law, x: Floats, inside: Ints, share: float | Floats) -> Floats:
    """What changes its sign where the law jumps (s, m), at states x (d, m) part of the way from these samples on."""
    t, inputs = at_part(data, inside, share)
    return law.sides(beside(x, inputs), t)


def at_part(data: Stretches, inside: Ints, share: float | Floats) -> tuple[Floats, Floats]:
    """Times (m,) and inputs (u, m) part of the way from these samples to the next."""
    begin, end = data.sides
    first, last = data.t[inside], data.t[inside + 1]
    return first + share * (last - first), (1.0 - share) * begin[inside].T + share * end[inside].T


def beside(x: Floats, inputs: Floats) -> Floats:
    """Return states (d, m) and inputs (u, m) as the values (v, m) of a law."""
    return np.vstack((x, inputs)) if len(inputs) else x
