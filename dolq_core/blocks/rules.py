"""Building blocks held against terms and fits."""

from collections.abc import Iterable
from functools import lru_cache

from dolq_core.records import Blocks, EquationBlocks, FittedTerm, Intervention, TermKey, TermNote
from dolq_core.terms import Skeleton, calls, degree_of, is_of_kind, variables

FREE = Blocks()


def why_not(blocks: Blocks, key: TermKey) -> str:
    """Return which building block a term would need that is not there; empty where it may be tried."""
    return "" if blocks is FREE or blocks == FREE else _why_not(blocks, key)


@lru_cache(maxsize=16384)
def _why_not(blocks: Blocks, key: TermKey) -> str:
    term = key.skeleton
    strange = [] if blocks.functions is None else [name for name in calls(term) if name not in blocks.functions]
    if strange:
        return f"{strange[0]} is not among the functions allowed"
    if blocks.degree is not None and degree_of(term) > blocks.degree:
        return f"its degree is above {blocks.degree}, the highest allowed"
    if not blocks.ratios and is_of_kind(term, "ratio"):
        return "ratios are not allowed"
    if not blocks.inner and is_of_kind(term, "fitted"):
        return "numbers that are fitted inside a term are not allowed"
    if not blocks.time and is_of_kind(term, "time"):
        return "the time itself is not allowed in a term"
    own = own_of(blocks, key.equation)
    if own.variables is not None and (other := variables(term) - set(own.variables)):
        return f"{min(other)} is not allowed in this equation"
    if own.terms is not None and term not in own.terms:
        return "this equation may have other terms only"
    return ""


def required(blocks: Blocks, equation: int) -> tuple[Skeleton, ...]:
    """Return the terms that an equation always has."""
    if not blocks.equations:
        return ()
    own = own_of(blocks, equation)
    return tuple(dict.fromkeys((*own.must, *(term for term, _ in own.fixed))))


def first_word(blocks: Blocks) -> Intervention:
    """Return vetoes and pins as what a person says before the first iteration."""
    ban, pin = (tuple(TermNote(TermKey(*place)) for place in places) for places in (blocks.vetoes, blocks.pins))
    return Intervention(ban=ban, pin=pin)


def is_known(blocks: Blocks, equation: int, term: FittedTerm) -> bool:
    """Whether the coefficient of a term is declared."""
    return bool(blocks.equations) and term.skeleton in dict(own_of(blocks, equation).fixed)


def wrong_sign(blocks: Blocks, equation: int, terms: Iterable[FittedTerm]) -> str:
    """Return which coefficient of an equation is none that is allowed; empty where all may stand.

    With a coefficient held at zero, by its sign or its limit, the fit is that of the structure without the term.
    """
    own = own_of(blocks, equation)
    signs, zero = dict(own.signs), {bound.skeleton for bound in own.bounds if bound.inner is None}
    for term in terms if signs or zero else ():
        sign = signs.get(term.skeleton)
        if sign is not None and (term.coefficient > 0.0) != (sign == "positive"):
            return f"the coefficient of {term.skeleton} may only be {sign}"
        if term.skeleton in zero and term.coefficient == 0.0 and term.skeleton not in required(blocks, equation):
            return f"the coefficient of {term.skeleton} is at its limit, zero"
    return ""


def own_of(blocks: Blocks, equation: int) -> EquationBlocks:
    """Return what is declared for one equation."""
    return next((own for own in blocks.equations if own.equation == equation), EquationBlocks(equation))
