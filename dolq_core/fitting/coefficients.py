"""Coefficients of one structure: least squares, with variable projection when terms have inner parameters.

Where there are inner parameters, the errors of the outer coefficients are those of a fit of all numbers together: an
inner parameter that the data leave loose takes its coefficient with it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import hypot, isfinite

import numpy as np
from scipy.optimize import minimize

from dolq_core.arrays import Floats
from dolq_core.fitting.columns import Columns
from dolq_core.fitting.starts import INSIDE, exponents, free_signs, starts
from dolq_core.fitting.whole_runs import known_errors
from dolq_core.numerics.least_squares import LinearFit, least_squares
from dolq_core.numerics.varpro import LEADERS, ROUNDING, Budget, Problem, leaders, project
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton, count_params

WAVES = 24
"""Starts of a structure with a frequency that are refined: of its many minima the best 6 of 50 starts may miss one."""
MINIMA = re.compile(r"\b(?:sin|cos)\(params|params\[\d+\]\*t\)\*\*2|\bsqrt\((?:-\()?params")
"""What has many minima: a frequency, one wave at its time, and a root of what lies beyond a level."""
TIED, SIMPLEX = 2, 150
"""Starts at which terms of one form have the same numbers inside, and evaluations for each."""
TINY = 1e-150
"""Length from which a column counts as zero."""
ROUGH = 24
"""Evaluations for inner parameters when structures are only ranked."""
STEP = 1e-6
"""Relative step of the central differences by inner parameters."""
NEAR = 1e-8
"""Relative change of the squared residual at which a search on a part of the rows ends: all rows follow."""
REACH = 100.0
"""Times the starts of an inner parameter, up or down, within which it stays: further on its term is its own limit to a
part in a thousand, and where a search in such a valley ends, the processor's last digit would decide."""
EXPONENTS = (0.05, 20.0)
"""Sizes between which exponents stay: beyond them a power is a constant or a step."""
EXACT = 1e-11
"""Relative error of a coefficient of clean data at least: data that were integrated are exact to about eleven digits
(`lab.campaign.laws`), measured ones to fewer."""
CACHED = 4_000_000
"""Numbers in the columns of starts that are kept, 32 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Outer coefficients, inner parameters per term, and the columns (k, M) they give.

    inner_errors: standard errors (p,) of all inner parameters, inf where not told; None before they are asked for.
    """

    linear: LinearFit
    inner: tuple[tuple[float, ...], ...]
    columns: Floats
    inner_errors: Floats | None = None


class Fitter:
    """Fits structures with given columns; their values and times scale the starts of inner parameters.

    The search for inner parameters runs on a part of the rows, as many as there is to know; where that leaves more
    than rounding, it ends on all of them. A rough fit stops before.
    """

    def __init__(self, columns: Columns) -> None:
        self.all = columns
        self.few, self.some = columns.fewer
        some = columns.coarse
        self.samples = {**dict(zip(some.symbols, some.values, strict=True)), "t": some.t}
        self._starts: dict[Skeleton, list[Floats]] = {}
        self._reaches: dict[Skeleton, Floats] = {}
        self._grids: dict[Skeleton, tuple[Floats, Floats]] = {}
        self._kept = 0

    def fit(
        self,
        b: Floats,
        skeletons: Sequence[Skeleton],
        effective: float,
        *,
        thorough: bool = True,
        near: Sequence[tuple[float, ...]] = (),
    ) -> Fitted | str:
        """Fit b (M,); return a reason when there are no finite columns ("" when the terms must say why).

        near: inner parameters of each term to start from; () where its own starts are tried.
        """
        counts = [count_params(s) for s in skeletons]
        if sum(counts) == 0:
            return self._with(b, skeletons, tuple(() for _ in skeletons), effective) or ""
        fixed = self.columns([s for s, n in zip(skeletons, counts, strict=True) if not n])
        found = None if fixed is None else self._searched(b, fixed, skeletons, near, thorough=thorough)
        if fixed is None or found is None:
            return "no start for the inner parameters gives finite values on the data"
        fitted = self._with(b, skeletons, split(found, counts), effective)
        if not thorough or self.few is self.all or (fitted and fitted.linear.mse * len(b) <= ROUNDING * float(b @ b)):
            return fitted or ""
        ended = project(self._problem(self.all, fixed, b, skeletons), [found], _signs(skeletons))
        return (ended and self._with(b, skeletons, split(ended.inner, counts), effective)) or fitted or ""

    def with_joint_errors(self, b: Floats, skeletons: Sequence[Skeleton], found: Fitted, effective: float) -> Fitted:
        """Return the fit with the errors of outer and inner numbers together; as it is where no slope is finite."""
        slopes = [
            slope
            for skeleton, parameters in zip(skeletons, found.inner, strict=True)
            for slope in slopes_of(lambda values, s=skeleton: self.all.one(s, values), parameters)
        ]
        finite = [slope for slope in slopes if slope is not None]
        if not slopes or len(finite) < len(slopes):
            return found
        linear, errors = with_errors(found.linear, found.columns, np.array(finite), b, effective)
        sizes = np.repeat(np.abs(linear.coefficients), [len(inner) for inner in found.inner])
        apart = np.divide(errors, sizes, out=np.full(len(errors), np.inf), where=sizes > 0.0)
        return replace(found, linear=linear, inner_errors=apart)

    def columns(self, skeletons: Sequence[Skeleton], inner: Sequence[Sequence[float]] = ()) -> Floats | None:
        """Return the columns (k, M), or None where one is not finite."""
        rows = np.empty((len(skeletons), self.all.target.b.shape[1]))
        for i, skeleton in enumerate(skeletons):
            row = self.all.one(skeleton, inner[i] if inner else ())
            if row is None:
                return None
            rows[i] = row
        return rows

    def starts_of(self, skeleton: Skeleton) -> list[Floats]:
        """Return the starts (p,) of one term, cached."""
        if skeleton not in self._starts:
            self._starts[skeleton] = starts(skeleton, self.samples)
        return self._starts[skeleton]

    def typical(self, skeleton: Skeleton) -> tuple[float, ...]:
        """Return inner parameters in the middle of the starts; none for a term without any."""
        found = self.starts_of(skeleton)
        return tuple(found[len(found) // 2].tolist())

    def _with(
        self, b: Floats, skeletons: Sequence[Skeleton], inner: tuple[tuple[float, ...], ...], effective: float
    ) -> Fitted | None:
        """Outer coefficients for these inner parameters; None where a column is not finite."""
        columns = self.columns(skeletons, inner)
        return None if columns is None else Fitted(least_squares(columns, b, effective), inner, columns)

    def _searched(
        self,
        b: Floats,
        fixed: Floats,
        skeletons: Sequence[Skeleton],
        near: Sequence[tuple[float, ...]],
        *,
        thorough: bool,
    ) -> Floats | None:
        """Inner parameters of all terms (sum of counts,) from the best starts, on a part of the rows; None without."""
        known = near or [()] * len(skeletons)
        grids = [
            self._around(s, inner) if inner else self._grid(s)
            for s, inner in zip(skeletons, known, strict=True)
            if count_params(s)
        ]
        if not all(len(grid) for grid, _ in grids):
            return None
        problem = self._problem(self.few, fixed[:, self.some], b[self.some], skeletons)
        waves = thorough and any(map(MINIMA.search, skeletons))
        chosen = leaders(problem.b, problem.fixed, [rows for _, rows in grids], WAVES if waves else LEADERS)
        begin = [np.concatenate([grids[k][0][j] for k, j in enumerate(beam)]) for beam in chosen]
        alike = self._tied(skeletons, problem, grids) if thorough and not near else []
        begin = [*alike, *begin]
        how = Budget(len(begin) if waves else Budget().starts + len(alike)) if thorough else Budget(1, ROUGH)
        if self.few is not self.all:
            how = replace(how, settled=NEAR)
        found = project(problem, begin, _signs(skeletons), how)
        return None if found is None else found.inner

    def _tied(
        self, skeletons: Sequence[Skeleton], problem: Problem, grids: Sequence[tuple[Floats, Floats]]
    ) -> list[Floats]:
        """Return the best TIED starts at which the terms of one form have the same numbers inside, fitted as one.

        A current through a gate is two such terms: one alone, and one times the voltage. Numbers that start apart end
        in a valley where each makes up for the other.
        """
        moving = [s for s in skeletons if count_params(s)]
        forms = [(*INSIDE.findall(s), str(count_params(s))) for s in moving]
        form = next((form for form in forms if len(form) > 1 and forms.count(form) > 1), None)
        if form is None:
            return []
        own = [begin[len(begin) // 2] for begin, _ in grids]
        worst = 2.0 * float(problem.b @ problem.b)

        def values(shared: Floats) -> list[Floats]:
            return [shared if other == form else inner for other, inner in zip(forms, own, strict=True)]

        def left(shared: Floats) -> float:
            rows = [self.few.coarse.stack(s, v[None])[0] for s, v in zip(moving, values(shared), strict=True)]
            a: Floats = np.array([*problem.fixed, *rows], dtype=np.float64).T
            if not np.isfinite(a).all():
                return worst
            a = a / np.maximum(np.linalg.norm(a, axis=0), TINY)
            return float(np.sum((problem.b - a @ np.linalg.lstsq(a, problem.b, rcond=None)[0]) ** 2))

        ranked = sorted(grids[forms.index(form)][0], key=left)[:TIED]
        found = [minimize(left, start, method="Nelder-Mead", options={"maxfev": SIMPLEX}) for start in ranked]
        return [np.concatenate(values(np.asarray(one.x))) for one in found]

    def _problem(self, columns: Columns, fixed: Floats, b: Floats, skeletons: Sequence[Skeleton]) -> Problem:
        moving = [s for s in skeletons if count_params(s)]
        values, sizes = [partial(columns.values_of, s) for s in moving], [count_params(s) for s in moving]
        return Problem(fixed, values, sizes, b, np.hstack([self._reach(s) for s in moving]), columns.of_values)

    def _reach(self, skeleton: Skeleton) -> Floats:
        """The least and the largest size (2, p) of the inner parameters of a term; no least one for a phase."""
        if skeleton not in self._reaches:
            sizes = np.abs(np.array(self.starts_of(skeleton)))
            reach = np.array((sizes.min(axis=0) / REACH, sizes.max(axis=0) * REACH))
            reach[:, list(exponents(skeleton))] = np.array(EXPONENTS)[:, None]
            self._reaches[skeleton] = reach
        return self._reaches[skeleton]

    def _around(self, skeleton: Skeleton, inner: tuple[float, ...]) -> tuple[Floats, Floats]:
        """One start (1, p) and its column on a part of the rows (1, M); none where it is not finite."""
        begin = np.array([inner])
        rows = self.few.coarse.stack(skeleton, begin)
        finite = np.isfinite(rows[:, 0])
        return begin[finite], rows[finite]

    def _grid(self, skeleton: Skeleton) -> tuple[Floats, Floats]:
        """Starts (s, p) of one term that give finite columns, and these on a part of the rows (s, M), cached."""
        if skeleton not in self._grids:
            begin = np.array(self.starts_of(skeleton))
            rows = self.few.coarse.stack(skeleton, begin)
            finite = np.isfinite(rows[:, 0])
            if self._kept > CACHED:
                self._grids.clear()
                self._kept = 0
            self._grids[skeleton] = (begin[finite], rows[finite])
            self._kept += rows.size
        return self._grids[skeleton]


def _signs(skeletons: Sequence[Skeleton]) -> list[bool]:
    return [sign for s in skeletons for sign in free_signs(s)]


def slopes_of(column: Callable[[Sequence[float]], Floats | None], inner: Sequence[float]) -> list[Floats | None]:
    """Return the derivative (M,) of a column by each of its inner parameters; None where it is not finite."""
    found: list[Floats | None] = []
    for i, value in enumerate(inner):
        step = STEP * max(abs(value), STEP)
        low, high = (column([*inner[:i], value + by, *inner[i + 1 :]]) for by in (-step, step))
        found.append(None if low is None or high is None else (high - low) / (2.0 * step))
    return found


def with_errors(
    linear: LinearFit, columns: Floats, slopes: Floats, b: Floats, effective: float
) -> tuple[LinearFit, Floats]:
    """Return the fit (k columns) with the errors that its coefficients have when the slopes (p, M) are fitted too.

    Beside it the standard errors (p,) of the inner parameters, each times the size of its term's coefficient.

    Source: the covariance of a nonlinear least-squares fit, s^2 (J' J)^-1, with J the columns and the slopes.
    """
    joint = least_squares(np.vstack((columns, slopes)), b, effective)
    worth = min(effective, float(len(b))) - joint.rank
    spread = float(np.dot(linear.residual, linear.residual)) / max(worth, 1.0)
    errors = np.where(np.isfinite(joint.std_errors), np.sqrt(spread * np.sum(joint.root**2, axis=1)), np.inf)
    k = len(columns)
    return replace(linear, std_errors=errors[:k], root=joint.root[:k]), errors[k:]


def bare_terms(skeletons: Sequence[Skeleton], found: Fitted) -> list[FittedTerm]:
    """Return the terms with their inner parameters, and the errors of these where they are known."""
    terms: list[FittedTerm] = []
    at = 0
    for skeleton, inner in zip(skeletons, found.inner, strict=True):
        end = at + len(inner)
        errors = () if found.inner_errors is None else known_errors(found.inner_errors[at:end])
        terms.append(FittedTerm(skeleton, 0.0, None, inner, tuple(errors)))
        at = end
    return terms


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


def with_systematic_errors(terms: Sequence[FittedTerm], told: Floats) -> tuple[FittedTerm, ...]:
    """Return terms of clean data with what no residual shows in their standard errors.

    What quadrature, interpolation and the integration of the data leave is smooth, so that neighbouring rows err alike:
    the block jackknife sees part of that, a relative error of EXACT stands for the rest. told: (k,) coefficients over
    their block-jackknife errors. Of the 95 % intervals of the suites 67 % held the true coefficient with the residual
    alone, 89 % with the jackknife, 96 % with both.
    """
    done: list[FittedTerm] = []
    for term, ratio in zip(terms, told.tolist(), strict=True):
        size = abs(term.coefficient)
        if term.std_error is not None and ratio > 0.0:
            term = replace(term, std_error=hypot(term.std_error, size / ratio, EXACT * size))
        inner = tuple(
            None if error is None else hypot(error, EXACT * abs(value))
            for value, error in zip(term.inner, term.inner_errors, strict=False)
        )
        done.append(replace(term, inner_errors=inner))
    return tuple(done)
