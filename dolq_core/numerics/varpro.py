"""Variable projection: outer coefficients by least squares, only the inner parameters are searched.

The residual after projecting out the linear part is a function of the inner parameters alone; Levenberg-Marquardt
on it converges where a search over all coefficients ends at wrong constants (docs: numerics). One QR of the columns,
their slopes and the left-hand side gives both that residual and its slopes. Budgets count looks, so a result never
depends on the machine.

Source: G. Golub, V. Pereyra, The differentiation of pseudo-inverses and nonlinear least squares problems whose
variables separate, SIAM J. Numer. Anal. 10 (1973). Without the part of the slopes in the span of the columns
(Kaufman's short cut) searches from far off ended in wrong valleys more often.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite, sqrt

import numpy as np
from scipy.optimize import leastsq

from dolq_core import clock
from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.lapack import dgeqrf, dorgqr, dtrtri, triangle
from dolq_core.numerics.rounding import known_ratio, squares

Moving = Callable[[Floats], Floats]
"""Sets (s, p) of the inner parameters of one term -> its values (s, N)."""

LEADERS = 6
"""Combinations of starts of all terms that are kept."""
EXPLAINED = 1e-20
"""Squared share of a column that the others do not explain, below which it adds nothing."""

PERFECT = 1e-18
"""Relative squared residual at which no other start can be better."""
ROUNDING = 1e-24
"""Relative squared residual that counts as rounding: a millionth of what a good integrator leaves (`targets`)."""
SETTLED = 1e-10
"""Relative change of the squared residual at which a search ends."""
STILL = 1e-12
"""Region of trust over the size of the parameters at which it ends, too."""
STEP = 1.5e-8
"""Relative step of the differences: the root of the rounding error."""
DEPENDENT = 1e-12
"""Part of a column that the others do not explain, below which it gets no coefficient."""
RANGE = (1e-26, 1e26)
"""Sizes within which inner parameters stay where the problem does not say."""
FAR = 1e3
"""Residual where a column is not finite."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Terms without inner parameters by their columns (f, M), those with by functions; b (M,) the left-hand side.

    Attributes:
        sizes: number of inner parameters of each moving term.
        columns: what turns values (s, N) of all moving terms into columns (s, M), NaN where one is not finite.
        reach: (2, p) the least and the largest size that each inner parameter may take. Where a term has reached its
            limit (p/(p + x) is 1 for p far above x) its residual is flat, and where in that valley a search comes to
            rest hangs on the last digit; at the end of its reach it is the same on every processor.
    """

    fixed: Floats
    moving: Sequence[Moving]
    sizes: Sequence[int]
    b: Floats
    reach: Floats | None = None
    columns: Callable[[Floats], Floats] = lambda values: values


@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop.

    Attributes:
        starts: how many with finite columns are refined.
        evaluations: per start; each look costs one for the columns and one for each inner parameter.
        settled: relative change of the squared residual at which a search ends.
    """

    starts: int = 4
    evaluations: int = 200
    settled: float = SETTLED


USUAL = Budget()


@dataclass(frozen=True, slots=True, eq=False)
class InnerFit:
    """The inner parameters (p,) with the least residual, its MSE, and how many evaluations it took."""

    inner: Floats
    mse: float
    evaluations: int


def project(
    problem: Problem, starts: Sequence[Floats], signed: Sequence[bool] | None = None, budget: Budget = USUAL
) -> InnerFit | None:
    """Minimise the residual over the inner parameters (p,) from the first few of `starts`; None where none is finite.

    starts: the most promising first; none is refined after a perfect one. signed: per inner parameter whether it may
    change its sign; those that may not are searched in log space.
    """
    results: list[InnerFit] = []
    for start in starts:
        found = _refined(_Search(problem, start, signed), budget)
        if found.mse < FAR:
            results.append(found)
        if found.mse < PERFECT or len(results) == budget.starts:
            break
    if not results:
        return None
    best = min(results, key=lambda found: known_ratio(found.mse))  # of equals the first
    used = sum(found.evaluations for found in results)
    return InnerFit(best.inner, best.mse * float(problem.b @ problem.b) / len(problem.b), used)


def _refined(search: "_Search", budget: Budget) -> InnerFit:
    """Levenberg-Marquardt from one start (MINPACK's `lmder`); `mse` is relative to the mean square of b."""
    p = len(search.u0)
    most = max(budget.evaluations // (p + 1), 2)
    v = leastsq(
        search.residual, np.ones(p), Dfun=search.slopes, full_output=True, col_deriv=True,
        ftol=budget.settled, xtol=STILL, gtol=0.0, maxfev=most,
    )[0]  # fmt: skip
    residual = search.residual(np.asarray(v))
    return InnerFit(search.inner(v), float(residual @ residual), search.looks * (p + 1))


class _Search:
    """One search on parameters v that are one at the start and change by their own size."""

    def __init__(self, problem: Problem, start: Floats, signed: Sequence[bool] | None) -> None:
        self.logs = None if signed is None or all(signed) else np.flatnonzero(~np.array(signed, dtype=np.bool_))
        self.u0 = start.copy()
        self.size = np.maximum(np.abs(start), 1e-3)
        self.least, self.most = (
            np.array(RANGE)[:, None].repeat(len(start), axis=1) if problem.reach is None else problem.reach
        )
        if self.logs is not None:
            self.sign = np.where(start[self.logs] < 0.0, -1.0, 1.0)
            self.u0[self.logs] = np.log(np.clip(np.abs(start[self.logs]), *self._bounds(self.logs)))
            self.size[self.logs] = 1.0
            self.ends = np.log(self._bounds(self.logs))
        self.problem = problem
        ends = list(accumulate(problem.sizes, initial=0))
        self.parts = list(zip(problem.moving, ends[:-1], ends[1:], strict=True))
        self.outer_of = [len(problem.fixed) + j for j, size in enumerate(problem.sizes) for _ in range(size)]
        self.rows = len(problem.fixed) + len(self.parts) + len(start) + 1
        self.b = problem.b / (sqrt(float(problem.b @ problem.b)) or 1.0)
        self.looks = 0
        self._seen: dict[bytes, tuple[Floats, Floats]] = {}

    def residual(self, v: Floats) -> Floats:
        """Return the projected residual; zeros where nothing but rounding is left, so that a search ends."""
        return self._look(v)[0]

    def slopes(self, v: Floats) -> Floats:
        """Return the slopes of the projected residual, from the same look."""
        return self._look(v)[1]

    def _look(self, v: Floats) -> tuple[Floats, Floats]:
        key = v.tobytes()
        if key not in self._seen:
            clock.check()
            residual, slopes = self.projected(v)
            self.looks += 1
            self._seen[key] = (residual if residual @ residual > ROUNDING else np.zeros_like(residual)), slopes
        return self._seen[key]

    def _bounds(self, index: Ints) -> Floats:
        """The least and the largest size (2, n) of some of the inner parameters."""
        return np.array((self.least[index], self.most[index]))

    def inner(self, v: Floats) -> Floats:
        """Return the inner parameters (..., p)."""
        u = self.u0 + self.size * (v - 1.0)
        if self.logs is not None:
            u[..., self.logs] = self.sign * np.exp(
                np.minimum(np.maximum(u[..., self.logs], self.ends[0]), self.ends[1])
            )
        size = np.abs(u)
        if ((self.least <= size) & (size <= self.most)).all():
            return u
        return np.where(size < self.least, np.copysign(self.least, u), np.clip(u, -self.most, self.most))

    def projected(self, v: Floats) -> tuple[Floats, Floats]:
        """Return the projected residual (k + p + 1,), of length one where nothing is explained, and its slopes."""
        k, p = self.rows - len(v) - 1, len(v)
        table = self._table(v)
        if table is None:
            return np.full(k + p + 1, FAR), np.zeros((p, k + p + 1))
        r = triangle(table)
        left, across = r[k:, -1], r[k:, k:-1]
        if not isfinite(float(left @ left)):
            return np.full(k + p + 1, FAR), np.zeros((p, k + p + 1))
        outer, lever = _solved(r[:k, :k], r[:k, -1])
        residual, slopes = np.zeros(k + p + 1), np.empty((p, k + p + 1))
        residual[k:] = left
        slopes[:, :k] = lever[self.outer_of] * -(left @ across)[:, None]
        slopes[:, k:] = -across.T * outer[self.outer_of, None]
        return residual, slopes

    def _table(self, v: Floats) -> Floats | None:
        """Columns, their slopes by forward differences, and b, one per row; None where a column is not finite.

        Steps are at least STEP, also where a parameter vanishes.
        """
        there = v + STEP * np.maximum(np.abs(v), 1.0)
        steps = (there - v)[:, None]
        here, moved = self.inner(np.array((v, there)))
        f, m = len(self.problem.fixed), len(self.parts)
        table = np.empty((self.rows, len(self.b)))
        table[:f], table[-1] = self.problem.fixed, self.b
        values: list[Floats] = []
        for moving, first, end in self.parts:
            sets = np.empty((end - first + 1, end - first))
            sets[:] = here[first:end]
            sets[1:].flat[:: end - first + 1] = moved[first:end]
            values.append(moving(sets))
        columns = self.problem.columns(np.concatenate(values))
        for i, (_, first, end) in enumerate(self.parts):
            rows = columns[first + i : end + i + 1]
            table[f + i] = rows[0]
            table[f + m + first : f + m + end] = (rows[1:] - rows[0]) / steps[first:end]
        if isfinite(float(table.sum())):
            return table
        return np.where(np.isfinite(table), table, 0.0) if np.isfinite(table[: f + m]).all() else None


def _solved(r: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the coefficients (k,) of the columns, and row by row R^-1 (k, k); 0 for a column the others explain."""
    size = np.sqrt((r * r).sum(axis=0))
    dependent = np.abs(r.diagonal()) <= DEPENDENT * size
    if not dependent.any():
        inverse = dtrtri(r)[0]
        return inverse @ y, inverse
    r = r.copy()
    r[dependent, :] = 0.0
    r[dependent, dependent] = 1.0
    inverse = dtrtri(r)[0]
    inverse[dependent] = 0.0
    return inverse @ y, inverse


# --- which combinations of starts to refine: all are tried at once, by what their columns leave of the target


def leaders(b: Floats, fixed: Floats, grids: Sequence[Floats], count: int = LEADERS) -> list[tuple[int, ...]]:
    """Return the best combinations, one start per term, the best first: term after term, keeping the `count` best.

    b: (M,); fixed: (f, M) columns of terms without inner parameters; grids: per term its columns (s, M), one per start.
    A later term stands at its middle start until its turn.
    """
    beams: list[tuple[int, ...]] = [()]
    for i, grid in enumerate(grids):
        rest = [g[len(g) // 2] for g in grids[i + 1 :]]
        scored = np.array(
            [_left(b, np.array([*fixed, *(grids[k][j] for k, j in enumerate(beam)), *rest]), grid) for beam in beams]
        )
        order: Ints = np.argsort(scored, axis=None, kind="stable")[:count]
        beams = [(*beams[n // len(grid)], n % len(grid)) for n in order.tolist()]
    return beams


def _left(b: Floats, base: Floats, grid: Floats) -> Floats:
    """Return the squares (s,) that the base (k, M) and one column of the grid (s, M) together leave of b."""
    own = np.einsum("ij,ij->i", grid, grid)
    if len(base):
        packed, tau, _, _ = dgeqrf(base.T)
        q = dorgqr(packed[:, : len(tau)], tau)[0]
        b, grid = b - q @ (q.T @ b), grid - (grid @ q) @ q.T
    new = np.einsum("ij,ij->i", grid, grid)
    gain = np.square(grid @ b) / np.where(new > EXPLAINED * own, new, np.inf)
    return squares(float(b @ b) - gain, float(b @ b))
