"""The true terms of a benchmark system, and fitted terms written the way a law is."""

from dolq_core.data import System
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton, parse_term


def true_skeletons(system: System, equation: int) -> set[Skeleton]:
    """Return the skeletons of the true right-hand side."""
    return {parse_term(text, _names(len(system.terms))).skeleton for text in system.terms[equation]}


def as_law(term: FittedTerm, d: int) -> Skeleton:
    """Return a term's skeleton with its inner parameters as numbers of four digits, as a law would be written."""
    text = str(term.skeleton)
    for k, value in enumerate(term.inner):
        text = text.replace(f"params[{k}]", f"({value:.4g})")
    return parse_term(text, _names(d)).skeleton


def _names(d: int) -> list[str]:
    return [f"x{j}" for j in range(d)]
