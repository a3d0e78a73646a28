"""Phase 4 (paper, 3.3.3 and its decision table): two grades and the strikes so far give keep, hold or remove."""

from collections.abc import Sequence

from dolq_core.blocks import required
from dolq_core.fitting.limits import explains
from dolq_core.records import Action, EquationFit, Evaluation, Grade, RunState, TermKey, Verdict


def decide(state: RunState, attempt: Sequence[EquationFit | None], evaluation: Evaluation) -> tuple[Verdict, ...]:
    """Return one verdict per term of the current attempt."""
    evidence: dict[TermKey, Grade] = {a.key: a.grade for a in evaluation.ablations}
    explained = {fit.equation for fit in attempt if fit is not None and explains(fit)}
    verdicts: list[Verdict] = []
    for review in evaluation.review.terms:
        key, numbers = review.key, evidence[review.key]
        action, strikes = table(review.grade, numbers, state.strikes.get(key, 0), state.settings.max_holds)
        if state.models is not None and (state.models.scientist is None or state.models.method != "dolq"):
            action, strikes = "hold", 0  # nobody grades: every term goes back to the Sampler with its numbers
        elif state.settings.strikes == "evidence":
            action, strikes = _by_evidence(state, key, review.grade, numbers, explained=key.equation in explained)
        outvoted = action == "remove" and review.grade == "good" and state.settings.strikes == "evidence"
        if outvoted:
            action = "hold"  # words call for it: that is the person's to decide
        if action == "remove" and _protected(state, key):
            action, strikes = "hold", 0
        conflict = (outvoted or {review.grade, numbers} == {"good", "bad"}) and not _protected(state, key)
        verdicts.append(Verdict(key, review.grade, numbers, action, strikes, review.reason, conflict))
    return tuple(verdicts)


def table(semantic: Grade, evidence: Grade, strikes: int, max_holds: int) -> tuple[Action, int]:
    """Return (action, strikes from now on) by the paper's table.

    | semantic     | evidence         | strikes so far | action |
    | bad          | any              | any            | remove |
    | good         | good             | any            | keep   |
    | good         | neutral or bad   | below max      | hold   |
    | good         | neutral or bad   | max            | remove |
    | neutral      | any              | below max      | hold   |
    | neutral      | any              | max            | remove |
    """
    if semantic == "bad":
        return "remove", strikes
    if semantic == "good" and evidence == "good":
        return "keep", 0
    if strikes < max_holds:
        return "hold", strikes + 1
    return "remove", strikes


def _by_evidence(
    state: RunState, key: TermKey, semantic: Grade, evidence: Grade, *, explained: bool
) -> tuple[Action, int]:
    """Our policy: the paper's table, but a strike counts only when the numbers do not need the term.

    | semantic | evidence | case                                    | action                |
    | neutral  | good     | the equation stands at its floor        | keep                  |
    | neutral  | good     | otherwise                               | hold, no strike       |
    | bad      | good     | words and numbers disagreed before      | as the two rows above |
    | good     | not good | held as often as is allowed             | hold, and a conflict  |
    | else     |          |                                         | as in the paper       |
    """
    let_in = semantic == "neutral" or (semantic == "bad" and state.disputes.get(key, 0) > 0)
    if evidence == "good" and let_in:
        return ("keep" if explained else "hold"), 0
    return table(semantic, evidence, state.strikes.get(key, 0), state.settings.max_holds)


def _protected(state: RunState, key: TermKey) -> bool:
    wish = state.wishes.get(key)
    if key.skeleton in required(state.problem.blocks, key.equation):
        return True
    return key in state.pins or (wish is not None and wish.choice in ("keep", "pin"))
