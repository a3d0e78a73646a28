"""Least squares for one equation whose numbers are restricted: known, between limits, or one in several places."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares as nonlinear
from scipy.optimize import lsq_linear

from dolq_core.arrays import Bools, Floats, Ints
from dolq_core.fitting.coefficients import Fitted, slopes_of, split
from dolq_core.fitting.restriction import Restriction, places_of, restriction_of
from dolq_core.fitting.whole_runs import numbers_of
from dolq_core.numerics.least_squares import LinearFit, jackknife_t, least_squares
from dolq_core.records import Blocks, FittedTerm
from dolq_core.terms import Skeleton, count_params

LOST = 1e3
"""Times the left-hand side that stands for columns that are not finite."""
STEPS = 200
"""Evaluations of a search within limits."""
ENDED = 1e-14
"""Relative change at which it ends."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """Terms and their columns: one(place of the term, inner) is (M,), or None where it is not finite."""

    skeletons: Sequence[Skeleton]
    one: Callable[[int, Sequence[float]], Floats | None]

    @property
    def outer(self) -> list[int]:
        """Return the places of the coefficients among all numbers."""
        return places_of(self.skeletons)

    @property
    def moves(self) -> bool:
        """Whether a term holds numbers."""
        return any(map(count_params, self.skeletons))

    def inner(self, theta: Floats) -> tuple[tuple[float, ...], ...]:
        """Return the inner parameters of each term."""
        return split(np.delete(theta, self.outer), [count_params(s) for s in self.skeletons])

    def columns(self, theta: Floats) -> Floats | None:
        """Return the columns (k, M); None where one is not finite."""
        rows = [self.one(k, inner) for k, inner in enumerate(self.inner(theta))]
        finite = [row for row in rows if row is not None]
        return np.array(finite) if len(finite) == len(rows) else None

    def slopes(self, theta: Floats) -> Floats | None:
        """Return the slopes (p, M) of the right-hand side by all numbers; None where one is not finite."""
        rows: list[Floats | None] = []
        for k, (inner, at) in enumerate(zip(self.inner(theta), self.outer, strict=True)):
            factor = float(theta[at])
            turned = slopes_of(lambda values, k=k: self.one(k, values), inner)
            rows += [self.one(k, inner), *(None if row is None else factor * row for row in turned)]
        finite = [row for row in rows if row is not None]
        return np.array(finite) if len(finite) == len(rows) else None


def within(
    shape: Shape, b: Floats, rule: Restriction, starts: Sequence[Floats], effective: float
) -> tuple[Fitted, Restriction] | None:
    """Fit b (M,); None where the columns are finite at no start (p,).

    Beside it what is left of the rule: numbers at their limits are held there.
    """
    trials = [z for start in starts if (z := _searched(shape, b, rule, rule.reduced(start))) is not None]
    best = min(trials, key=lambda z: _left(shape, b, rule.full(z)), default=None)
    if best is None:
        return None
    held, theta = rule.held(best, rule.at_limits(best)), rule.full(best)
    columns, slopes = shape.columns(theta), shape.slopes(theta)
    if columns is None or slopes is None:
        return None
    outer = shape.outer
    residual = b - theta[outer] @ columns
    free = least_squares(held.free.T @ slopes, residual, effective)
    worth = max(min(effective, float(len(b))) - free.rank, 1.0)
    spread = float(np.dot(residual, residual)) / worth
    covariance = held.covariance(_known(spread * free.root @ free.root.T, free.std_errors))
    errors = np.sqrt(np.diag(covariance))
    root = np.where(np.isfinite(errors)[:, None], held.free @ free.root, 0.0)
    inner = np.delete(errors, outer)
    linear = LinearFit(theta[outer], errors[outer], residual, free.rank, root[outer])
    return Fitted(linear, shape.inner(theta), columns, inner), held


def restricted(
    shape: Shape,
    b: Floats,
    rule: Restriction,
    free: Fitted | str,
    typical: Callable[[Skeleton], tuple[float, ...]],
    effective: float,
) -> tuple[Fitted | str, Restriction | None]:
    """Fit from the free fit, and from typical inner parameters; a reason ("" when the terms say why) without a fit."""
    starts = [np.array([v for s in shape.skeletons for v in (0.0, *typical(s))])]
    if not isinstance(free, str):
        own = zip(free.linear.coefficients.tolist(), free.inner, strict=True)
        starts.insert(0, np.array([v for coefficient, inner in own for v in (coefficient, *inner)]))
    found = within(shape, b, rule, starts if shape.moves else starts[:1], effective)
    return ("", None) if found is None else found


def held_of(blocks: Blocks, equation: int, terms: Sequence[FittedTerm]) -> Restriction | None:
    """Return what is left to fit of an equation, what is at its limits held there; None where all is free."""
    rule = restriction_of(blocks, [(equation, term.skeleton) for term in terms])
    if rule is None:
        return None
    z = rule.reduced(numbers_of([terms]))
    return rule.held(z, rule.at_limits(z))


def free_of(held: Restriction | None, terms: Sequence[FittedTerm]) -> Bools:
    """Return which coefficients (k,) are left to fit."""
    return np.ones(len(terms), dtype=np.bool_) if held is None else held.moves[_outer(terms)]


def rest(held: Restriction | None, terms: Sequence[FittedTerm], a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return columns (q, M) and left-hand side (M,) of the coefficients that are left to fit, the others held."""
    if held is None:
        return a, b
    free = held.free[_outer(terms)]
    return free[:, np.any(free != 0.0, axis=0)].T @ a, b - held.fixed[_outer(terms)] @ a


def told(held: Restriction | None, terms: Sequence[FittedTerm], a: Floats, b: Floats, blocks: Ints) -> list[float]:
    """Return each coefficient over its block-jackknife error; inf where it is not left to fit."""
    if held is None:
        return jackknife_t(a, b, blocks).tolist()
    found = np.full(len(terms), np.inf)
    found[free_of(held, terms)] = jackknife_t(*rest(held, terms, a, b), blocks)
    return found.tolist()


def _outer(terms: Sequence[FittedTerm]) -> list[int]:
    return places_of([term.skeleton for term in terms])


def _known(covariance: Floats, errors: Floats) -> Floats:
    loose = ~np.isfinite(errors)
    found = covariance.copy()
    found[loose, loose] = np.inf
    return found


def _left(shape: Shape, b: Floats, theta: Floats) -> float:
    columns = shape.columns(theta)
    return np.inf if columns is None else float(np.sum((b - theta[shape.outer] @ columns) ** 2))


def _searched(shape: Shape, b: Floats, rule: Restriction, z: Floats) -> Floats | None:
    """Return the best z (q,) near a start; None where the columns are not finite there."""
    first = shape.slopes(rule.full(z))
    if first is None:
        return None
    if not len(z):
        return z
    if len(rule.fixed) == len(shape.skeletons):
        a, left = rule.free.T @ first, b - rule.fixed @ first
        size = np.linalg.norm(a, axis=1)
        size[size == 0.0] = 1.0
        return np.asarray(lsq_linear((a / size[:, None]).T, left, (rule.low * size, rule.high * size), "bvls").x) / size
    lost = LOST * float(np.sqrt(np.mean(b**2))) * np.ones(len(b))

    def residual(at: Floats) -> Floats:
        columns = shape.columns(rule.full(at))
        return lost if columns is None else rule.full(at)[shape.outer] @ columns - b

    def jacobian(at: Floats) -> Floats:
        slopes = shape.slopes(rule.full(at))
        return np.zeros((len(b), len(at))) if slopes is None else (rule.free.T @ slopes).T

    with np.errstate(all="ignore"):
        room = np.where(rule.high > rule.low, rule.high, rule.low + 1e-12)
        found = nonlinear(
            residual, np.clip(z, rule.low, room), jacobian, (rule.low, room), x_scale="jac", max_nfev=STEPS,
            ftol=ENDED, xtol=ENDED, gtol=ENDED,
        )  # fmt: skip
    at = np.asarray(found.x, dtype=np.float64)
    near = np.abs(at) * 1e-6
    return np.where(at - rule.low <= near, rule.low, np.where(rule.high - at <= near, rule.high, at))
