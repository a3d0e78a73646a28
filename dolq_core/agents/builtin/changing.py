"""Terms and systems as the search for whole systems changes them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from dolq_core.fitting.likelihood import Judged, System, shape
from dolq_core.fitting.ranking import DOUBTFUL
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton

INTERNAL = 0.2
"""Share of a flow that is left of it, as fitted, up to which one state takes what another one loses."""
SHARE = re.compile(r"(?P<flow>.+)/\(params\[0\] \+ (?P<by>\w+(\*\*\d+)?)\)")
SIGMOID = re.compile(r"1/\(1 \+ exp\(-?params\[\d+\](\*\w+)?( [+-] params\[\d+\](\*\w+)?)*\)\)")


def replaced(system: System, j: int, terms: tuple[FittedTerm, ...]) -> list[System]:
    """Return systems with new terms in equation j, and a single new one in the place of an old one everywhere.

    None where no other equation has a term that is gone from this one, or more than one is new.
    """
    known = {term.skeleton: term for term in system[j]}
    new = [term for term in terms if term.skeleton not in known]
    kept = {term.skeleton for term in terms}
    found: list[System] = []
    for old in known.values() if len(new) == 1 else ():
        if old.skeleton in kept or not old.coefficient:
            continue
        size = new[0].coefficient / old.coefficient
        others = [
            tuple(replace(new[0], coefficient=size * t.coefficient) if t.skeleton == old.skeleton else t for t in own)
            for own in system
        ]
        if any(others[i] != own for i, own in enumerate(system) if i != j):
            found.append(tuple(terms if i == j else own for i, own in enumerate(others)))
    return found


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


def over_the_same(
    system: Sequence[Sequence[FittedTerm]], skeletons: Sequence[Skeleton]
) -> list[tuple[Skeleton, tuple[float, ...]]]:
    """Return terms over a denominator that stands in the system, each with the number that it has there.

    (x - c*y)/(K + x) is two terms with one K: beside the first as it is fitted, the second has to start from it.
    """
    known = {parts["by"]: term.inner for own in system for term in own if (parts := SHARE.fullmatch(term.skeleton))}
    shares = ((skeleton, SHARE.fullmatch(skeleton)) for skeleton in skeletons if known)
    return [(skeleton, known[parts["by"]]) for skeleton, parts in shares if parts and parts["by"] in known]


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
