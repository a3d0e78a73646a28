"""Terms and systems as the search for whole systems changes them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from dolq_core.fitting.likelihood import Judged, shape
from dolq_core.fitting.ranking import DOUBTFUL
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton

INTERNAL = 0.2
"""Share of a flow that is left of it, as fitted, up to which one state takes what another one loses."""
SIGMOID = re.compile(r"1/\(1 \+ exp\(-?params\[\d+\](\*\w+)?( [+-] params\[\d+\](\*\w+)?)*\)\)")


def entering(equations: Sequence[Sequence[FittedTerm]]) -> list[FittedTerm]:
    """Return what leaves some equations: their terms with the other sign, without what one takes from another."""
    found: dict[Skeleton, list[FittedTerm]] = {}
    for terms in equations:
        for term in terms:
            found.setdefault(term.skeleton, []).append(term)
    left: list[FittedTerm] = []
    for same in found.values():
        total = sum(term.coefficient for term in same)
        if abs(total) > INTERNAL * max(abs(term.coefficient) for term in same):
            left.append(replace(same[0], coefficient=-total))
    return sorted(left, key=lambda term: term.skeleton)


def complement(term: FittedTerm, other: FittedTerm) -> FittedTerm:
    """Return a sigmoid's complement where a constant stands beside it: c - c/(1 + exp(u)) is c/(1 + exp(-u))."""
    if other.skeleton != "1" or other.coefficient * term.coefficient >= 0.0 or not SIGMOID.fullmatch(term.skeleton):
        return term
    return replace(term, coefficient=other.coefficient, inner=tuple(-v for v in term.inner))


def joined(
    first: Sequence[tuple[FittedTerm, ...]], second: Sequence[tuple[FittedTerm, ...]]
) -> list[tuple[FittedTerm, ...]]:
    """Both pools, each structure once."""
    found: dict[frozenset[Skeleton], tuple[FittedTerm, ...]] = {}
    for terms in (*first, *second):
        found.setdefault(frozenset(t.skeleton for t in terms), terms)
    return list(found.values())


def plainest_first(found: list[Judged], length: Callable[[Judged], float]) -> list[Judged]:
    """Return the same with the first one's part in front that has no DOUBTFUL term, where there is one."""
    if not found:
        return found
    best, least = shape(found[0].system), length(found[0])
    for k, judged in enumerate(found):
        if length(judged) > least + DOUBTFUL:
            break
        own = shape(judged.system)
        if own != best and all(set(part) <= set(whole) for part, whole in zip(own, best, strict=True)):
            return [judged, *found[:k], *found[k + 1 :]]
    return found
