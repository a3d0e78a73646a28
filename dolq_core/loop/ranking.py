"""Which structures lead: visited, allowed, the best first.

A person's veto holds for what a term does, too: x*y/(p + y) with p far above y is x*y under another name.
"""

from collections.abc import Collection, Iterable, Sequence

from dolq_core.bans import by_person, is_in_force
from dolq_core.blocks import is_joint, is_watched, required
from dolq_core.fitting.limits import imitated, is_exact, is_explained, is_refuted, series
from dolq_core.fitting.merit import rank
from dolq_core.records import EquationFit, FittedTerm, RunState, Structure, Term, TermKey, Visited
from dolq_core.terms import Skeleton

KEPT = ("keep", "pin")
"""Wishes with which a person lets a term in as it is."""


def structure(equation: int, terms: Sequence[Term | FittedTerm]) -> Structure:
    """Return the identity of a structure: order of terms does not count."""
    return equation, tuple(sorted(term.skeleton for term in terms))


def shape(law: Sequence[Sequence[Term]]) -> tuple[Structure, ...]:
    """Return the identity of a hypothesis."""
    return tuple(structure(j, terms) for j, terms in enumerate(law))


def structures(fits: Sequence[EquationFit]) -> tuple[Structure, ...]:
    """Return the identity of a system."""
    return tuple(structure(fit.equation, fit.terms) for fit in fits)


def best_of(state: RunState) -> tuple[Visited | None, ...]:
    """Return per equation the first of `ranked` with no removed term under another name; None where none is left."""
    if is_joint(state.problem.blocks) or is_watched(state.problem.blocks):
        return _whole(state)
    return tuple(
        next((visited for visited in ranked(state, j) if dodged(state, visited.reported) is None), None)
        for j in range(len(state.problem.dataset.states))
    )


def _whole(state: RunState) -> tuple[Visited | None, ...]:
    """Return the system that the last iteration chose, where equations hang together; none where a word forbids it."""
    d = len(state.problem.dataset.states)
    chosen = state.last.refined if state.last is not None else ()
    visited = [state.archive.get(key) for key in structures(chosen)]
    allowed = all(one is not None and one in ranked(state, j) for j, one in enumerate(visited))
    return tuple(visited) if len(visited) == d and allowed else (None,) * d


def ranked(state: RunState, equation: int) -> list[Visited]:
    """Return the visited structures with all that must be there and nothing that a person banned, the best first.

    Where one is exact on the ends of the runs too, what these refute comes last: both leave nothing of the rest.
    """
    allowed = [
        visited
        for (j, skeletons), visited in state.archive.items()
        if j == equation and not visited.fit.failure and may_stand(state, j, skeletons)
    ]
    holds = any(is_exact(visited.fit) and not is_refuted(state, visited.fit) for visited in allowed)
    return sorted(allowed, key=lambda visited: (holds and is_refuted(state, visited.fit), rank(state, visited)))


def unharmed(state: RunState) -> dict[int, Visited]:
    """Return the laws that explained whole runs, by equation, where a person's word took the one of another equation.

    They stay: a search for whole systems would let them make up for what that other one misses.
    """
    return {j: v for j, v in enumerate(state.best) if v is not None and _explained(v)} if lost(state) else {}


def lost(state: RunState) -> frozenset[int]:
    """Return the equations whose law explained whole runs until a person's word took it, and that have no other one."""
    ruled_out = {
        j for (j, skeletons), visited in state.archive.items()
        if _explained(visited) and not may_stand(state, j, skeletons)
    }  # fmt: skip
    return frozenset(j for j in ruled_out if (best := state.best[j]) is None or not is_explained(best))


def _explained(visited: Visited) -> bool:
    return visited.refined is not None and is_explained(visited)


def may_stand(state: RunState, equation: int, skeletons: Collection[Skeleton]) -> bool:
    """Whether a person's word lets terms be an equation: with all that must be there, and nothing that was removed."""
    pinned = {key.skeleton for key in state.pins if key.equation == equation}
    pinned |= {*required(state.problem.blocks, equation)}
    return pinned <= set(skeletons) and not any(by_person(state, TermKey(equation, s)) for s in skeletons)


def dodged(
    state: RunState, fit: EquationFit, spared: Iterable[Skeleton] = (), *, soft: bool = False
) -> tuple[tuple[Skeleton, ...], Skeleton, bool] | None:
    """Return a term of a fit, the removed one that it stands for on these data, and whether it does so alone.

    Else it does with fitted numbers inside and beside the other terms, where a person removed it: x/(p + x) is
    1/(p + x) beside a constant. Or several terms, whose sum it is. None where every veto is kept.

    spared: those that a person named, which are let in as they are.
    soft: the machine's bans count too, where they are in force beside the other terms.
    """
    if fit.failure:
        return None
    together = {term.skeleton for term in fit.terms}
    named = {key.skeleton for key in state.pins if key.equation == fit.equation} | set(spared)
    named |= {*required(state.problem.blocks, fit.equation)}
    dataset, vetoed = state.problem.dataset, _removed(state, fit.equation, (), soft=False)
    named |= {
        key.skeleton for key, wish in state.wishes.items() if key.equation == fit.equation and wish.choice in KEPT
    }
    free = [term for term in fit.terms if term.skeleton not in named]
    for term in free:
        others = [other for other in fit.terms if other is not term]
        removed = _removed(state, fit.equation, together - {term.skeleton}, soft=soft)
        if (twin := imitated(dataset, term, removed)) is not None:
            return (term.skeleton,), twin, True
        if (twin := imitated(dataset, term, vetoed, others)) is not None:
            return (term.skeleton,), twin, False
    summed = series(dataset, free, vetoed)
    return None if summed is None else (*summed, True)


def _removed(state: RunState, equation: int, beside: Collection[Skeleton], *, soft: bool) -> list[Skeleton]:
    """Return the terms that may not stand in an equation, beside others."""
    return [
        key.skeleton
        for key, ban in state.bans.items()
        if key.equation == equation and (by_person(state, key) or (soft and is_in_force(state, ban, beside)))
    ]
