"""What was said of a term, and of which law: a grade holds beside the terms that it was given beside."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from dolq_core.records import Ablation, Iteration, RunState, TermKey, Verdict

Said: TypeAlias = tuple[Verdict, Ablation | None] | tuple[None, None]
"""A verdict and the figures that it rests on, if they are of the law that is meant; None where nobody gave one."""
VAGUE: Final = "Its coefficient is not significant."
EARLIER: Final = "Said of the earlier words: "
_BESIDE: Final = re.compile(rf" ?It \S.*? (?:acts alone|of all that acts on it)\.| ?{re.escape(VAGUE)}")


def acts(way: str, own: str, share: str = "") -> str:
    """Return what a term does to its state beside the others of its law: which way, and how much of all that acts."""
    return f"It {way} {own} and is {share} of all that acts on it." if share else f"It {way} {own} and acts alone."


def gradings(state: RunState, equation: int, iterations: Sequence[Iteration]) -> Sequence[Iteration]:
    """Return the iterations that graded the law of an equation as it is, the first one first.

    What was said of a term in another law, such as its share of all that acts, is not said of this one. A language
    model grades the best law beside every attempt, so there it is all of them while no word has put another law first.
    """
    if state.models is not None and not _is_put_first(state, equation):
        return iterations
    best = state.best[equation]
    own = {term.skeleton for term in best.reported.terms} if best else set[str]()
    tried = [(done, done.attempt[equation]) for done in iterations]
    return [done for done, fit in tried if {term.skeleton for term in (fit.terms if fit else ())} == own]


def verdict_on(state: RunState, key: TermKey, iterations: Sequence[Iteration]) -> Said:
    """Return the newest verdict on a term of the best law.

    Where only other laws with the term were graded there are no figures, and its reason says no share of all that acts:
    these are of the others. None for a term that was never graded, and of a law that a word has put first.
    """
    own = newest(gradings(state, key.equation, iterations), key)
    if own[0] is not None or _is_put_first(state, key.equation):
        return own
    verdict, _ = newest(iterations, key)
    return (None, None) if verdict is None else (replace(verdict, reason=_BESIDE.sub("", verdict.reason)), None)


def is_of_earlier_words(state: RunState) -> bool:
    """Whether the description, a meaning or a unit was changed since the last iteration: what it said is of others."""
    return state.last is not None and state.words != state.problem.version


def conflict(state: RunState) -> str:
    """Return where description and data disagree, and of which words that was said; empty where they agree."""
    said = state.last.evaluation.review.conflict if state.last else ""
    return f"{EARLIER}{said}" if said and is_of_earlier_words(state) else said


def newest(iterations: Sequence[Iteration], key: TermKey) -> Said:
    """Return the newest verdict on a term in any law, with its figures."""
    for done in reversed(iterations):
        verdict = next((one for one in done.verdicts if one.key == key), None)
        if verdict is not None:
            return verdict, next(one for one in done.evaluation.ablations if one.key == key)
    return None, None


def _is_put_first(state: RunState, equation: int) -> bool:
    """Whether a person's word has put the law first since the last iteration."""
    best = state.best[equation]
    ended = state.ended[equation] if state.ended else best
    return (best and best.fit) != (ended and ended.fit)
