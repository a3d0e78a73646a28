"""Coefficients of one structure: least squares, with variable projection when terms have inner parameters.

Where there are inner parameters, the errors of the outer coefficients are those of a fit of all numbers together: an
inner parameter that the data leave loose takes its coefficient with it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting.starts import free_signs, starts
from dolq_core.numerics.least_squares import LinearFit, least_squares
from dolq_core.numerics.varpro import project, projected_out
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton, count_params

Column = Callable[[Skeleton, Sequence[float]], Floats | None]

ROUGH = 24
"""Evaluations for inner parameters when structures are only ranked."""
STEP = 1e-6
"""Relative step of the central differences by inner parameters."""
LEADERS = 6
"""Combinations of starts of all terms that are handed to variable projection."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Outer coefficients, inner parameters per term, and the columns (k, M) they give."""

    linear: LinearFit
    inner: tuple[tuple[float, ...], ...]
    columns: Floats


class Fitter:
    """Fits structures with given columns; `values` (symbols, N) and `t` (N,) scale the starts."""

    def __init__(self, column: Column, values: Floats, t: Floats, symbols: Sequence[str]) -> None:
        self.column = column
        self.samples = {**dict(zip(symbols, values, strict=True)), "t": t}
        self._starts: dict[Skeleton, list[Floats]] = {}

    def fit(self, b: Floats, skeletons: Sequence[Skeleton], effective: float, *, thorough: bool = True) -> Fitted | str:
        """Fit b (M,); return a reason when there are no finite columns ("" when the terms must say why)."""
        counts = [count_params(s) for s in skeletons]
        if sum(counts) == 0:
            inner: tuple[tuple[float, ...], ...] = tuple(() for _ in skeletons)
        else:
            found = self._inner(b, skeletons, counts, thorough=thorough)
            if found is None:
                return "no start for the inner parameters gives finite values on the data"
            inner = split(found, counts)
        columns = self.columns(skeletons, inner)
        if columns is None:
            return ""
        linear = least_squares(columns, b, effective)
        if thorough and any(inner):
            linear = self._jointly(linear, skeletons, inner, columns, b, effective)
        return Fitted(linear, inner, columns)

    def _jointly(
        self,
        linear: LinearFit,
        skeletons: Sequence[Skeleton],
        inner: Sequence[Sequence[float]],
        columns: Floats,
        b: Floats,
        effective: float,
    ) -> LinearFit:
        """Return the fit with the errors of outer and inner numbers together; as it is where no slope is finite."""
        slopes = [
            slope
            for skeleton, parameters in zip(skeletons, inner, strict=True)
            for slope in slopes_of(lambda values, s=skeleton: self.column(s, values), parameters)
        ]
        finite = [slope for slope in slopes if slope is not None]
        return with_errors(linear, columns, np.array(finite), b, effective) if len(finite) == len(slopes) else linear

    def columns(self, skeletons: Sequence[Skeleton], inner: Sequence[Sequence[float]]) -> Floats | None:
        """Return the columns (k, M), or None where one is not finite."""
        rows: list[Floats] = []
        for skeleton, parameters in zip(skeletons, inner, strict=True):
            row = self.column(skeleton, parameters)
            if row is None:
                return None
            rows.append(row)
        return np.array(rows)

    def starts_of(self, skeleton: Skeleton) -> list[Floats]:
        """Return the starts (p,) of one term, cached."""
        if skeleton not in self._starts:
            self._starts[skeleton] = starts(skeleton, self.samples)
        return self._starts[skeleton]

    def typical(self, skeleton: Skeleton) -> tuple[float, ...]:
        """Return inner parameters in the middle of the starts; none for a term without any."""
        found = self.starts_of(skeleton)
        return tuple(found[len(found) // 2].tolist())

    def _inner(
        self, b: Floats, skeletons: Sequence[Skeleton], counts: Sequence[int], *, thorough: bool
    ) -> Floats | None:
        """Inner parameters of all terms (sum of counts,), or None."""
        fixed = [r for s, n in zip(skeletons, counts, strict=True) if not n and (r := self.column(s, ())) is not None]
        if len(fixed) < sum(1 for n in counts if not n):
            return None
        moving = [s for s, n in zip(skeletons, counts, strict=True) if n]
        sizes = [n for n in counts if n]
        grids = [self._on_grid(s) for s in moving]
        if not all(grids):
            return None

        def columns(inner: Floats) -> Floats | None:
            rows = self.columns(moving, split(inner, sizes))
            return None if rows is None else np.array([*fixed, *rows])

        signed = [sign for s in moving for sign in free_signs(s)]
        leaders = self._leaders(b, fixed, grids)
        found = project(columns, b, leaders, signed) if thorough else project(columns, b, leaders[:1], signed, ROUGH)
        return None if found is None else found.inner

    def _on_grid(self, skeleton: Skeleton) -> list[tuple[Floats, Floats]]:
        return [(s, row) for s in self.starts_of(skeleton) if (row := self.column(skeleton, s.tolist())) is not None]

    def _leaders(
        self, b: Floats, fixed: Sequence[Floats], grids: Sequence[Sequence[tuple[Floats, Floats]]]
    ) -> list[Floats]:
        """Return the best combinations of starts: term after term, keeping the LEADERS best, then once more."""
        beams: list[list[int]] = [[]]
        for i, grid in enumerate(grids):
            trials = [[*beam, j] for beam in beams for j in range(len(grid))]
            rest = [g[len(g) // 2][1] for g in grids[i + 1 :]]
            scored = [
                (_left(np.array([*fixed, *(grids[k][j][1] for k, j in enumerate(trial)), *rest]), b), trial)
                for trial in trials
            ]
            beams = [trial for _, trial in sorted(scored)[:LEADERS]]
        return [np.concatenate([grids[k][j][0] for k, j in enumerate(beam)]) for beam in beams]


def _left(columns: Floats, b: Floats) -> float:
    return float(np.sum(projected_out(columns, b) ** 2))


def slopes_of(column: Callable[[Sequence[float]], Floats | None], inner: Sequence[float]) -> list[Floats | None]:
    """Return the derivative (M,) of a column by each of its inner parameters; None where it is not finite."""
    found: list[Floats | None] = []
    for i, value in enumerate(inner):
        step = STEP * max(abs(value), STEP)
        low, high = (column([*inner[:i], value + by, *inner[i + 1 :]]) for by in (-step, step))
        found.append(None if low is None or high is None else (high - low) / (2.0 * step))
    return found


def with_errors(linear: LinearFit, columns: Floats, slopes: Floats, b: Floats, effective: float) -> LinearFit:
    """Return the fit (k columns) with the errors that its coefficients have when the slopes (p, M) are fitted too.

    Source: the covariance of a nonlinear least-squares fit, s^2 (J' J)^-1, with J the columns and the slopes.
    """
    joint = least_squares(np.vstack((columns, slopes)), b, effective)
    root, known = joint.root[: len(columns)], np.isfinite(joint.std_errors[: len(columns)])
    worth = min(effective, float(len(b))) - joint.rank
    spread = float(np.dot(linear.residual, linear.residual)) / max(worth, 1.0)
    errors = np.where(known, np.sqrt(spread * np.sum(root**2, axis=1)), np.inf)
    return replace(linear, std_errors=errors, root=root)


def with_numbers(
    terms: Sequence[FittedTerm], linear: LinearFit
) -> tuple[tuple[FittedTerm, ...], tuple[tuple[float | None, ...], ...]]:
    """Return the terms with coefficients and standard errors of a fit, and the correlation of the coefficients."""
    done = tuple(
        replace(term, coefficient=float(c), std_error=float(e) if isfinite(e) else None)
        for term, c, e in zip(terms, linear.coefficients, linear.std_errors, strict=True)
    )
    return done, rows_of(linear.correlation)


def rows_of(correlation: Floats) -> tuple[tuple[float | None, ...], ...]:
    """Return a correlation (k, k) for the record, None for NaN; empty when nothing in it is known."""
    rows = tuple(tuple(value if isfinite(value) else None for value in row) for row in correlation.tolist())
    return rows if any(value is not None for row in rows for value in row) else ()


def split(inner: Floats, counts: Sequence[int]) -> tuple[tuple[float, ...], ...]:
    """Cut the inner parameters of all terms (p,) into those of each term."""
    ends = np.cumsum(np.array([0, *counts]))
    return tuple(tuple(inner[i:j].tolist()) for i, j in zip(ends[:-1], ends[1:], strict=True))
