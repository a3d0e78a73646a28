"""Phase 3 (paper, 3.3.1 and 3.3.2): what the numbers say of every term, and what the Scientist says."""

from collections.abc import Mapping, Sequence
from math import inf

import numpy as np

from dolq_core.fitting import Workbench
from dolq_core.fitting.prior import Prior
from dolq_core.numerics.rounding import nats
from dolq_core.ports import Scientist
from dolq_core.records import (
    UNGRADED,
    Ablation,
    EquationFit,
    Evaluation,
    Grade,
    Review,
    RunState,
    Settings,
    TermKey,
    TermReview,
)


def evaluate(
    state: RunState,
    attempt: Sequence[EquationFit | None],
    scientist: Scientist,
    bench: Workbench,
    rng: np.random.Generator,
) -> Evaluation:
    """Grade every term of the current attempt twice; a reply of the Scientist is matched to terms by skeleton.

    Where a language model grades, the terms of the best law so far are graded with them: no law ends without words.
    """
    by_paper = state.settings.ablation == "paper"
    lost: Mapping[TermKey, float] = {} if by_paper else lost_without(bench, attempt, Prior(state.problem))
    ablations = tuple(
        _graded(TermKey(fit.equation, skeleton), zeroed, refitted, lost, state.settings)
        for fit in attempt
        if fit is not None
        for skeleton, zeroed, refitted in bench.ablate(fit)
    )
    ablations += _of_the_best(state, ablations, bench) if state.models is not None else ()
    if not ablations:
        return Evaluation((), Review((), notes=("No candidate could be fitted.",) if None in attempt else ()))
    reply = scientist.review(state, attempt, ablations, bench, rng)
    return Evaluation(ablations, match(reply, ablations, state.settings.max_good))


def _of_the_best(state: RunState, graded: Sequence[Ablation], bench: Workbench) -> tuple[Ablation, ...]:
    """The figures of terms that stand in the best law and not in the attempt."""
    known = {a.key for a in graded}
    best = [visited.reported for visited in state.best if visited is not None]
    return tuple(
        _graded(key, zeroed, refitted, {}, state.settings)
        for fit in best
        for skeleton, zeroed, refitted in bench.ablate(fit)
        if (key := TermKey(fit.equation, skeleton)) not in known
    )


def lost_without(bench: Workbench, attempt: Sequence[EquationFit | None], prior: Prior) -> Mapping[TermKey, float]:
    """Return the nats that the description of the samples loses without each term; empty where no law follows them."""
    system = [fit for fit in attempt if fit is not None and not fit.failure]
    found = bench.judged(system) if len(system) == len(attempt) else None
    if found is None:
        return {}
    like, judged = found
    whole = like.length(judged, prior)
    lost: dict[TermKey, float] = {}
    for j, terms in enumerate(judged.system):
        for term in terms:
            less = like.without(judged, j, term.skeleton)
            lost[TermKey(j, term.skeleton)] = nats(like.length(less, prior) - whole) if less.fit < inf else inf
    return lost


def _graded(
    key: TermKey, zeroed: float, refitted: float, lost: Mapping[TermKey, float], settings: Settings
) -> Ablation:
    if key not in lost:
        return Ablation(key, zeroed, refitted, grade_ablation(zeroed, refitted, settings))
    grade: Grade = "good" if lost[key] > NEEDED else "bad" if lost[key] < -NEEDED else "neutral"
    return Ablation(key, zeroed, refitted, grade, lost[key])


NEEDED = 1.0
"""Nats, its own cost taken off, from which a term is needed: odds of 3 to 1."""


def grade_ablation(zeroed: float, refitted: float, settings: Settings) -> Grade:
    """Grade one term by the rule in force.

    | rule  | good             | bad              | figure                                                     |
    | paper | change > delta   | change < -delta  | MSE with the coefficient set to zero (Algorithm 1)         |
    | refit | ratio > 1+delta  | ratio < 1-delta  | error on left-out blocks without the term, rest refitted   |

    Where whole runs say what a term is worth, that is the figure of the second rule: NEEDED nats on either side.
    """
    delta = settings.ablation_threshold
    change = zeroed if settings.ablation == "paper" else refitted - 1.0
    if change > delta:
        return "good"
    return "bad" if change < -delta else "neutral"


def match(reply: Review, ablations: Sequence[Ablation], max_good: int) -> Review:
    """Return exactly one review per term, in the order of `ablations`; say what had to be mended.

    A term without a grade is neutral, an invented one is left out, of a repeated one the first counts, and
    beyond `max_good` in an equation the goods with the weakest evidence become neutral.
    """
    given: dict[TermKey, TermReview] = {}
    notes = list(reply.notes)
    expected = {a.key for a in ablations}
    for review in reply.terms:
        if review.key not in expected:
            notes.append(f"A grade for {review.key.skeleton}, which is not in the attempt, was left out.")
        elif review.key in given:
            notes.append(f"A second grade for {review.key.skeleton} was left out.")
        else:
            given[review.key] = review
    silent = TermReview
    matched = [given.get(a.key) or silent(a.key, "neutral", UNGRADED) for a in ablations]
    cut = _beyond(matched, ablations, max_good)
    notes += [f"Only {max_good} terms of an equation may be good; {key.skeleton} was set to neutral." for key in cut]
    capped = tuple(TermReview(r.key, "neutral" if r.key in cut else r.grade, r.reason) for r in matched)
    return Review(capped, reply.insight, tuple(notes), reply.calls, reply.conflict, reply.lifts)


def _beyond(reviews: Sequence[TermReview], ablations: Sequence[Ablation], max_good: int) -> list[TermKey]:
    strength = {a.key: a.strength for a in ablations}
    cut: list[TermKey] = []
    for equation in sorted({r.key.equation for r in reviews}):
        goods = [r.key for r in reviews if r.key.equation == equation and r.grade == "good"]
        cut += sorted(goods, key=lambda key: -strength[key])[max_good:]
    return cut
