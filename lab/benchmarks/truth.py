"""The true terms of the paper's systems, as skeletons."""

from dolq_core.bundled import System
from dolq_core.terms import Names, Skeleton, parse_term, safe_names


def true_skeletons(system: System, equation: int) -> list[Skeleton]:
    """Return the skeletons of the true right-hand side of a system of the paper."""
    return [parse_term(text, names_of(system)).skeleton for text in system.terms[equation]]


def names_of(system: System) -> Names:
    """Return the names of the states of a system of the paper."""
    return safe_names([f"x{j}" for j in range(len(system.terms))])
