"""Fits that begin at numbers somebody has found before, besides the starts of the terms themselves."""

from collections.abc import Sequence

from dolq_core.fitting.equations import Equations, Inner
from dolq_core.records import EquationFit, Optimizer
from dolq_core.terms import Skeleton

BETTER = 0.01
"""Nats by which a fit from known numbers has to be better than that from the terms' own starts."""


def fitted_from(
    bench: Equations,
    equation: int,
    skeletons: Sequence[Skeleton],
    known: Sequence[Inner],
    optimizer: Optimizer = "linear",
) -> EquationFit:
    """Return the better fit of one structure: from its own starts, or from known inner parameters.

    known: of each term; () where none are. A search comes to its numbers step by step, from other sets and from other
    equations: of a structure with several shapes the starts of its terms alone may never lead there. Where samples are
    few the equation's own trajectory decides, and begins at its own starts; so do the paper's searches.
    """
    own = bench.fit(equation, skeletons, optimizer)
    if bench.is_sparse or optimizer != "linear" or not any(known):
        return own
    found = bench.again(equation, skeletons, known)
    return found if not found.failure and (own.failure or found.score < own.score - BETTER) else own


def refitted(bench: Equations, fit: EquationFit) -> EquationFit:
    """Return a structure fitted on other rows, from its own starts or from the numbers that it has."""
    return fitted_from(bench, fit.equation, [t.skeleton for t in fit.terms], [t.inner for t in fit.terms])
