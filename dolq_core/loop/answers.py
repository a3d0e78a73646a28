"""Answers of language models that could not be used, said of an iteration as a whole: they are no finding."""

from collections.abc import Iterable, Sequence

from dolq_core.records import DECLINED, UNGRADED, UNREAD, Iteration, ModelCall

NO_ANSWER = "{} gave no answer that can be used: {}."
NO_GRADES = "{} gave no grades that can be used: {}."
NOTHING = "it proposes nothing"
UNNAMED = "it grades none of the terms"


def unanswered(done: Iteration) -> str:
    """Return why nothing that a language model proposed was tried, as a sentence; empty where something was."""
    proposal = done.proposal
    calls = [call for call in proposal.calls if not call.failure]
    terms = (term for candidate in proposal.candidates for terms in candidate.terms for term in terms)
    if not calls or any(term.source == "model" for term in terms):
        return ""
    whys = _unread(one.reason for one in proposal.refused)
    if not whys and not proposal.candidates:
        whys = [one.reason for one in proposal.refused] or [NOTHING]
    return _said(NO_ANSWER, calls, whys)


def ungraded(done: Iteration) -> str:
    """Return why no grade of a language model counts, as a sentence; empty where one does."""
    review = done.evaluation.review
    calls = [call for call in review.calls if not call.failure]
    if not calls or any(one.reason != UNGRADED for one in review.terms):
        return ""
    return _said(NO_GRADES, calls, _unread(review.notes) or [UNNAMED])


def _unread(said: Iterable[str]) -> list[str]:
    return [one.removeprefix(UNREAD) for one in said if one.startswith((UNREAD, DECLINED))]


def _said(told: str, calls: Sequence[ModelCall], whys: Sequence[str]) -> str:
    return told.format(calls[-1].model, whys[0].removesuffix(".")) if whys else ""
