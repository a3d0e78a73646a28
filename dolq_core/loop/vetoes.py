"""A person's veto holds for what a term does, too: x*y/(p + y) with p far above y is x*y under another name."""

from collections.abc import Iterable

from dolq_core.bans import by_person
from dolq_core.fitting.limits import imitated
from dolq_core.records import EquationFit, RunState, TermKey
from dolq_core.terms import Skeleton


def dodged(state: RunState, fit: EquationFit, spared: Iterable[Skeleton] = ()) -> tuple[Skeleton, Skeleton] | None:
    """Return a term of a fit and the removed one that it stands for on these data; None where every veto is kept.

    Only terms with inner parameters can; spared: those that a person named, which are let in as they are.
    """
    removed = [key.skeleton for key in state.bans if key.equation == fit.equation and by_person(state, key)]
    named = {key.skeleton for key in state.pins if key.equation == fit.equation} | set(spared)
    if not removed or fit.failure:
        return None
    for term in fit.terms:
        wish = state.wishes.get(TermKey(fit.equation, term.skeleton))
        if term.inner and term.skeleton not in named and (wish is None or wish.choice not in ("keep", "pin")):
            twin = imitated(state.problem.dataset, term, removed)
            if twin is not None:
                return term.skeleton, twin
    return None
