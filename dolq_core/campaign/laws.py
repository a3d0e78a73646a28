"""A law as numbers: right-hand sides of a system, evaluated along data and simulated."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.campaign.records import Case, Span
from dolq_core.errors import DataError
from dolq_core.numerics.integrate import simulate
from dolq_core.records import EquationFit
from dolq_core.terms import Names, Skeleton, compile_columns, compile_rhs, read_law, safe_names

Part: TypeAlias = tuple[Skeleton, float, tuple[float, ...]]
Law: TypeAlias = tuple[tuple[Part, ...], ...]
"""Per equation (skeleton, coefficient, inner parameters)."""

BLOWN_UP = 1e3
"""Times the largest value of the true trajectory: a simulated state beyond it counts as blown up."""
TRUE_RTOL, FOUND_RTOL = 1e-12, 1e-10
TRUE_EVALUATIONS, FOUND_EVALUATIONS = 1_000_000, 20_000


def names_of(case: Case) -> Names:
    """Return the names that the case's equations are written in."""
    return safe_names([state.name for state in case.states])


def law_of_texts(texts: Sequence[str], names: Names) -> Law:
    """Return a law that is written as text; raise TermError."""
    return tuple(tuple((skeleton, value, ()) for skeleton, value in read_law(text, names)) for text in texts)


def true_law(case: Case) -> Law:
    """Return the case's own law; empty for measured data."""
    return law_of_texts(case.equations, names_of(case))


def law_of_fits(fits: Sequence[EquationFit]) -> Law:
    """Return fitted equations as a law."""
    return tuple(tuple((term.skeleton, term.coefficient, term.inner) for term in fit.terms) for fit in fits)


def span_of(case: Case, span: Span) -> tuple[float, float]:
    """Return the times of a span."""
    return case.t if span == "id" else case.t_ext


@lru_cache(maxsize=256)
def trajectory(case: Case, start: int, span: Span) -> tuple[Floats, Floats]:
    """Return (points,) times and (points, d) states of the true law, to about eleven digits; raise DataError."""
    t = np.linspace(*span_of(case, span), case.points)
    rhs = compile_rhs(true_law(case), names_of(case).symbols)
    bound = np.full(len(case.states), 1e6)  # the absolute tolerance follows it: 1e-12
    path = simulate(rhs, np.array(case.initial[start]), t, bound, rtol=TRUE_RTOL, evaluations=TRUE_EVALUATIONS)
    if path.failure:
        raise DataError(
            f"The system {case.id!r} from its initial state {start + 1}", path.failure.rstrip("."), "Shorten its spans."
        )
    return frozen(t), frozen(path.x)


def slopes(law: Law, symbols: tuple[str, ...], t: Floats, x: Floats) -> Floats:
    """Return (n, d) right-hand sides along states x (n, d) at times t (n,); NaN or infinite where not defined."""
    rows = np.ascontiguousarray(x.T)
    with np.errstate(all="ignore"):
        columns = [
            np.sum([value * compile_columns(s, symbols)(rows, t, inner) for s, value, inner in parts], axis=0)
            if parts
            else np.zeros(len(t))
            for parts in law
        ]
    return np.column_stack(columns)


def simulated(law: Law, symbols: tuple[str, ...], t: Floats, x: Floats) -> Floats:
    """Return (n, d) states of a law from x[0] on; NaN where the simulation fails. x: the true ones, for their size."""
    bound = BLOWN_UP * np.maximum(np.max(np.abs(x), axis=0), 1e-6)
    return simulate(compile_rhs(law, symbols), x[0], t, bound, rtol=FOUND_RTOL, evaluations=FOUND_EVALUATIONS).x
