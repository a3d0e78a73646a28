"""Beside a language model's hypotheses: the same without terms that the numbers do not need, and the plainer law.

The built-in search does this by itself. Without it a term whose coefficient is chance stays in a law for good.
"""

from collections.abc import Sequence
from dataclasses import replace

from dolq_core.fitting import Workbench
from dolq_core.fitting.limits import plainer
from dolq_core.fitting.merit import pruned
from dolq_core.loop.ranking import shape
from dolq_core.records import Candidate, Proposal, RunState, SystemFit, Term, TermKey

WHY = "In the place of a term that does the same on these data."


def second_look(state: RunState, proposal: Proposal, fits: Sequence[SystemFit], bench: Workbench) -> Proposal:
    """Return the hypotheses that the program adds to those of a model, as a proposal of their own; often empty.

    Attributes of the terms are those they had: what is pruned was the model's.
    """
    proposed = {candidate.hypothesis: candidate for candidate in proposal.candidates}
    known = {shape(candidate.terms) for candidate in proposal.candidates}
    number = max(proposed, default=-1)
    found: list[Candidate] = []
    systems = [_pruned(state, proposed[system.hypothesis], bench) for system in fits]
    for terms in (*systems, _plainer(state)):
        if terms and shape(terms) not in known:
            known.add(shape(terms))
            number += 1
            found.append(Candidate(number, terms))
    return Proposal(tuple(found))


def _pruned(state: RunState, candidate: Candidate, bench: Workbench) -> tuple[tuple[Term, ...], ...]:
    """Return a model's hypothesis with what its equations need; empty for one of the built-in search."""
    if not any(term.source == "model" for terms in candidate.terms for term in terms):
        return ()
    return tuple(_needed(state, j, terms, bench) for j, terms in enumerate(candidate.terms))


def _needed(state: RunState, equation: int, terms: Sequence[Term], bench: Workbench) -> tuple[Term, ...]:
    """Return the terms that the law needs, and those of a person."""
    fixed = [term.skeleton for term in terms if term.source in ("pin", "human")]
    law = pruned(state, bench, equation, [term.skeleton for term in terms], fixed)
    needed = {term.skeleton for term in law.terms} if law.terms and not law.failure else None
    return tuple(term for term in terms if needed is None or term.skeleton in needed)


def _plainer(state: RunState) -> tuple[tuple[Term, ...], ...]:
    """Return the best system with products of powers for the terms that look like them; empty where none does."""
    best = [visited.reported for visited in state.best if visited is not None]
    simple = [plainer(state, j) for j in range(len(state.best))]
    if len(best) < len(state.best) or not any(simple):
        return ()
    return tuple(
        tuple(Term(s, state.reasons.get(TermKey(j, s), WHY)) for s in (plain or [t.skeleton for t in fit.terms]))
        for j, (fit, plain) in enumerate(zip(best, simple, strict=True))
    )


def joined(proposal: Proposal, more: Proposal) -> Proposal:
    """Return a proposal with further hypotheses."""
    if not more.candidates:
        return proposal
    numbers = ", ".join(str(one.hypothesis + 1) for one in more.candidates)
    note = f"{proposal.note} Without what the numbers do not need, by the program: hypothesis {numbers}.".strip()
    return replace(proposal, candidates=(*proposal.candidates, *more.candidates), note=note)
