"""What a known input does between its samples, read off where the states bend as it switches.

A logger writes one value a sample and does not say when it changed: a heater that is switched as a row is written acts
until the next row, a meter that writes the mean since the last row acted before. Half a step more or less is more than
noise. At a switch the slopes of states jump, so the samples on both sides say where it was, whatever the law is.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import numpy as np

from dolq_core.arrays import Bools, Floats, Ints
from dolq_core.numerics.derivative import linear
from dolq_core.numerics.noise import Run

Hold: TypeAlias = Literal["linear", "nearest", "previous", "next", "placed"]
"""Between samples a straight line, or the value of the nearest, the previous or the next one: SciPy's own names.

"placed": the value of the previous one, which is the mean over the step where the input switches (`fitting.placing`).
"""
HELD_ON: Final[tuple[Hold, ...]] = ("previous", "placed")

SWITCHED: Final = 0.2
"""Share of the steps between samples up to which an input changes at: it is switched."""
LEVELS: Final = 5
"""Levels up to which a switched input is held though nothing says where it switches, and not a line."""
INSTANT: Final = 1e-6
"""Share of a step in which a switch happens, so that no step of the solver ends at a value that it jumps at."""
BESIDE, LEAST_BESIDE = 8, 4
"""Samples on either side of a switch that are looked at: at most, and at least."""
CURVE: Final = 3
"""Degree of the curve through them; its slope and its bend jump at the switch."""
TOLD: Final = 6.0
"""Nats by which samples say where an input switches, as rivals of a law are told apart. Of tables of twelve systems
none was told wrong (`python -m lab holding`)."""
JUMPS: Final = 2.5
"""Sum of squares over that of curves that may jump at the switch from which a state jumps, and tells nothing: of eight
of these systems (0, 0.5 and 5 % noise) no state came to more than 1.7, and one that follows a switch at once to 4.1."""
EVERY: Final = slice(None)
MOST_LOOKED_AT: Final = 200
"""Switches that are looked at."""


def holds_of(runs: Sequence[Run], inputs: Sequence[Floats]) -> tuple[Hold, ...]:
    """Return what each input (n, u) of the runs (t (n,), x (n, d)) does between its samples, as far as they say."""
    count = int(inputs[0].shape[1]) if inputs else 0
    steps = [np.diff(u, axis=0) != 0.0 for u in inputs]
    total = sum(map(len, steps))
    changing = np.sum([own.sum(axis=0) for own in steps], axis=0) if steps else np.zeros(0)
    switched = (changing > 0) & (changing <= SWITCHED * total)
    near = [own[:, switched].any(axis=1) for own in steps]
    return tuple(_hold(runs, inputs, near, k) if switched[k] else "linear" for k in range(count))


def _hold(runs: Sequence[Run], inputs: Sequence[Floats], near: Sequence[Bools], column: int) -> Hold:
    """Where the input switches; near: (n - 1,) per run the steps in which any does."""
    told = _nats(runs, [np.flatnonzero(np.diff(u[:, column])) for u in inputs], [np.flatnonzero(own) for own in near])
    best: Hold = "previous" if told["previous"] < told["next"] else "next"
    if told["nearest"] - told[best] >= TOLD:
        return best
    return "nearest" if len(np.unique(np.concatenate([u[:, column] for u in inputs]))) <= LEVELS else "linear"


OVER: Final = 0.2
"""Share of its changes that pass over a level, from which a column that is held is set by someone: what follows a law
passes through the levels in between, however coarsely it was read."""
FEWEST_CHANGES: Final = 3
FEW_LEVELS, LONG = 4, 20
"""Levels, and samples for which each is held on average, of a column that is set by someone though it passes over no
level: torques of 0, 1 and -0.5 have none in between to pass over."""


def held_between(columns: Sequence[Floats]) -> int:
    """Return for how many samples a column, given run by run, is held on average; 0 where it does not jump in between.

    A state that was rounded keeps its value too, and then goes on to a value beside it; a count goes one way only.
    """
    seen = [own[np.isfinite(own)] for own in columns]
    steps = np.concatenate([np.diff(own) for own in seen])
    changes = steps[steps != 0.0]
    if len(changes) > SWITCHED * len(steps) or np.all(changes > 0.0) or np.all(changes < 0.0):
        return 0
    levels = np.unique(np.concatenate(seen))
    passed = np.concatenate([np.abs(np.diff(np.searchsorted(levels, own))) for own in seen])
    held = sum(map(len, seen)) // (len(changes) + sum(len(own) > 0 for own in seen))
    if len(changes) >= FEWEST_CHANGES and np.mean(passed[passed > 0] > 1) >= OVER:
        return held
    return held if len(levels) <= FEW_LEVELS and held >= LONG else 0


PLACES: Final[dict[Hold, float]] = {"next": 0.0, "nearest": 0.5, "previous": 1.0}
"""Where between two samples an input switches, as a share of the step; one that is placed has its next value there."""


def _nats(runs: Sequence[Run], switches: Sequence[Ints], near: Sequence[Ints]) -> dict[Hold, float]:
    """Nats that curves which bend at the switches leave of the samples beside them, for each place of a switch."""
    looked = [(k, i) for k, at in enumerate(switches) for i in at.tolist()]
    d = int(runs[0][1].shape[1])
    left: dict[Hold, Floats] = {hold: np.zeros(d) for hold in PLACES}
    jumping, free = np.zeros(d), np.zeros(d)
    for k, i in looked[:: -(-len(looked) // MOST_LOOKED_AT) or 1]:
        (t, x), own = runs[k], near[k]
        place = bisect_left(own.tolist(), i)
        first = max(i + 1 - BESIDE, int(own[place - 1]) + 1 if place else 0)
        end = min(i + 1 + BESIDE, int(own[place + 1]) + 1 if place + 1 < len(own) else len(t))
        if min(i + 1 - first, end - i - 1) < LEAST_BESIDE:
            continue
        seen = np.isfinite(x[first:end]).all(axis=0)
        for hold, share in PLACES.items():
            z = (t[first:end] - t[i] - share * (t[i + 1] - t[i])) / (t[i + 1] - t[i])
            after = np.maximum(z, 0.0)
            design = np.column_stack([z**power for power in range(CURVE + 1)] + [after, after**2])
            left[hold][seen] += _squares(design, x[first:end, seen])
            if hold == "nearest":
                jumping[seen] += _squares(np.column_stack((design, np.heaviside(z, 0.0))), x[first:end, seen])
        free[seen] += end - first - CURVE - 3
    least = np.min(np.array(list(left.values())), axis=0)
    told = (free > 0.0) & (least > 0.0) & (least <= JUMPS * jumping)
    found: dict[Hold, float] = {}
    for hold, squares in left.items():
        found[hold] = float(np.sum(squares[told] * free[told] / (2.0 * least[told])))
    return found


def _squares(design: Floats, y: Floats) -> Floats:
    """Sum of squares (d,) that a linear fit leaves of y (n, d)."""
    return np.sum((y - design @ np.linalg.lstsq(design, y)[0]) ** 2, axis=0)


def at_samples(inputs: Floats, holds: Sequence[Hold]) -> Floats:
    """Return (n, u) the inputs as weighted means of even samples take them: those held their mean over a step.

    The mean is from half a step before to half a step after, so that a sum over the samples is the integral.
    """
    found = inputs.copy()
    for k, hold in enumerate(holds):
        u = inputs[:, k]
        if hold in HELD_ON:
            found[1:, k] = (u[:-1] + u[1:]) / 2.0
        elif hold == "next":
            found[:-1, k] = (u[:-1] + u[1:]) / 2.0
    return found


def on_grid(t: Floats, inputs: Floats, holds: Sequence[Hold], grid: Floats) -> Floats:
    """Return the same at other even times (m,)."""
    found = linear(t, inputs, grid)
    half = float(grid[1] - grid[0]) / 2.0
    for k, hold in enumerate(holds):
        if hold not in (*HELD_ON, "next"):
            continue
        at, values = _switched(t, inputs[:, k], hold)
        sums = np.concatenate(([0.0], np.cumsum(np.diff(at) * (values[1:] + values[:-1]) / 2.0)))
        ends = np.clip(np.array([grid - half, grid + half]), t[0], t[-1])
        first, last = _integral(at, values, sums, ends[0]), _integral(at, values, sums, ends[1])
        found[:, k] = (last - first) / (ends[1] - ends[0])
    return found


def _integral(t: Floats, values: Floats, sums: Floats, at: Floats) -> Floats:
    """Integral up to times (m,) of straight lines between values (n,), whose integrals up to t (n,) are sums (n,)."""
    place = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
    part = at - t[place]
    slope = (values[place + 1] - values[place]) / (t[place + 1] - t[place])
    return sums[place] + part * (values[place] + 0.5 * slope * part)


def sides(inputs: Floats, holds: Sequence[Hold]) -> tuple[Floats, Floats]:
    """Return (n, u) the inputs right after each sample and right before the next one; straight lines between them."""
    after = np.concatenate((inputs[1:], inputs[-1:]))
    begin = np.where([hold == "next" for hold in holds], after, inputs)
    return begin, np.where([hold in HELD_ON for hold in holds], inputs, after)


def knots(t: Floats, inputs: Floats, holds: Sequence[Hold], pick: Ints | slice = EVERY) -> tuple[Floats, Floats]:
    """Return times (m,) and values (m, u) between which the inputs are straight lines; a switch takes an INSTANT.

    pick: the samples of those that are lines which are enough; no switch is ever left out.
    """
    if all(hold == "linear" for hold in holds):
        return t[pick], inputs[pick]
    lines = t[pick], inputs[pick].T
    own = [
        (lines[0], u) if hold == "linear" else _switched(t, inputs[:, k], hold)
        for k, (u, hold) in enumerate(zip(lines[1], holds, strict=True))
    ]
    times = np.unique(np.concatenate([at for at, _ in own]))
    return times, np.column_stack([np.interp(times, at, values) for at, values in own])


def _switched(t: Floats, u: Floats, hold: Hold) -> tuple[Floats, Floats]:
    at = np.flatnonzero(np.diff(u) != 0.0)
    step = t[at + 1] - t[at]
    switch = t[at] + PLACES.get(hold, 1.0) * step
    before, after = (switch, switch + INSTANT * step) if hold == "next" else (switch - INSTANT * step, switch)
    times = np.concatenate([t[:1], np.column_stack([before, after]).ravel(), t[-1:]])
    values = np.concatenate([u[:1], np.column_stack([u[at], u[at + 1]]).ravel(), u[-1:]])
    kept = np.append(np.diff(times) > 0.0, True)  # a switch at the first or the last sample
    return times[kept], values[kept]


def between(t: Floats, inputs: Floats, holds: Sequence[Hold], at: Floats) -> Floats:
    """Return the inputs (m, u) at times (m,) between their samples."""
    return linear(*knots(t, inputs, holds), at)
