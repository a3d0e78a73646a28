"""Grades every term by rule, with a reason, and says in plain sentences what is captured and what is missing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from dolq_core.agents.builtin.conflicts import disputed, unanswered
from dolq_core.agents.builtin.hints import hint, only_time_explains
from dolq_core.agents.builtin.library import LAST_STAGE, has_one_sign
from dolq_core.agents.builtin.losing import behind
from dolq_core.agents.builtin.objections import ReviewCase, objections, on_whole_runs, share
from dolq_core.agents.builtin.unmeasured import unmeasured
from dolq_core.blocks import required
from dolq_core.fitting import Workbench, why_nothing
from dolq_core.fitting.chance import CHANCE, is_like_a_walk, says_something
from dolq_core.fitting.limits import explains
from dolq_core.mechanisms import (
    GIVEN,
    Entry,
    Words,
    explanations,
    family,
    foreign,
    listed,
    speaks_of_another,
    suggests,
    words_of,
)
from dolq_core.records import Ablation, EquationFit, FittedTerm, Grade, Review, RunState, TermKey, TermReview
from dolq_core.terms import Skeleton, in_sentence, parse_term, variables

_TIME = re.compile(r"\bt\b")
FAR = 3.0
HEAT = ("cool", "warm")
"""Stems that speak of heat: that a vessel cools says nothing of what is dissolved in it."""
GROWTH = ("grow",)
"""Stems that speak for no loss, and yet not against one, as `Family.rises` do: a colony that grows may shrink later."""


class BuiltinScientist:
    """Grades by rule; it is not a language model.

    | what the words say of the mechanism         | sign, range, balance | numbers need it | grade   |
    |---------------------------------------------|----------------------|-----------------|---------|
    | they deny it, or its subject has no place   | any                  | any             | bad     |
    | they suggest it, or it needs no words       | agree                | any             | good    |
    | the same                                    | object               | yes             | neutral |
    | the same                                    | object               | no              | bad     |
    | nothing                                     | any                  | yes             | neutral |
    | nothing                                     | agree                | no, but certain | neutral |
    | nothing                                     | any                  | no              | bad     |
    | no mechanism is known                       | any                  | yes             | neutral |
    | the same                                    | any                  | no              | bad     |

    Bad becomes neutral while the equation is further than FAR floors away: in a structure that is wrong elsewhere,
    neither words nor sign nor need say much. A term that a person kept, pinned or proposed is never bad. At most
    `max_good` goods per equation: those that the numbers need most.
    """

    def review(
        self,
        state: RunState,
        attempt: Sequence[EquationFit | None],
        ablations: Sequence[Ablation],
        bench: Workbench,
        rng: np.random.Generator,
    ) -> Review:
        """Return one grade per term of the attempt, and the insight into the best law so far."""
        fitted = on_whole_runs(bench, attempt)
        case = ReviewCase(state.problem, bench, words_of(state.problem), attempt, state.iteration + 1, fitted)
        evidence = {a.key: a for a in ablations}
        reviews: list[TermReview] = []
        for fit in attempt:
            if fit is None or fit.failure:
                continue
            known = explanations(state.problem, bench.names, fit.equation)
            told = fitted[fit.equation]
            does = {term.skeleton: share(bench, told, term) for term in told.terms}
            graded = [_grade(state, case, fit, term, known, evidence, does[term.skeleton]) for term in fit.terms]
            reviews.extend(_at_most(graded, evidence, state.settings.max_good))
        conflict = _conflict(state, case, reviews, evidence)
        return Review(tuple(reviews), _insight(_of_best(case, state), conflict), conflict=conflict)


def _of_best(case: ReviewCase, state: RunState) -> ReviewCase:
    """The best law so far on trial, where it is another than the attempt: it is what the pages tell."""
    best = [fit if known is None else known.fit for fit, known in zip(case.attempt, state.best, strict=True)]
    if [_terms(fit) for fit in best] == [_terms(fit) for fit in case.attempt]:
        return case
    return replace(case, attempt=best, fitted=on_whole_runs(case.bench, best))


def _terms(fit: EquationFit | None) -> set[Skeleton]:
    return set() if fit is None or fit.failure else {term.skeleton for term in fit.terms}


def _grade(
    state: RunState,
    case: ReviewCase,
    fit: EquationFit,
    term: FittedTerm,
    known: Mapping[Skeleton, Entry],
    evidence: Mapping[TermKey, Ablation],
    does: str,
) -> TermReview:
    key = TermKey(fit.equation, term.skeleton)
    if fit.equation in state.problem.dataset.rates and term.skeleton in known:
        return TermReview(key, "good", known[term.skeleton].sentence)
    needed = {t.skeleton for t in fit.terms if _is_needed(evidence, TermKey(fit.equation, t.skeleton))}
    grade, reasons = _by_rule(case, fit, term, known, needed)
    if grade == "bad" and _is_wanted(state, key):
        grade, reasons = "neutral", [*reasons, "You asked for it, so it stays open."]
    if grade == "bad" and fit.floor_ratio > FAR:
        grade, reasons = "neutral", [*reasons, "The equation is far from its floor, so this is not held against it."]
    if grade == "bad" and term.skeleton in needed and state.disputes.get(key, 0):
        reasons = [*reasons, "The numbers need it for the second time, so they are believed."]
    return TermReview(key, grade, " ".join(filter(None, [*reasons, does, _as_well(case, fit.equation, term, known)])))


def _as_well(case: ReviewCase, equation: int, term: FittedTerm, known: Mapping[Skeleton, Entry]) -> str:
    """Say which term that words speak for is the same one in these data while u keeps its sign: u*abs(u) for u**2.

    And u**2 for u*abs(u).
    """
    names = case.bench.names
    symbol, name = names.symbols[equation], names.own[equation]
    square, sized = f"{symbol}**2", f"{symbol}*abs({symbol})"
    text = re.sub(rf"\b{re.escape(square)}(?![\w.])", sized, term.skeleton)
    text = square if term.skeleton == sized else text
    if text == term.skeleton or term.inner or not has_one_sign(case.bench, symbol):
        return ""
    other = parse_term(text, names.symbols).skeleton
    spoken = [entry for s in (term.skeleton, other) if (entry := known.get(s)) is not None and entry.word]
    shown = in_sentence(other, names)
    return f"While {name} keeps its sign, as in these data, {shown} says the same." if len(spoken) == 2 else ""


def _is_wanted(state: RunState, key: TermKey) -> bool:
    wish = state.wishes.get(key)
    kept = wish is not None and wish.choice in ("keep", "pin")
    kept = kept or key.skeleton in required(state.problem.blocks, key.equation)
    return kept or key in state.pins or state.reasons.get(key, "").startswith("Proposed by you")


def _is_needed(evidence: Mapping[TermKey, Ablation], key: TermKey) -> bool:
    return key not in evidence or evidence[key].grade == "good"


def _of_a_form(skeleton: Skeleton, known: Mapping[Skeleton, Entry]) -> list[Entry]:
    """Return what a term is at a limit of its numbers, in all its variables: contact, for contact that levels off."""
    entry = known.get(skeleton)
    simpler = entry.simpler if entry is not None else ()
    return [known[s] for s in simpler if s in known and variables(s) == variables(skeleton)]


def _by_rule(
    case: ReviewCase, fit: EquationFit, term: FittedTerm, known: Mapping[Skeleton, Entry], needed: set[Skeleton]
) -> tuple[Grade, list[str]]:
    entry = known.get(term.skeleton)
    wrong = objections(case, fit, term, entry, needed)
    open_: Grade = "neutral" if term.skeleton in needed else "bad"
    if entry is None:
        shown = in_sentence(term.skeleton, case.bench.names)
        return open_, [f"No mechanism known here explains {shown} in the equation of {_own(case, fit)}.", *wrong]
    denied = _denial(entry, term, case.words)
    against = f"The description says '{denied}'." if denied else foreign(entry.family, case.words)
    if against:
        return "bad", [entry.sentence, against, *wrong]
    if entry.word or entry.family.plain:
        return (open_ if wrong else "good"), [_for(case, fit, term, entry), *wrong]
    vague = term.std_error is None or abs(term.coefficient) < 2.0 * term.std_error
    return (open_ if wrong or vague else "neutral"), [entry.sentence, _unspoken(case, term, known), *wrong]


def _unspoken(case: ReviewCase, term: FittedTerm, known: Mapping[Skeleton, Entry]) -> str:
    """Say that no word speaks of a term, or only of a plainer form of it."""
    for kin in _of_a_form(term.skeleton, known):
        if kin.words:
            shown = in_sentence(kin.skeleton, case.bench.names)
            return f"It is a form of {shown}, for which {kin.words} {'speak' if ' ' in kin.word else 'speaks'}."
    return "Nothing in the description speaks of it." if case.problem.description else "No description speaks of it."


def _for(case: ReviewCase, fit: EquationFit, term: FittedTerm, entry: Entry) -> str:
    """The meaning of a term, and the words that speak for it.

    None of a gain speaks for what lowers its state, none of cooling for what is no heat, and none of other states.
    """
    words, states = case.words, case.problem.dataset.states
    other = (*entry.family.rises, *GROWTH) if term.coefficient < 0.0 else entry.family.falls
    inside = variables(term.skeleton)
    own = {fit.equation, *(j for j, state in enumerate(states) if state.symbol in inside)}
    is_cold = states[fit.equation].name in words.cold and {*inside} == {states[fit.equation].symbol}

    def speaks(word: str) -> bool:
        if suggests(word, other) or (is_cold and suggests(word, HEAT)):
            return False
        return not speaks_of_another(words, word, states, own, surely=True)

    if entry.word in words.said and not entry.is_named and not speaks(entry.word):
        stems = (stem for stem in entry.family.stems if stem not in entry.family.of_life)
        spoken = (word for stem in stems for word in words.said if suggests(word, (stem,)) and speaks(word))
        entry = replace(entry, word=next(spoken, ""))
    if not entry.words:
        return entry.sentence
    return f"{entry.meaning}; {entry.words} {'speak' if ' ' in entry.word else 'speaks'} for it."


def _denial(entry: Entry, term: FittedTerm, words: Words) -> str:
    """Return the phrase that denies a term; "no loss" does not deny growth, nor "no supply" a loss."""
    other = entry.family.falls if term.coefficient > 0 else entry.family.rises
    return "" if entry.denial == words.denying(other) else entry.denial


def _own(case: ReviewCase, fit: EquationFit) -> str:
    return case.bench.names.own[fit.equation]


def _at_most(graded: Sequence[TermReview], evidence: Mapping[TermKey, Ablation], most: int) -> list[TermReview]:
    strength = {key: a.strength for key, a in evidence.items()}
    goods = sorted((r.key for r in graded if r.grade == "good"), key=lambda key: (-strength.get(key, 0.0), key))
    cut = set(goods[most:])
    of = "term" if most == 1 else "terms"
    kept = f"It makes sense; but at most {most} {of} of an equation may be good, and without others the fit loses more."
    return [TermReview(r.key, "neutral", f"{r.reason} {kept}") if r.key in cut else r for r in graded]


def _conflict(
    state: RunState, case: ReviewCase, reviews: Sequence[TermReview], evidence: Mapping[TermKey, Ablation]
) -> str:
    """Say where words and numbers disagree: on terms, else on the description, once all equations are captured."""
    names = case.bench.names
    keys = [r.key for r in reviews if r.grade == "bad" and r.key in evidence and _is_needed(evidence, r.key)]
    if keys:
        inner = {TermKey(f.equation, t.skeleton): t.inner for f in case.attempt if f is not None for t in f.terms}
        terms = [(in_sentence(key.skeleton, names, inner[key]), names.own[key.equation]) for key in keys]
        return disputed(terms, again=any(state.disputes.get(key, 0) for key in keys))
    if not all(fit is not None and _is_captured(case, fit) for fit in case.attempt):
        return ""
    found, named = set[str](), set[str]()
    for key in (r.key for r in reviews if _is_needed(evidence, r.key)):
        known = explanations(state.problem, names, key.equation)
        entry = known.get(key.skeleton)
        if entry is None or entry.family is GIVEN:
            return ""  # it may be what the words speak of
        named |= {entry.word} if entry.is_named else set()
        found |= {entry.family.name, *(kin.family.name for kin in _of_a_form(key.skeleton, known))}
    acting = {name for fit in case.attempt if fit for term in fit.terms for name in variables(term.skeleton)}
    inputs = [one.name for one in state.problem.dataset.inputs if one.symbol in acting]
    return unanswered(state.problem.description, found, partial(behind, state, case.bench), inputs, named)


def _is_captured(case: ReviewCase, fit: EquationFit) -> bool:
    if fit.failure or _says_nothing(case, fit):
        return False
    return all(explains(case.fitted.get(one.equation, one)) for one in (fit, *_defined_by(case, fit)))


def _defined_by(case: ReviewCase, fit: EquationFit) -> list[EquationFit]:
    """Return the definition x' = v where this is the law of v: what it leaves of x is the law's."""
    held = case.problem.dataset.defined_by(fit.equation)
    return [one for j in held if (one := case.attempt[j]) is not None and not one.failure]


def _says_nothing(case: ReviewCase, fit: EquationFit) -> bool:
    """Whether a structure is no law, and none is to be expected: the state is near its own noise, or all is tried."""
    hopeless = case.iteration >= LAST_STAGE or case.bench.null(fit.equation).floor_ratio <= FAR
    return hopeless and _stands_still(case, fit)


def _stands_still(case: ReviewCase, fit: EquationFit) -> bool:
    """Whether a structure says no more of a state than that it stands still."""
    told, null = case.fitted.get(fit.equation, fit), case.bench.null(fit.equation)
    return not fit.failure and not says_something(told) and bool(why_nothing(fit, null.score))


def _walks(case: ReviewCase, fit: EquationFit) -> bool:
    """Whether the samples are so few that a random walk explains a state as well."""
    walk = case.bench.info.walk_score
    if walk:
        return fit.score >= walk[fit.equation] - CHANCE
    return is_like_a_walk(case.fitted.get(fit.equation, fit), case.problem.dataset)


def _insight(case: ReviewCase, conflict: str) -> str:
    """Two or three sentences: what is captured, what is missing or no law at all, then the conflict or a hint."""
    names = case.bench.names.own
    free = [j for j in range(len(case.attempt)) if j not in case.problem.dataset.rates]
    fits = [fit for j in free if (fit := case.attempt[j]) is not None and not fit.failure]
    missing = [names[j] for j in free if (fit := case.attempt[j]) is None or fit.failure]
    nothing = [fit for fit in fits if _says_nothing(case, fit)]
    captured = [fit for fit in fits if _is_captured(case, fit)]
    rest = [fit for fit in fits if fit not in nothing and fit not in captured]
    still = [fit for fit in rest if _stands_still(case, fit)]
    rest = [fit for fit in rest if fit not in still]
    walks = [fit for fit in captured if any(_walks(case, one) for one in (fit, *_defined_by(case, fit)))]
    captured = [fit for fit in captured if fit not in walks]
    poor = [_own(case, fit) for fit in rest if _walks(case, fit)]
    also = f"; with so few samples a random walk explains {listed(poor)} as well" if poor else ""
    said = [
        f"{listed([_own(case, fit) for fit in captured])}: fitted to within the error of the training data."
        if captured
        else "",
        f"With so few samples a random walk explains {listed([_own(case, fit) for fit in walks])} as well."
        if walks
        else "",
        f"Something is still missing in {listed([_explained(case, fit) for fit in rest])}{also}." if rest else "",
        f"No law of {listed([_own(case, fit) for fit in still])} yet: standing still explains the data as well."
        if still
        else "",
        f"No law shows in {listed([_own(case, fit) for fit in nothing])}: standing still explains the data as well."
        if nothing
        else "",
        f"No usable equation yet for {listed(missing)}." if missing else "",
    ]
    hints = [*(hint(fit, case.bench) for fit in (*rest, *still)), *(_only_time(case, fit) for fit in captured)]
    last = conflict or ("" if _proven(case) else next((text for text in hints if text), ""))
    whole = [text for text in said if text]
    return " ".join([*_not_in_the_table(case), *whole[: 2 if last else 3], *([last] if last else [])])


def _proven(case: ReviewCase) -> str:
    """The proof that something besides the states acts, where no term has time in it; empty otherwise."""
    timed = any(_TIME.search(term.skeleton) for fit in case.attempt if fit is not None for term in fit.terms)
    return "" if timed else case.bench.info.hidden or case.bench.info.crossing


def _not_in_the_table(case: ReviewCase) -> list[str]:
    """What speaks for something that was not measured: the data, else the description, unless a state stands for it."""
    if proof := _proven(case):
        return [proof]
    told = "" if case.problem.dataset.hidden else unmeasured(case.problem.description)
    return [f"A law of these columns alone may be incomplete, as the description says: '{told}'"] if told else []


def _only_time(case: ReviewCase, fit: EquationFit) -> str:
    """Words that speak of time, a season or a drive, answer for it."""
    stems = [stem for name in ("rhythm from outside", "drift in time") for stem in family(name).stems]
    return "" if case.words.suggesting(stems) else only_time_explains(fit, case.bench)


def _explained(case: ReviewCase, fit: EquationFit) -> str:
    percent = 100.0 * (1.0 - min(fit.nmse, 1.0))
    much = "under 1 %" if percent < 1.0 else f"{percent:.0f} %" if percent < 99.5 else "over 99 %"
    return f"{_own(case, fit)} ({much} of its change is explained)"
