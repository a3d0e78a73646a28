"""The samples of all runs as they were measured: uneven times, missing cells, weights."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.derivative import linear
from dolq_core.numerics.lifted import Stretches, one_stretch_a_run
from dolq_core.numerics.noise import Run
from dolq_core.numerics.samples import Grid

GAP = 1.75
"""Median steps of a run from which the time between two samples is bridged in several steps."""
MOST_BRIDGES = 8
"""Steps into which one gap is cut at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What was measured, at its own times, and the curve through it.

    Attributes:
        data: the samples of all runs, a stretch for each.
        x: (n, d) smoothed states at their times; dx: (n, d) the slopes of the curve.
    """

    data: Stretches
    x: Floats
    dx: Floats

    def weighted(self, weights: Sequence[Floats]) -> "Measured":
        """Return the samples with their weights, per run (n, d): one of weight w has noise of variance sigma^2 / w.

        The noise was estimated with all samples alike: it is the mean of what they have.
        """
        own = np.concatenate(list(weights))
        seen = np.isfinite(self.data.y)
        worse: Floats = np.sum(seen / own, axis=0) / np.sum(seen, axis=0)
        return replace(self, data=replace(self.data, counts=np.sqrt(own), sigma=self.data.sigma / np.sqrt(worse)))

    @property
    def is_even(self) -> bool:
        """Whether every cell has a sample and all count alike."""
        return isinstance(self.data.counts, float) and bool(np.isfinite(self.data.y).all())


def measured(runs: Sequence[Run], inputs: Sequence[Floats], grids: Sequence[Grid], noise: Floats) -> Measured:
    """Return the samples of all runs; inputs (n, u) are those at their times."""
    curves = [
        (grid.x, grid.dx) if grid.own else (linear(grid.t, grid.x, t), linear(grid.t, grid.dx, t))
        for (t, _), grid in zip(runs, grids, strict=True)
    ]
    ends = one_stretch_a_run([len(t) for t, _ in runs])
    t, y = (np.concatenate([run[i] for run in runs]) for i in range(2))
    x, dx = (np.concatenate([curve[i] for curve in curves]) for i in range(2))
    return Measured(Stretches(t, y, np.concatenate(list(inputs)), noise, ends), x, dx)


def bridged(known: Measured) -> Measured:
    """Return the same with times in each long gap at which nothing was measured.

    One step of an integration is then about as long as the others; states and inputs are linear in a gap.
    """
    data = known.data
    after: list[Ints] = []
    shares: list[Floats] = []
    for i, j in data.spans:
        own = data.t[i:j]
        steps = np.diff(own)
        usual = float(np.median(steps))
        for k in [k for k, step in enumerate(steps.tolist()) if step > GAP * usual]:
            parts = min(round(float(steps[k]) / usual), MOST_BRIDGES)
            after.append(np.full(parts - 1, i + k))
            shares.append(np.arange(1, parts) / parts)
    if not after:
        return known
    left, share = np.concatenate(after), np.concatenate(shares)
    total = len(data.t) + len(left)
    place = np.argsort(np.concatenate((np.arange(len(data.t)), left + share)), kind="stable")

    def between(values: Floats) -> Floats:
        part = share if values.ndim == 1 else share[:, None]
        return np.concatenate((values, (1.0 - part) * values[left] + part * values[left + 1]))[place]

    unseen = np.full((len(left), data.y.shape[1]), np.nan)
    counts = np.broadcast_to(np.asarray(data.counts), data.y.shape)
    where = np.argsort(place)
    data = replace(
        data,
        t=between(data.t),
        y=np.concatenate((data.y, unseen))[place],
        inputs=between(data.inputs),
        counts=np.concatenate((counts, np.ones_like(unseen)))[place],
        spread=None if data.spread is None else np.concatenate((data.spread, np.zeros(len(left))))[place],
        ends=np.append(where[data.ends[:-1]], total),
    )
    return Measured(data, between(known.x), between(known.dx))
