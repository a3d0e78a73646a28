"""What was said of a term, and of which law: a grade holds beside the terms that it was given beside."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from dolq_core.records import Ablation, EquationFit, FittedTerm, Iteration, RunState, TermKey, Verdict
from dolq_core.records.terms import SIGNIFICANT
from dolq_core.terms import Skeleton

Said: TypeAlias = tuple[Verdict, Ablation | None] | tuple[None, None]
"""A verdict and the figures that it rests on, if they are of the law that is meant; None where nobody gave one."""
VAGUE: Final = "Its coefficient is not significant."
EARLIER: Final = "Said of the earlier words: "
ELSEWHERE: Final = "Graded in another law"
BEFORE: Final = "Graded on an earlier fit of this law"
_SIGN: Final = re.compile(
    r" ?One would expect a \w+ coefficient; the fit gives a \w+ one\."
    r"| ?Its coefficient would be \w+, here it is \w+\.| ?The word '[^']*' speaks of a \w+, but .*? (?:grow|shrink)\."
)
EITHER: Final = "grows or decays in proportion to itself"
"""What a term in proportion to its state does, before its sign is known."""
TURNS: Final = re.compile(r" turns into (.+?) or drives it in proportion(?:; the words? '[^']*' speaks? for it)?(?=\.)")
"""What a term in proportion to another state does, and what speaks for it, where its coefficient is positive."""
_BESIDE: Final = re.compile(
    r" ?It (?:raises|lowers|(?:now|sometimes) raises, (?:now|sometimes) lowers) .*?"
    r" (?:acts alone|of all that acts on it)\."
    r"| ?It makes sense, but \S+ (?:terms of this equation are needed|other terms of this equation matter) more\."
    r"| ?It makes sense; but at most \S+ terms? of an equation may be good, and without others the fit loses more\."
    rf"| ?{re.escape(VAGUE)}"
)


def acts(way: str, own: str, share: str = "") -> str:
    """Return what a term does to its state beside the others of its law: which way, and how much of all that acts."""
    return f"It {way} {own} and is {share} of all that acts on it." if share else f"It {way} {own} and acts alone."


def graded_in(done: Iteration, key: TermKey) -> EquationFit | None:
    """Return the law in which an iteration graded a term: the one tried, else the best one of then.

    A language model grades the best law beside every attempt. None where the log does not have that one.
    """
    tried = done.attempt[key.equation]
    if tried is not None and key.skeleton in _terms(tried):
        return tried
    return next((fit for fit in done.refined if fit.equation == key.equation), None)


def verdict_on(state: RunState, key: TermKey, iterations: Sequence[Iteration], fit: EquationFit | None = None) -> Said:
    """Return the newest verdict on a term, as it holds of the best law, or of the law `fit`.

    What was said of a term in another law, such as its share of all that acts, is not said of this one: where only
    other laws with the term were graded there are no figures, and the reason begins with where it was given. Nothing
    that is said of a sign stands beside the other sign: "grows or decays" and "turns into" are what they are by that of
    this law. None for a term that was never graded, and of a law that a word has put first.
    """
    verdict, figures = _newest_said(state, key, iterations, fit)
    if verdict is None:
        return None, None
    best = state.best[key.equation]
    term = _term(fit or (best.reported if best else None), key)
    return replace(verdict, reason=_signed(verdict.reason, term)), figures


def reason_in(done: Iteration, verdict: Verdict) -> str:
    """Return the reason of a verdict as it holds of the law in which an iteration gave it."""
    return _signed(verdict.reason, _term(graded_in(done, verdict.key), verdict.key))


def _signed(reason: str, term: FittedTerm | None) -> str:
    """Return a reason with what a term does in the place of what it may do, where it is told from zero."""
    if term is None or term.may_be_zero or not term.coefficient:
        return reason
    if term.coefficient < 0.0:
        reason = TURNS.sub(r" holds \1 back in proportion", reason)
    return reason.replace(EITHER, EITHER.replace("grows or " if term.coefficient < 0.0 else " or decays", ""))


def _newest_said(state: RunState, key: TermKey, iterations: Sequence[Iteration], fit: EquationFit | None) -> Said:
    best = state.best[key.equation]
    law = fit or (best.reported if best else None)
    own = [done for done in iterations if _terms(graded_in(done, key) or law) == _terms(law)]
    done, verdict, figures = _newest(own, key)
    if done is not None and verdict is not None:
        return _as_it_holds(law, verdict, figures, graded_in(done, key))
    if fit is None and _is_put_first(state, key.equation):
        return None, None
    done, verdict, _ = _newest(iterations, key)
    if done is None or verdict is None:
        return None, None
    there = f"{ELSEWHERE}, iteration {done.number}"
    was, here = _way(graded_in(done, key), key), _way(law, key)
    if was == here:
        return replace(verdict, reason=f"{there}. {_BESIDE.sub('', verdict.reason).strip()}".strip()), None
    said = _SIGN.sub("", _BESIDE.sub("", verdict.reason)).strip()
    return replace(verdict, reason=f"{there}{_in_which(was, here)}. {said}".strip()), None


def _as_it_holds(
    law: EquationFit | None, verdict: Verdict, figures: Ablation | None, graded: EquationFit | None
) -> Said:
    """Return a verdict without what its reason says of other coefficients of the same terms.

    Where whole runs were fitted words are given on the coefficients of the rates, figures on those of the runs.
    """
    term, reason = _term(law, verdict.key), verdict.reason
    if term is not None and term.std_error is not None and abs(term.coefficient) >= SIGNIFICANT * term.std_error:
        reason = reason.replace(VAGUE, "").replace("  ", " ").strip()
    was, here = _way(graded, verdict.key), _way(law, verdict.key)
    if graded is None or was == here:
        return replace(verdict, reason=reason), figures
    if figures is None or figures.nats is None:
        reason, figures = _BESIDE.sub("", reason), None
    said = f"{BEFORE}{_in_which(was, here)}. {_SIGN.sub('', reason)}"
    return replace(verdict, reason=said.replace("  ", " ")), figures


def _terms(fit: EquationFit | None) -> set[Skeleton]:
    return {term.skeleton for term in fit.terms} if fit is not None else set()


def _term(fit: EquationFit | None, key: TermKey) -> FittedTerm | None:
    return next((term for term in fit.terms if term.skeleton == key.skeleton), None) if fit is not None else None


def _way(fit: EquationFit | None, key: TermKey) -> str:
    term = _term(fit, key)
    return "" if term is None else "negative" if term.coefficient < 0.0 else "positive"


def _in_which(was: str, here: str) -> str:
    """Return how the coefficient of a term was where it was graded, against how it is here."""
    if not (was and here):
        return f", in which its coefficient was {was}" * bool(was)
    return f", in which this term had the other sign: {was}, and here {here}"


def is_of_earlier_words(state: RunState) -> bool:
    """Whether the description, a meaning or a unit was changed since the last iteration: what it said is of others."""
    return state.last is not None and state.words != state.problem.version


def insight(state: RunState) -> str:
    """Return what is understood, without the conflict that the Scientist ends it with: `conflict` has it."""
    return state.insight.removesuffix(state.last.evaluation.review.conflict if state.last else "").strip()


def conflict(state: RunState) -> str:
    """Return where description and data disagree, and of which words that was said; empty where they agree."""
    said = state.last.evaluation.review.conflict if state.last else ""
    return f"{EARLIER}{said}" if said and is_of_earlier_words(state) else said


def _newest(iterations: Sequence[Iteration], key: TermKey) -> tuple[Iteration | None, Verdict | None, Ablation | None]:
    """Return the newest verdict on a term, the iteration that gave it, and its figures."""
    for done in reversed(iterations):
        verdict = next((one for one in done.verdicts if one.key == key), None)
        if verdict is not None:
            return done, verdict, next(one for one in done.evaluation.ablations if one.key == key)
    return None, None, None


def _is_put_first(state: RunState, equation: int) -> bool:
    """Whether a person's word has put the law first since the last iteration."""
    best = state.best[equation]
    ended = state.ended[equation] if state.ended else best
    return (best and best.fit) != (ended and ended.fit)
