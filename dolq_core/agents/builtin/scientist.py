"""Grades every term by rule, with a reason, and says in plain sentences what is captured and what is missing."""

from collections.abc import Mapping, Sequence

import numpy as np

from dolq_core.agents.builtin.hints import hint
from dolq_core.agents.builtin.library import Entry, explanations
from dolq_core.fitting import Workbench
from dolq_core.records import Ablation, EquationFit, FittedTerm, Grade, Review, RunState, TermKey, TermReview
from dolq_core.terms import Skeleton, to_text

AT_FLOOR = 1.5
FAR = 3.0


class BuiltinScientist:
    """Grades by rule; it is not a language model.

    | does a family explain it | sign as the mechanism has it | numbers need it | grade   |
    |--------------------------|------------------------------|-----------------|---------|
    | yes, suggested or plain  | yes                          | any             | good    |
    | yes, suggested or plain  | no                           | yes             | neutral |
    | yes, suggested or plain  | no                           | no              | bad     |
    | yes, not suggested       | any                          | yes             | neutral |
    | yes, not suggested       | any                          | no, and not told from zero | bad |
    | no                       |                              | yes             | neutral |
    | no                       |                              | no              | bad     |

    Bad becomes neutral while the equation is further than FAR floors away: in a structure that is wrong elsewhere,
    neither sign nor need says much. A term that a person pinned or proposed is never bad. At most `max_good` goods
    per equation: those that the numbers need most.
    """

    def review(
        self,
        state: RunState,
        attempt: Sequence[EquationFit | None],
        ablations: Sequence[Ablation],
        bench: Workbench,
        rng: np.random.Generator,
    ) -> Review:
        """Return one grade per term of the attempt, and the insight."""
        evidence = {a.key: a for a in ablations}
        reviews: list[TermReview] = []
        for fit in attempt:
            if fit is None or fit.failure:
                continue
            known = explanations(state.problem, bench.names, fit.equation)
            graded = [_grade(state, bench, fit, term, known, evidence) for term in fit.terms]
            reviews.extend(_at_most(graded, evidence, state.settings.max_good))
        return Review(tuple(reviews), _insight(attempt, bench))


def _grade(
    state: RunState,
    bench: Workbench,
    fit: EquationFit,
    term: FittedTerm,
    known: Mapping[Skeleton, Entry],
    evidence: Mapping[TermKey, Ablation],
) -> TermReview:
    key = TermKey(fit.equation, term.skeleton)
    entry = known.get(term.skeleton)
    figures = evidence.get(key)
    needed = figures is None or figures.grade == "good"
    grade, reason = _by_rule(bench, fit, term, entry, needed=needed)
    if grade == "bad" and (key in state.pins or state.reasons.get(key, "").startswith("Proposed by you")):
        grade, reason = "neutral", f"{reason} You asked for it, so it stays open."
    if grade == "bad" and fit.floor_ratio > FAR:
        grade, reason = "neutral", f"{reason} The equation is far from its floor, so this is not held against it."
    return TermReview(key, grade, f"{reason} {_numbers(figures)}".strip())


def _by_rule(
    bench: Workbench, fit: EquationFit, term: FittedTerm, entry: Entry | None, *, needed: bool
) -> tuple[Grade, str]:
    own = bench.names.own[fit.equation]
    if entry is None:
        shown = to_text(term.skeleton, bench.names)
        return ("neutral" if needed else "bad"), f"No mechanism known here explains {shown} in the equation of {own}."
    supported = bool(entry.word) or entry.family.plain
    wrong = (entry.family.sign == "+" and term.coefficient < 0) or (entry.family.sign == "-" and term.coefficient > 0)
    if supported and wrong:
        sign = "positive" if term.coefficient > 0 else "negative"
        return ("neutral" if needed else "bad"), f"{entry.reason} Its sign would be the other one, here it is {sign}."
    if supported:
        return "good", entry.reason
    vague = term.std_error is None or abs(term.coefficient) < 2.0 * term.std_error
    silent = f"{entry.reason} Nothing in the description speaks of it."
    return ("bad" if not needed and vague else "neutral"), silent


def _numbers(figures: Ablation | None) -> str:
    if figures is None:
        return ""
    if figures.grade == "good":
        return f"Without it the error on left-out data is {_times(figures.refitted)} as large."
    if figures.grade == "bad":
        return "Left-out data are predicted better without it."
    return "Left-out data are predicted as well without it."


def _times(ratio: float) -> str:
    if ratio >= 1000:
        return "over 1000 times"
    return f"{ratio:.0f} times" if ratio >= 99.5 else f"{ratio:.2g} times"


def _at_most(graded: Sequence[TermReview], evidence: Mapping[TermKey, Ablation], most: int) -> list[TermReview]:
    strength = {key: a.refitted for key, a in evidence.items()}
    goods = sorted((r.key for r in graded if r.grade == "good"), key=lambda key: (-strength.get(key, 0.0), key))
    cut = set(goods[most:])
    kept = f"It makes sense, but {most} terms of this equation are needed more."
    return [TermReview(r.key, "neutral", f"{r.reason} {kept}") if r.key in cut else r for r in graded]


def _insight(attempt: Sequence[EquationFit | None], bench: Workbench) -> str:
    names = bench.names.own
    done = [fit for fit in attempt if fit is not None and fit.terms and not fit.failure]
    at_floor = [names[fit.equation] for fit in done if fit.floor_ratio <= AT_FLOOR]
    rest = [fit for fit in done if fit.floor_ratio > AT_FLOOR]
    missing = [names[j] for j, fit in enumerate(attempt) if fit is None or fit.failure or not fit.terms]
    said: list[str] = []
    if at_floor:
        said.append(f"{_list(at_floor)}: captured down to the error of the data themselves.")
    if rest:
        shares = ", ".join(
            f"{names[f.equation]} ({1.0 - min(f.nmse, 1.0):.1%} explained, {f.floor_ratio:.3g} times the floor)"
            for f in rest
        )
        said.append(f"Something is still missing in {shares}.")
        hints = [text for fit in rest if (text := hint(fit, bench))]
        said.extend(hints[:1])
    if missing:
        said.append(f"No usable equation yet for {_list(missing)}.")
    return " ".join(said[:3])


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
