"""A law as terms with numbers: evaluated along data, simulated, and compared with the true one."""

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.errors import TermError
from dolq_core.numerics.integrate import BLOWN_UP, simulate
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Names, Skeleton, compile_columns, compile_rhs, parse_term, read_law

Part: TypeAlias = tuple[Skeleton, float, tuple[float, ...]]
Law: TypeAlias = tuple[tuple[Part, ...], ...]
"""Per equation (skeleton, coefficient, inner parameters)."""

FOUND_RTOL, FOUND_EVALUATIONS = 1e-10, 20_000
WITHIN = 0.05  # of a constant inside a term; outer coefficients are judged by the errors of the simulation
_NUMBER = re.compile(r"(?<![\w.])\d+\.?\d*(?:e[-+]?\d+)?")


def law_of_texts(texts: Sequence[str], names: Names) -> Law:
    """Return a law that is written as text; raise TermError."""
    return tuple(tuple((skeleton, value, ()) for skeleton, value in read_law(text, names)) for text in texts)


def law_of_fits(fits: Sequence[EquationFit]) -> Law:
    """Return fitted equations as a law."""
    return tuple(tuple((term.skeleton, term.coefficient, term.inner) for term in fit.terms) for fit in fits)


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
    numbers, others = ([float(n) for n in _NUMBER.findall(term)] for term in (one, other))
    same_form = _NUMBER.sub("#", one) == _NUMBER.sub("#", other)
    return same_form and all(_near(a, b) for a, b in zip(numbers, others, strict=True))


def _near(found: float, true: float) -> bool:
    """Whether a constant is right; whole numbers, such as powers, are the same or different."""
    if found.is_integer() and true.is_integer():
        return found == true
    return abs(found - true) <= WITHIN * abs(true)
