"""The law that a case says, its trajectories, and what of a run's end is that law."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.errors import DataError
from dolq_core.laws import Law, is_exact, law_of_texts
from dolq_core.numerics.integrate import simulate
from dolq_core.records import EquationFit, RunState
from dolq_core.terms import Names, compile_rhs, safe_names
from lab.campaign.records import Case, Span

TRUE_RTOL, TRUE_EVALUATIONS = 1e-12, 1_000_000


def names_of(case: Case) -> Names:
    """Return the names that the case's equations are written in."""
    return safe_names([state.name for state in case.states])


def true_law(case: Case) -> Law:
    """Return the case's own law; empty for measured data."""
    return law_of_texts(case.equations, names_of(case))


def fits_of(state: RunState) -> list[EquationFit]:
    """Return the best equations with their reported coefficients, as far as there are any."""
    return [visited.reported for visited in state.best if visited is not None]


def exact(case: Case, fits: Sequence[EquationFit]) -> list[bool]:
    """Return of each equation of the case whether it has exactly the true terms, constants inside them within 5 %."""
    law, names = true_law(case), names_of(case)
    if len(fits) != len(law):
        return [False] * len(law)
    return [is_exact(fit, [part[0] for part in parts], names) for fit, parts in zip(fits, law, strict=True)]


def span_of(case: Case, span: Span) -> tuple[float, float]:
    """Return the times of a span."""
    return case.t if span == "id" else case.t_ext


@lru_cache(maxsize=256)
def trajectory(case: Case, start: int, span: Span) -> tuple[Floats, Floats]:
    """Return (points,) times and (points, d) states of the true law, to about eleven digits; raise DataError."""
    t = np.linspace(*span_of(case, span), case.points)
    rhs = compile_rhs(true_law(case), names_of(case).symbols)
    begin = np.array(case.initial[start])
    size = np.abs(begin)  # dislocations are counted in 1e12 to the square metre, and a thousand times as many
    bound = np.maximum(1e6, np.where(size > 1e6, 1e4, 100.0) * size)  # the absolute tolerance follows it: 1e-12
    path = simulate(rhs, begin, t, bound, rtol=TRUE_RTOL, evaluations=TRUE_EVALUATIONS)
    if path.failure:
        raise DataError(
            f"The system {case.id!r} from its initial state {start + 1}", path.failure.rstrip("."), "Shorten its spans."
        )
    return frozen(t), frozen(path.x)
