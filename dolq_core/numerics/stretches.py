"""The samples of all runs as they were measured: uneven times, missing cells, weights; whole, or cut into stretches."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.derivative import linear
from dolq_core.numerics.holding import Hold, at_samples, sides
from dolq_core.numerics.noise import Run
from dolq_core.numerics.samples import Grid

BENT = 0.5
"""Distance of a mean from the middle of its samples up to which it is known to second order (`Stretches.seen`)."""
SHORTEST = 12
"""Samples of a stretch."""
GAP = 1.75
"""Median steps of a run from which the time between two samples is bridged in several steps."""
MOST_BRIDGES = 8
"""Steps into which one gap is cut at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """All samples, run after run, cut into stretches with a free start each.

    Attributes:
        t: (n,) times; y: (n, d) samples, NaN where none; inputs: (n, u).
        sigma: (d,) standard deviation of the noise.
        ends: (s + 1,) where the stretches begin, and n.
        counts: (n, d) square roots of the weights of the samples, or 1.
        steps: of Runge and Kutta between two samples.
        spread: (n,) variance of the times of the samples that one stands for, where it is their mean.
        held: inputs (n, u) right after each sample and right before the next one, where those are not its own.
    """

    t: Floats
    y: Floats
    inputs: Floats
    sigma: Floats
    ends: Ints
    counts: Floats | float = 1.0
    steps: int = 1
    spread: Floats | None = None
    held: tuple[Floats, Floats] | None = None

    inside: Ints = field(init=False)
    """The samples that are followed by another one of their stretch."""
    bend: tuple[Ints, Floats] | None = field(init=False)
    """(n, 3) places and weights: what a mean over neighbours adds to the state in its middle, to second order."""
    sides: tuple[Floats, Floats] = field(init=False)
    """Inputs (n, u) right after each sample and right before the next one, straight lines between."""

    def __post_init__(self) -> None:
        last = np.zeros(len(self.t), dtype=np.bool_)
        last[self.ends[1:] - 1] = True
        object.__setattr__(self, "inside", np.flatnonzero(~last))
        sides = self.held or (self.inputs, np.concatenate((self.inputs[1:], self.inputs[-1:])))
        object.__setattr__(self, "sides", sides)
        object.__setattr__(self, "bend", None if self.spread is None else _bend(self.t, self.spread, self.ends))

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Return where each stretch begins and ends."""
        return list(pairwise(self.ends.tolist()))

    def seen(self, values: Floats) -> Floats:
        """Return what samples of values (n, ...) are: the values themselves, or their means over neighbours."""
        if self.bend is None:
            return values
        places, weights = self.bend
        added = np.einsum("nk,nkm->nm", weights, values.reshape(len(values), -1)[places])
        return values + added.reshape(values.shape)


def _bend(t: Floats, spread: Floats, ends: Ints) -> tuple[Ints, Floats]:
    """Half the spread times the second difference of three neighbours in a stretch, as places and weights (n, 3)."""
    first, last = np.repeat(ends[:-1], np.diff(ends)), np.repeat(ends[1:], np.diff(ends))
    middle = np.clip(np.arange(len(t)), first + 1, np.maximum(last - 2, first + 1))
    places = np.clip(middle[:, None] + np.array([-1, 0, 1]), 0, len(t) - 1)
    left, right = (np.diff(t[places], axis=1)).T
    with np.errstate(all="ignore"):
        by = spread / (left + right)
        weights = np.stack((by / left, -by / left - by / right, by / right), axis=1)
    weights[(last - first < 3) | ~np.isfinite(weights).all(axis=1)] = 0.0
    return places, weights


def one_stretch_a_run(lengths: Sequence[int]) -> Ints:
    """Return the ends of stretches that are whole runs."""
    return np.concatenate(([0], np.cumsum(np.array(lengths)))).astype(np.int64)


def stretches(
    runs: Sequence[tuple[Floats, Floats]],
    inputs: Sequence[Floats | None],
    counts: Sequence[Floats] | None,
    noise: Floats,
    holds: Sequence[Hold] = (),
) -> Stretches:
    """Return whole runs, each one stretch; holds: per input what it does between samples."""
    driving = [np.empty((len(t), 0)) if u is None else u for (t, _), u in zip(runs, inputs, strict=True)]
    return Stretches(
        t=np.concatenate([t for t, _ in runs]),
        y=np.concatenate([x for _, x in runs]),
        inputs=np.concatenate([at_samples(u, holds) for u in driving]),
        sigma=noise,
        ends=one_stretch_a_run([len(t) for t, _ in runs]),
        held=_held(driving, holds),
        counts=1.0 if counts is None else np.concatenate(list(counts)),
    )


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

    def over(self, spread: Sequence[Floats], shares: Sequence[float]) -> "Measured":
        """Return the same where samples are means, of whose noise `data.sigma` is.

        spread: per run (n,) variance of the times behind each; shares: per run, samples behind each, of those of the
        runs that were averaged.
        """
        data = replace(self.data, spread=np.concatenate(list(spread)))
        if min(shares) < 1.0:
            each = np.concatenate(
                [np.full(len(own), np.sqrt(share)) for own, share in zip(spread, shares, strict=True)]
            )
            data = replace(data, counts=data.counts * np.broadcast_to(each[:, None], data.y.shape))
        return replace(self, data=data)

    @property
    def is_even(self) -> bool:
        """Whether every cell has a sample and all count alike."""
        return isinstance(self.data.counts, float) and bool(np.isfinite(self.data.y).all())


def _held(inputs: Sequence[Floats], holds: Sequence[Hold]) -> tuple[Floats, Floats] | None:
    """What inputs are after each sample and before the next, where some keep the value of a sample."""
    if all(hold in ("linear", "nearest") for hold in holds):
        return None
    both = [sides(u, holds) for u in inputs]
    return np.concatenate([own for own, _ in both]), np.concatenate([own for _, own in both])


def measured(
    runs: Sequence[Run], inputs: Sequence[Floats], grids: Sequence[Grid], noise: Floats, holds: Sequence[Hold] = ()
) -> Measured:
    """Return the samples of all runs; inputs (n, u) are those at their times, holds what they do between."""
    curves = [
        (grid.x, grid.dx) if grid.own else (linear(grid.t, grid.x, t), linear(grid.t, grid.dx, t))
        for (t, _), grid in zip(runs, grids, strict=True)
    ]
    ends = one_stretch_a_run([len(t) for t, _ in runs])
    t, y = (np.concatenate([run[i] for run in runs]) for i in range(2))
    x, dx = (np.concatenate([curve[i] for curve in curves]) for i in range(2))
    driving = np.concatenate([at_samples(u, holds) for u in inputs])
    return Measured(Stretches(t, y, driving, noise, ends, held=_held(inputs, holds)), x, dx)


def bridged(known: Measured) -> Measured:
    """Return the same with times in each long gap at which nothing was measured.

    One step of an integration is then about as long as the others; states are linear in a gap.
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
        held=None if data.held is None else _bridged(data.held, left, share, place),
        ends=np.append(where[data.ends[:-1]], total),
    )
    return Measured(data, between(known.x), between(known.dx))


def _bridged(held: tuple[Floats, Floats], left: Ints, share: Floats, place: Ints) -> tuple[Floats, Floats]:
    """Inputs after each time and before the next one, with times in gaps: part of the way from the sample `left`."""
    begin, end = held
    inside = (1.0 - share[:, None]) * begin[left] + share[:, None] * end[left]
    begins, ends = np.concatenate((begin, inside))[place], np.concatenate((end, end[left]))[place]
    before = np.flatnonzero(place >= len(begin)) - 1
    ends[before] = begins[before + 1]
    return begins, ends


def cut(data: Stretches, parts: int) -> Stretches:
    """Return the data with each run cut into stretches with free starts, of SHORTEST samples at least."""
    ends = [0]
    for i, j in data.spans:
        count = max(1, min(parts, (j - i) // SHORTEST))
        ends += [i + (j - i) * k // count for k in range(1, count + 1)]
    return replace(data, ends=np.array(ends, dtype=np.int64))


def averaged(known: Measured, most: int) -> Measured:
    """Return means over neighbours, so that about `most` samples remain; more where the curve bends within a mean.

    A run that would be left with fewer than SHORTEST means stays as it is.
    """
    data, x = known.data, known.x
    spans = data.spans
    block = max(1, round(len(data.t) / most))
    while block > 1 and max(_bent(x[i:j], data.sigma, block) for i, j in spans) > BENT:
        block //= 2
    if block == 1:
        return known
    counts = np.broadcast_to(np.asarray(data.counts), data.y.shape) ** 2 * np.isfinite(data.y)
    parts = [_means(known, counts, i, j, block if j - i >= SHORTEST * block else 1) for i, j in spans]
    small = replace(
        data,
        t=np.concatenate([part.data.t for part in parts]),
        y=np.concatenate([part.data.y for part in parts]),
        inputs=np.concatenate([part.data.inputs for part in parts]),
        counts=np.concatenate([np.asarray(part.data.counts) for part in parts]),
        spread=np.concatenate([np.asarray(part.data.spread) for part in parts]),
        held=None,
        ends=one_stretch_a_run([len(part.data.t) for part in parts]),
    )
    return Measured(small, np.concatenate([part.x for part in parts]), np.concatenate([part.dx for part in parts]))


def _means(known: Measured, counts: Floats, i: int, j: int, block: int) -> Measured:
    """Means over `block` neighbours of one run, the samples i to j; counts (n, d): weights of the cells."""
    data, x = known.data, known.x
    pick = i + block * np.arange((j - i) // block)[:, None] + np.arange(block)
    weight = counts[pick].sum(axis=1)
    with np.errstate(invalid="ignore"):
        y = np.where(weight > 0.0, (np.nan_to_num(data.y) * counts)[pick].sum(axis=1) / weight, np.nan)
        if not known.is_even:  # a mean over a part of a block stands beside the middle of the block
            beside = np.nan_to_num(x * counts)[pick].sum(axis=1) / weight
            y += x[pick].mean(axis=1) - beside
    inner = 0.0 if data.spread is None else data.spread[pick].mean(axis=1)
    own = Stretches(
        t=data.t[pick].mean(axis=1),
        y=y,
        inputs=data.inputs[pick].mean(axis=1),
        sigma=data.sigma,
        ends=one_stretch_a_run([len(pick)]),
        counts=np.sqrt(weight),
        spread=data.t[pick].var(axis=1) + inner,
    )
    return Measured(own, x[pick].mean(axis=1), known.dx[pick].mean(axis=1))


def _bent(x: Floats, sigma: Floats, block: int) -> float:
    """Largest distance of a mean over `block` neighbours from their middle, in standard deviations of the samples."""
    if len(x) <= 2 * block:
        return 0.0
    second = x[2 * block :] - 2.0 * x[block:-block] + x[: -2 * block]
    return float(np.max(np.abs(second) / sigma)) * (1.0 - 1.0 / block**2) / 24.0
