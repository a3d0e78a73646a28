"""Fitted terms written the way a law is, to be compared with the true ones."""

from collections.abc import Iterable

from dolq_core.data import System
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Names, Skeleton, parse_term, safe_names


def as_law(term: FittedTerm, names: Names) -> Skeleton:
    """Return a term's skeleton with its inner parameters as numbers of four digits, as a law would be written."""
    text = str(term.skeleton)
    for k, value in enumerate(term.inner):
        text = text.replace(f"params[{k}]", f"({value:.4g})")
    return parse_term(text, names).skeleton


def is_exact(fit: EquationFit, true: Iterable[Skeleton], names: Names) -> bool:
    """Whether an equation has exactly the true terms."""
    return {as_law(term, names) for term in fit.terms} == set(true)


def true_skeletons(system: System, equation: int) -> set[Skeleton]:
    """Return the skeletons of the true right-hand side of a system of the paper."""
    return {parse_term(text, names_of(system)).skeleton for text in system.terms[equation]}


def names_of(system: System) -> Names:
    """Return the names of the states of a system of the paper."""
    return safe_names([f"x{j}" for j in range(len(system.terms))])
