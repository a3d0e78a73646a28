"""A target: left-hand sides of x' = f(x), and what turns values of terms into their rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array, diags_array

from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.noise import Run
from dolq_core.numerics.response import Operator
from dolq_core.numerics.stretches import Measured
from dolq_core.numerics.weak import WeakRows

NODES = 5
"""Gauss points between two samples of the integral form: exact for polynomials of degree 9."""
WITHIN = 0.5
"""Share of a term's variance within the gaps between samples from which the samples do not resolve it."""
BLOCKS = 8
APART = 3
"""Columns that SciPy multiplies faster one by one than together."""
LEAST_FLOOR = 1e-9
"""Relative to the target: what rounding and a good integrator leave; below it all structures are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """Estimated left-hand sides for d equations.

    Attributes:
        kind: the method that was used; never "auto".
        reason: why, in words for a person.
        x: (d, N) states at which terms are evaluated, contiguous per state.
        t: (N,) their times.
        inputs: (u, N) known inputs at the same times.
        dx: (d, N) derivatives at the same times, for plots and hints.
        b: (d, M) left-hand sides, in units of the state per time; of the state itself for the integral form.
        floor: (d,) error of b: noise, resolution and rounding together (root mean square).
        noise: (d,) standard deviation of the white noise on the states.
        blocks: (M,) index of the block of each row, for errors on left-out blocks.
        effective: number of independent rows.
        rows: the test functions of a weak form.
        measured: the samples themselves, of a weak form; their noise is what averages over blocks of long data leave.
        sums: (M, N) integrals up to each sample, for the integral form instead of `rows`.
        operator: (M, N) what turns term values into columns instead of `rows` (`fitting.output_error`).
        lengths: how many of the N belong to each run that is used; sources: which of the given runs these are.
        white: (d,) the part of `floor` that comes of white noise alone.
        scales: (d, M) how much the rows of each equation count, where samples have weights; mean square 1. They are
            not in b yet: `weighed` makes the target of one equation, with its `scale` (M,), of them.
        may_be_few: some rows may count for so little that fewer are independent; else scales only even out their noise.
    """

    kind: str
    reason: str
    x: Floats
    t: Floats
    inputs: Floats
    dx: Floats
    b: Floats
    floor: Floats
    noise: Floats
    blocks: Ints
    effective: float
    rows: WeakRows | None = None
    measured: Measured | None = None
    operator: Operator | None = None
    sums: csr_array | None = None
    lengths: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()
    white: Floats | None = None
    scales: Floats | None = None
    may_be_few: bool = False
    scale: Floats | None = None

    def apply(self, columns: Floats) -> Floats:
        """Turn columns (k, N) of term values into columns (k, M) of the regression."""
        rows = self._rows(columns)
        return rows if self.scale is None else rows * self.scale

    def _rows(self, columns: Floats) -> Floats:
        if self.operator is not None:
            with np.errstate(invalid="ignore", over="ignore"):  # what is not finite afterwards is no column
                return self.operator.rows(columns)
        if self.sums is not None:
            return np.ascontiguousarray((self.sums @ columns.T).T)
        if self.rows is None:
            return columns
        mean = self.rows.mean
        if len(columns) <= APART:
            return np.array([mean @ column for column in columns]).reshape(len(columns), mean.shape[0])
        return np.ascontiguousarray((mean @ columns.T).T)

    def resolves(self, values: Floats) -> bool:
        """Whether the samples lie close enough for a term with these values (N,)."""
        return self.sums is None or not swings_between_samples(values)


def blocks_of(rows: int) -> Ints:
    """Return the block of each row (rows,)."""
    return np.arange(rows) * min(BLOCKS, rows) // rows


def swings_between_samples(values: Floats) -> bool:
    """Whether a term, at the points (N,) between all samples, varies more within the gaps than from gap to gap.

    Such a term is made by the table of times, not by the system: with a period near one gap its integral is the
    state itself, and it would explain anything. A sine is refused from about 2.3 samples a period.
    """
    size = float(np.max(np.abs(values)))
    if not 0.0 < size < np.inf:
        return False
    gaps = (values / size).reshape(-1, NODES)
    within: Floats = np.var(gaps, axis=1)
    return float(np.mean(within)) > WITHIN * float(np.var(gaps))


# --- a part of the rows or samples, to search cheaply where all of them say no more ------------------


def on_rows(target: Target, some: Ints) -> Target:
    """Return a weak-form target on some of its rows."""
    if target.rows is None:
        raise ValueError("only the weak form has rows that overlap")
    rows = replace(target.rows, mean=target.rows.mean[some], slope=target.rows.slope[some])
    scale = None if target.scale is None else target.scale[some]
    return replace(target, b=target.b[:, some], blocks=target.blocks[some], rows=rows, scale=scale)


def on_samples(target: Target, step: int) -> Target:
    """Return a weak-form target whose means are over every `step`-th sample; its left-hand sides stay as they are.

    The trapezoidal rule on test functions of 24 samples is still good to six digits.
    """
    if target.rows is None:
        raise ValueError("only the weak form takes means over samples")
    mean = csr_array(target.rows.mean[:, ::step])
    mean = csr_array(diags_array(1.0 / np.asarray(mean.sum(axis=1))) @ mean)
    return replace(
        target,
        x=target.x[:, ::step],
        t=target.t[::step],
        inputs=target.inputs[:, ::step],
        dx=target.dx[:, ::step],
        rows=replace(target.rows, mean=mean, slope=csr_array(target.rows.slope[:, ::step])),
    )


# --- weights ----------------------------------------------------------------------------------------


def row_scales(target: Target, runs: Sequence[Run], weights: Sequence[Floats]) -> Floats:
    """Return (d, M) factors of the rows, of mean square 1; runs and weights (n, d) are those the target is built on.

    A sample of weight w has noise of variance sigma^2 / w. A row that is a sum of samples with factors L has v times
    the variance that it would have with all weights 1, v = sum L^2 / w over sum L^2, and counts by 1 / sqrt(v).
    """
    v = _variances(target, runs, weights)
    counts = 1.0 / v
    return np.sqrt(counts / np.mean(counts, axis=1, keepdims=True))


def weighed(target: Target, equation: int) -> Target:
    """Return the target for one equation: its rows scaled, its noise that of the better samples."""
    if target.scales is None:
        return target
    scale: Floats = target.scales[equation]
    counts = scale**2
    ratio = 1.0 / float(np.mean(1.0 / counts))
    noise, floor, white = target.noise.copy(), target.floor.copy(), target.white
    before = 0.0 if white is None else float(white[equation])
    noise[equation] *= np.sqrt(ratio)
    floor[equation] = np.sqrt(max(float(floor[equation]) ** 2 - before**2, 0.0) + before**2 * ratio)
    return replace(
        target,
        b=target.b * scale,
        floor=floor,
        noise=noise,
        effective=target.effective / (float(np.mean(counts**2)) if target.may_be_few else 1.0),  # Kish's effective size
        scales=None,
        scale=scale,
    )


def _variances(target: Target, runs: Sequence[Run], weights: Sequence[Floats]) -> Floats:
    """Return v (d, M) of each row."""
    if target.sums is not None:
        return _of_samples(target, weights)
    ends = np.cumsum(target.lengths)[:-1]
    inverse = np.empty((weights[0].shape[1], len(target.t)))
    for places, (t, _), own in zip(np.split(np.arange(len(target.t)), ends), runs, weights, strict=True):
        for j, w in enumerate(own.T):
            inverse[j, places] = np.interp(target.t[places], t, 1.0 / w)
    if target.rows is None:
        return inverse
    squares = csr_array(target.rows.slope.multiply(target.rows.slope))
    total = np.asarray(squares.sum(axis=1)).ravel()
    return np.array([squares @ row for row in inverse]) / total


def _of_samples(target: Target, weights: Sequence[Floats]) -> Floats:
    """The integral form has a row for each sample, or one for each pair of neighbours where samples are clean."""
    pairs = target.b.shape[1] < sum(map(len, weights))
    parts = [(1.0 / own[1:] + 1.0 / own[:-1]) / 2.0 if pairs else 1.0 / own for own in weights]
    return np.concatenate(parts).T
