"""A target: left-hand sides of x' = f(x), and what turns values of terms into their rows."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.integral import swings_between_samples
from dolq_core.numerics.weak import WeakRows
from dolq_core.numerics.whole_runs import Measured

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
            not in b yet: `weighing.weighed` makes the target of one equation, with its `scale` (M,), of them.
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
    operator: Floats | None = None
    sums: csr_array | None = None
    lengths: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()
    white: Floats | None = None
    scales: Floats | None = None
    scale: Floats | None = None

    def apply(self, columns: Floats) -> Floats:
        """Turn columns (k, N) of term values into columns (k, M) of the regression."""
        with np.errstate(invalid="ignore", over="ignore"):  # what is not finite afterwards is no column
            rows = self._rows(columns)
        return rows if self.scale is None else rows * self.scale

    def _rows(self, columns: Floats) -> Floats:
        if self.operator is not None:
            return np.ascontiguousarray((self.operator @ columns.T).T)
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
