"""Fitted terms written the way a law is, compared with the true ones: no term too many, none too few, none alike."""

import re
from collections.abc import Iterable, Sequence

from dolq_core.errors import TermError
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Names, Skeleton, parse_term

WITHIN = 0.05  # of a constant inside a term; outer coefficients are judged by the errors of the simulation
NUMBER = re.compile(r"(?<![\w.])\d+\.?\d*(?:e[-+]?\d+)?")


def as_law(term: FittedTerm, names: Names) -> Skeleton:
    """Return a term's skeleton with its inner parameters as numbers of four digits, as a law would be written.

    Where the numbers are none that a law would have (a power of 30), the skeleton is returned as it is.
    """
    text = str(term.skeleton)
    for k, value in enumerate(term.inner):
        text = text.replace(f"params[{k}]", f"({value:.4g})")
    try:
        return parse_term(text, names).skeleton
    except TermError:
        return term.skeleton


def is_exact(fit: EquationFit, true: Iterable[Skeleton], names: Names) -> bool:
    """Whether an equation has exactly the true terms, constants inside them within 5 %."""
    laws = list(true)
    missed, beyond = compared([as_law(term, names) for term in fit.terms], laws)
    return not missed and not beyond


def compared(found: Sequence[Skeleton], true: Sequence[Skeleton]) -> tuple[list[Skeleton], list[Skeleton]]:
    """Return (true terms that were not found, found terms that are not true); each term matches one other."""
    missed, beyond = list(true), list[Skeleton]()
    for term in found:
        match = next((law for law in missed if _alike(term, law)), None)
        if match is None:
            beyond.append(term)
        else:
            missed.remove(match)
    return missed, beyond


def _alike(one: Skeleton, other: Skeleton) -> bool:
    numbers, others = ([float(n) for n in NUMBER.findall(term)] for term in (one, other))
    same_form = NUMBER.sub("#", one) == NUMBER.sub("#", other)
    return same_form and all(_near(a, b) for a, b in zip(numbers, others, strict=True))


def _near(found: float, true: float) -> bool:
    """Whether a constant is right; whole numbers, such as powers, are the same or different."""
    if found.is_integer() and true.is_integer():
        return found == true
    return abs(found - true) <= WITHIN * abs(true)
