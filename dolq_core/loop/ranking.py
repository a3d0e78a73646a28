"""Which structures lead: visited, allowed, the best first."""

from dolq_core.bans import by_person
from dolq_core.blocks import is_joint, is_watched, required
from dolq_core.fitting.merit import rank
from dolq_core.loop.vetoes import dodged
from dolq_core.records import RunState, TermKey, Visited


def best_of(state: RunState) -> tuple[Visited | None, ...]:
    """Return per equation the first of `ranked` with no removed term under another name; None where none is left."""
    if is_joint(state.problem.blocks) or is_watched(state.problem.blocks):
        return _whole(state)
    return tuple(
        next((visited for visited in ranked(state, j) if dodged(state, visited.refined or visited.fit) is None), None)
        for j in range(len(state.problem.dataset.states))
    )


def _whole(state: RunState) -> tuple[Visited | None, ...]:
    """Return the system that the last iteration chose, where equations hang together; none where a word forbids it."""
    d = len(state.problem.dataset.states)
    chosen = state.last.refined if state.last is not None else ()
    keys = [(fit.equation, tuple(sorted(term.skeleton for term in fit.terms))) for fit in chosen]
    visited = [state.archive.get(key) for key in keys]
    allowed = all(one is not None and one in ranked(state, j) for j, one in enumerate(visited))
    return tuple(visited) if len(visited) == d and allowed else (None,) * d


def ranked(state: RunState, equation: int) -> list[Visited]:
    """Return the visited structures with all that must be there and nothing that a person banned, the best first."""
    pinned = {key.skeleton for key in state.pins if key.equation == equation}
    pinned |= {*required(state.problem.blocks, equation)}
    allowed = [
        visited
        for (j, skeletons), visited in state.archive.items()
        if j == equation
        and not visited.fit.failure
        and pinned <= set(skeletons)
        and not any(by_person(state, TermKey(j, skeleton)) for skeleton in skeletons)
    ]
    return sorted(allowed, key=lambda visited: rank(state, visited))


def shape(visited: Visited) -> frozenset[str]:
    """Return the terms of a structure, whatever their order."""
    return frozenset(term.skeleton for term in visited.fit.terms)
