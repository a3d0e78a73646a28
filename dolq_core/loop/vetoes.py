"""A person's veto holds for what a term does, too: x*y/(p + y) with p far above y is x*y under another name."""

from collections.abc import Collection, Iterable

from dolq_core.bans import by_person, is_in_force
from dolq_core.blocks import required
from dolq_core.fitting.limits import imitated
from dolq_core.records import EquationFit, RunState, TermKey
from dolq_core.terms import Skeleton


def dodged(
    state: RunState, fit: EquationFit, spared: Iterable[Skeleton] = (), *, soft: bool = False
) -> tuple[Skeleton, Skeleton] | None:
    """Return a term of a fit and the removed one that it stands for on these data; None where every veto is kept.

    Only terms with inner parameters can; spared: those that a person named, which are let in as they are.
    soft: the machine's bans count too, where they are in force beside the other terms.
    """
    if fit.failure:
        return None
    together = {term.skeleton for term in fit.terms}
    named = {key.skeleton for key in state.pins if key.equation == fit.equation} | set(spared)
    named |= {*required(state.problem.blocks, fit.equation)}
    for term in fit.terms:
        wish = state.wishes.get(TermKey(fit.equation, term.skeleton))
        if term.inner and term.skeleton not in named and (wish is None or wish.choice not in ("keep", "pin")):
            removed = _removed(state, fit.equation, together - {term.skeleton}, soft=soft)
            twin = imitated(state.problem.dataset, term, removed) if removed else None
            if twin is not None:
                return term.skeleton, twin
    return None


def _removed(state: RunState, equation: int, beside: Collection[Skeleton], *, soft: bool) -> list[Skeleton]:
    """Return the terms that may not stand in an equation, beside others."""
    return [
        key.skeleton
        for key, ban in state.bans.items()
        if key.equation == equation and (by_person(state, key) or (soft and is_in_force(state, ban, beside)))
    ]
