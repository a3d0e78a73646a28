"""Proposes the best few-term structures of a library of mechanisms, each term with its reason. No language model."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from dolq_core import clock
from dolq_core.agents.builtin.choice import Choice, Fitted
from dolq_core.agents.builtin.composing import compose
from dolq_core.agents.builtin.elsewhere import shorter
from dolq_core.agents.builtin.flows import from_known, known_elsewhere, with_flows
from dolq_core.agents.builtin.gathered import gathered
from dolq_core.agents.builtin.library import (
    EVERY,
    LAST_STAGE,
    at_rest,
    choice_of,
    composed_on_data,
    forced_terms,
    is_banned,
    on_data,
    removed_terms,
)
from dolq_core.agents.builtin.modulated import is_fading, is_modulated
from dolq_core.agents.builtin.pursuing import Systems, pursued
from dolq_core.agents.builtin.search import search
from dolq_core.agents.builtin.twins import without_twins
from dolq_core.agents.builtin.worth import nearly_equals, worthy
from dolq_core.fitting import Workbench, complexity
from dolq_core.fitting.chance import AT_NOISE
from dolq_core.fitting.limits import FEW, explains, is_exact, is_refuted, is_short, plainer, rivals_of
from dolq_core.fitting.reasons import has_rows_for
from dolq_core.mechanisms import MOST_VARIABLES, Entry, explanations, is_composed
from dolq_core.records import AT_FLOOR, EquationFit, ProposedTerm, RunState, Sampling, TermKey, Visited
from dolq_core.terms import Skeleton, count_params, in_sentence

NEAR = ((2.5, 0.02), (8.0, 0.002))
"""(floors, NMSE) within which words decide where samples are few: a law that the description speaks for is not given up
for what it leaves, while that is close to the error of the data or next to nothing."""
PLAINER = 5.0
"""Nats that each term of a mechanism which is neither plain nor suggested must gain where samples are few: there are a
hundred and fifty for each plain one, and one of as many fits few samples by chance."""
LEADING = 6
"""Structures of a search that are fitted on their own trajectories where samples are few."""
FEW_NOISY = 2
"""Terms up to which a structure at the floor is taken without looking for a smaller one in the next stages; where the
floor is no deeper than DEEP many a structure reaches it by chance."""
DEEP = 1e-8
"""NMSE below which nothing reaches the floor by chance."""
PLAIN = 2.0
"""Complexity per term up to which a polynomial is: terms of third order can imitate another law on one path."""
BUILTIN = "Built-in search, not a language model"
IDLE = 1e-3
"""Share of all that acts on a state below which a law is tried without a term."""
SEARCHES = 0.6
"""Share of the time that is left, where a person has set a limit, after which a search ends with what it has."""
LATE = f" {clock.ENDED}"


Hypothesis: TypeAlias = tuple[tuple[ProposedTerm, ...], ...]


class BuiltinSampler:
    """Searches best subsets by size over mechanism families; the library widens with every iteration."""

    def propose(self, state: RunState, bench: Workbench, rng: np.random.Generator) -> Sampling:
        """Return `state.settings.hypotheses` systems: the best structure of each equation, the second, the third."""
        d = len(state.problem.dataset.states)
        limit = state.settings.time_limit_s
        systems: Systems = ()
        late = True
        with clock.part(SEARCHES), clock.limited(limit, of_work=True), suppress(clock.OutOfTime):
            systems, late = pursued(state, bench)
        if systems:
            return _of_systems(state, bench, systems, late)
        with clock.part(SEARCHES), clock.limited(limit, of_work=True):
            ranked = [_in_time(state, bench, j) for j in range(d)]
            late = late or clock.is_late()
        ranked = [with_flows(state, bench, ranked, j) for j in range(d)]
        count = min(state.settings.hypotheses, max(len(structures) for structures in ranked))
        chosen = [[own[min(h, len(own) - 1)] for own in ranked] for h in range(count)]
        hypotheses = _with_reasons(state, bench, chosen)
        return Sampling(hypotheses, note=_note(state, ranked) + LATE * late)


def _in_time(state: RunState, bench: Workbench, equation: int) -> list[Fitted]:
    """The structures to propose; where a limit of time has passed the best one so far, or none."""
    try:
        clock.check()
        return _ranked(state, bench, equation)
    except clock.OutOfTime:
        best = state.best[equation]
        own = [[term.skeleton for term in best.fit.terms]] if best else []
        terms = dict.fromkeys((*forced_terms(state, equation), *(own[0] if own else ())))
        return [tuple((skeleton, ()) for skeleton in terms)]


def _of_systems(state: RunState, bench: Workbench, systems: Systems, late: bool) -> Sampling:
    """The best system that the rates can be fitted with, and the next ones of which some equation was not tried yet."""
    count = state.settings.hypotheses
    able = [s for s in systems if all(has_rows_for(bench.target, own) for own in s)] or systems
    new = [s for s in able[1:] if any((j, tuple(sorted(own))) not in state.archive for j, own in enumerate(s))]
    chosen = [able[0], *new[: count - 1]]
    fitted = [[tuple((skeleton, ()) for skeleton in own) for own in system] for system in chosen]
    hypotheses = _with_reasons(state, bench, fitted)
    note = f"{BUILTIN}: {len(systems)} systems fitted to whole runs, the shortest first."
    return Sampling(hypotheses, note=note + LATE * late)


def _ranked(state: RunState, bench: Workbench, equation: int) -> list[Fitted]:
    """What to propose for one equation, the best first; never empty, never with a banned term."""
    best = state.best[equation] if state.best else None
    forced = forced_terms(state, equation)
    if best is not None and _is_settled(state, bench, best, forced):
        others = dict.fromkeys((plainer(state, equation), _fewer(state, bench, best)))
        return [_terms(best.fit), *(tuple((s, ()) for s in some) for some in others if some)]
    fits = _searched(state, bench, equation, forced)
    if best is not None and best.fit.terms and not forced and not bench.is_sparse:
        fits = [fit for fit in worthy([*fits, best.fit], bench) if fit is not best.fit]
    ranked = [tuple(term.skeleton for term in fit.terms) for fit in fits]
    carried = () if best is None else tuple(term.skeleton for term in best.fit.terms)
    if best is not None and carried and not forced:
        known = frozenset(carried)
        at = sum(fit.score < best.fit.score for fit, s in zip(fits, ranked, strict=True) if frozenset(s) != known)
        ranked = [s for s in ranked if frozenset(s) != known]
        if not any(is_banned(state, equation, s) for s in carried):
            ranked.insert(at, carried)
        if fewer := _fewer(state, bench, best):
            ranked.insert(0, fewer)
    inner = {frozenset(t.skeleton for t in fit.terms): dict(_terms(fit)) for fit in fits}
    return [
        tuple((skeleton, inner.get(frozenset(structure), {}).get(skeleton, ())) for skeleton in structure)
        for structure in ranked[: state.settings.hypotheses] or [()]
    ]


def _terms(fit: EquationFit) -> Fitted:
    return tuple((term.skeleton, term.inner) for term in fit.terms)


def _fewer(state: RunState, bench: Workbench, best: Visited) -> tuple[Skeleton, ...]:
    """A law without terms of at most IDLE of all that acts and without those that may be zero; empty where not new."""
    fit, equation = best.reported, best.fit.equation
    rows = {term: bench.column(term.skeleton, term.inner) for term in fit.terms}
    sizes = {t: abs(t.coefficient) * float(np.linalg.norm(row)) for t, row in rows.items() if row is not None}
    acting = [t.skeleton for t, size in sizes.items() if size > IDLE * sum(sizes.values()) and not t.may_be_zero]
    rest = tuple(s for s in acting if not is_banned(state, equation, s))
    is_new = (equation, tuple(sorted(rest))) not in state.archive and not forced_terms(state, equation)
    return rest if 0 < len(rest) < len(best.fit.terms) and is_new else ()


def _searched(state: RunState, bench: Workbench, equation: int, forced: Sequence[Skeleton]) -> list[EquationFit]:
    """Search the library of this iteration's stage, wider when only a large structure reaches the floor there."""
    first = _at_first(state, bench, equation, forced)
    if bench.is_sparse and first and _stands(state, bench, first[0]):
        return first
    known = explanations(state.problem, bench.names, equation)
    is_found = not bench.is_sparse and bool(first) and explains(first[0]) and is_short(first[0])
    fits = first if is_found else _from_libraries(state, bench, equation, forced, first)
    if bench.is_sparse:
        return _no_odder(state, bench, first, fits) if first else fits
    if bench.is_clean and not forced and fits and fits[0].floor_ratio <= AT_FLOOR and fits[0].nmse <= DEEP:
        every = [e.skeleton for e in on_data(state, bench, equation, LAST_STAGE)]
        fits = _merged(fits, shorter(bench, fits[0], every))
    return without_twins(fits, bench, known)


def _from_libraries(
    state: RunState, bench: Workbench, equation: int, forced: Sequence[Skeleton], fits: list[EquationFit]
) -> list[EquationFit]:
    """Search one library after the other, and what is outside of them at last; fits: what is known already."""
    known = explanations(state.problem, bench.names, equation)
    for stage in range(min(state.iteration + 1, LAST_STAGE), LAST_STAGE + 1):
        entries = on_data(state, bench, equation, stage)
        for part in [at_rest(entries)] if bench.is_sparse else _parts(entries, stage):
            found = search(bench, equation, choice_of(state, equation, part), forced, state.settings.max_terms)
            fits = _merged(fits, _on_trajectories(bench, found))
            if fits and _is_enough(fits[0], part) and _is_small(fits[0], stage, known):
                break
        if stage < LAST_STAGE and (not fits or not _reaches(fits[0]) or _is_small(fits[0], stage, known)):
            break
    else:
        if bench.is_clean and not _is_law(fits, known):
            fits = _last_resort(state, bench, equation, forced, fits)
    return fits


def _at_first(state: RunState, bench: Workbench, equation: int, forced: Sequence[Skeleton]) -> list[EquationFit]:
    """What comes before the libraries: plain laws of few samples, and of clean ones what other equations hold."""
    if bench.is_sparse:
        return _plain(state, bench, equation, forced)
    return from_known(state, bench, equation) if bench.is_clean and not forced else []


def _last_resort(
    state: RunState, bench: Workbench, equation: int, forced: Sequence[Skeleton], fits: list[EquationFit]
) -> list[EquationFit]:
    """Search what no word suggests, then what no mechanism writes down: many clean samples tell it from chance."""
    most = state.settings.max_terms
    if len(bench.symbols) > MOST_VARIABLES:
        return fits
    every = at_rest(on_data(state, bench, equation, EVERY))
    some = [entry for entry in every if entry.family.stage in (1, EVERY) or count_params(entry.skeleton)]
    choice = replace(choice_of(state, equation, some), known=known_elsewhere(state, equation))
    fits = _merged(fits, search(bench, equation, choice, forced, most))
    if not _is_law(fits, explanations(state.problem, bench.names, equation)):
        composed = composed_on_data(state, bench, equation)
        choice = Choice(composed.plain, removed=removed_terms(state, equation), blocks=state.problem.blocks)
        fits = _merged(fits, compose(bench, equation, choice, composed, forced, most))
        if fits and not _reaches(fits[0]):
            fits = _merged(fits, gathered(bench, fits[0], choice_of(state, equation, every), forced, most))
    return fits


def _plain(state: RunState, bench: Workbench, equation: int, forced: Sequence[Skeleton]) -> list[EquationFit]:
    """Few samples: what the words suggest, and growth in proportion; where that falls short all plain terms too."""
    entries = [e for e in on_data(state, bench, equation, 1) if not count_params(e.skeleton)]
    plain = [e for e in entries if e.family.plain]
    own = bench.symbols[equation]
    most = state.settings.max_terms
    fits: list[EquationFit] = []
    if any(e.word for e in plain):
        spoken = [e.skeleton for e in entries if e.word or e.skeleton == own]
        fits = _on_trajectories(bench, search(bench, equation, Choice(tuple(spoken)), forced, most))
        if fits and _is_near(fits[0]):
            return fits
    wider = [e.skeleton for e in entries if e.family.plain or e.word]
    return _merged(fits, _on_trajectories(bench, search(bench, equation, Choice(tuple(wider)), forced, most)))


def _on_trajectories(bench: Workbench, fits: Sequence[EquationFit]) -> list[EquationFit]:
    """Fit the leaders of a search again where samples are few, the best score first."""
    if not bench.is_sparse:
        return list(fits)
    return _merged([], [bench.fit(f.equation, [t.skeleton for t in f.terms]) for f in fits[:LEADING]])


def _stands(state: RunState, bench: Workbench, fit: EquationFit) -> bool:
    """Whether a structure of plain terms need not be searched past where samples are few."""
    if len(fit.terms) <= FEW and fit.floor_ratio <= AT_NOISE:
        return True
    return _is_spoken(state, bench, fit) and _is_near(fit)


def _no_odder(
    state: RunState, bench: Workbench, plain: Sequence[EquationFit], fits: Sequence[EquationFit]
) -> list[EquationFit]:
    """Leave out structures that do not gain PLAINER nats an odd term over the best plain one.

    And those that a plain one nearly equals which is close to the noise or has the words on its side; another one may
    be no more than what a veto left.
    """
    known = explanations(state.problem, bench.names, plain[0].equation)
    usual = {s for s, entry in known.items() if entry.family.plain or entry.word}
    best = plain[0]
    holds = _is_near(best) or _is_spoken(state, bench, best)
    return [
        f
        for f in fits
        if f in plain
        or not (holds and nearly_equals(best, f))
        and f.score + PLAINER * sum(t.skeleton not in usual for t in f.terms) <= best.score
    ]


def _is_enough(fit: EquationFit, part: Sequence[Entry]) -> bool:
    """Whether the next library need not be searched; plain polynomials are enough only where they are exact and few."""
    if all(entry.family.stage == 1 for entry in part):
        return is_exact(fit) and is_short(fit)
    return _reaches(fit)


def _reaches(fit: EquationFit) -> bool:
    """Whether no further term can gain much: a structure that is large may still be a smaller one in other words."""
    return fit.floor_ratio <= AT_FLOOR or is_exact(fit)


def _parts(entries: Sequence[Entry], stage: int) -> list[Sequence[Entry]]:
    """The libraries to search one after the other: polynomials, what words suggest besides, then all.

    Inner parameters among many fixed shapes are costly, and crowded out by chance; most laws have only one shape
    that is not a polynomial. Wrong words must not crowd out the polynomials either. Last come terms in a rhythm: they
    imitate a plain term and a rhythm too well to be looked at before these.
    """
    driven, entries = [entry for entry in entries if is_modulated(entry.skeleton)], at_rest(entries)
    moving = [entry for entry in entries if count_params(entry.skeleton)]
    narrow = [entry for entry in entries if entry.word or entry.family.stage == 1 or count_params(entry.skeleton)]
    plain = [entry for entry in entries if entry.family.stage == 1]
    first = [plain] if stage == 1 and len(plain) < len(narrow) else []
    last = [[*narrow, *driven]] if driven and stage == LAST_STAGE else []
    if not moving or len(narrow) == len(entries):
        return [*first, entries, *last]
    return [*first, narrow] if stage == 3 else [*first, narrow, entries, *last]


def _is_small(fit: EquationFit, stage: int, known: Mapping[Skeleton, Entry]) -> bool:
    """Whether no wider library need be searched: a single term of that may be what some of these imitate.

    Two with numbers inside, a curve of time that fades as a state does, or of clean samples, where a small range has
    many laws, two shapes of different mechanisms that no word speaks for.
    """
    size = sum(complexity(term.skeleton) for term in fit.terms if "(" not in term.skeleton)
    plain = stage > 1 or size <= PLAIN * len(fit.terms)
    single = sum(bool(term.inner) for term in fit.terms) < 2
    few = len(fit.terms) <= (FEW if fit.nmse <= DEEP else FEW_NOISY)
    lasting = stage >= LAST_STAGE or not any(is_fading(term.skeleton) for term in fit.terms)
    return few and plain and single and lasting and (fit.nmse > DEEP or _odd(fit, known) < 2)


def _odd(fit: EquationFit, known: Mapping[Skeleton, Entry]) -> int:
    """Return of how many mechanisms that are neither plain nor spoken of the terms are; those of none count as one."""
    entries = (known.get(term.skeleton) for term in fit.terms)
    return len({e and e.family.name for e in entries if e is None or not (e.family.plain or e.word)})


def _is_law(fits: Sequence[EquationFit], known: Mapping[Skeleton, Entry]) -> bool:
    """Whether the best structure of clean samples need not be searched past: it is plain, or short and nearly so."""
    return bool(fits) and _reaches(fits[0]) and _odd(fits[0], known) < (2 if len(fits[0].terms) <= FEW else 1)


def _merged(first: Sequence[EquationFit], second: Sequence[EquationFit]) -> list[EquationFit]:
    """Fits of distinct structures of both searches, the best score first."""
    found = {frozenset(term.skeleton for term in fit.terms): fit for fit in (*first, *second)}
    return sorted(found.values(), key=lambda fit: (fit.score, [term.skeleton for term in fit.terms]))


def _is_settled(state: RunState, bench: Workbench, best: Visited, forced: Sequence[Skeleton]) -> bool:
    """Whether a structure need not be searched past: at its floor, or near it with the words on its side."""
    fit = best.fit
    terms = [term.skeleton for term in fit.terms]
    if fit.failure or not set(forced) <= set(terms) or any(is_banned(state, fit.equation, s) for s in terms):
        return False
    if not terms or fit.score >= bench.null(fit.equation).score or is_refuted(state, fit):
        return False
    if (best.refined or fit).floor_ratio <= AT_FLOOR or (is_exact(fit) and is_short(fit)):
        return state.iteration >= LAST_STAGE or not rivals_of(state, fit.equation)
    return bench.is_sparse and _stands(state, bench, fit)


def _is_spoken(state: RunState, bench: Workbench, fit: EquationFit) -> bool:
    """Whether the words suggest a term, and every other one is in proportion to the state itself."""
    known = explanations(state.problem, bench.names, fit.equation)
    silent = [t.skeleton for t in fit.terms if t.skeleton not in known or not known[t.skeleton].word]
    return len(silent) < len(fit.terms) and all(s == bench.symbols[fit.equation] for s in silent)


def _is_near(fit: EquationFit) -> bool:
    return any(fit.floor_ratio <= floors and fit.nmse <= nmse for floors, nmse in NEAR)


def _with_reasons(state: RunState, bench: Workbench, systems: Sequence[Sequence[Fitted]]) -> tuple[Hypothesis, ...]:
    """Whole systems as hypotheses, with why each term is there."""
    nothing: Mapping[Skeleton, Entry] = {}
    known = [
        explanations(state.problem, bench.names, j) if any(laws) else nothing
        for j, laws in enumerate(zip(*systems, strict=True))
    ]
    return tuple(
        tuple(
            tuple(replace(_term(state, bench, j, s, known[j].get(s)), start=inner) for s, inner in terms)
            for j, terms in enumerate(system)
        )
        for system in systems
    )


def _term(state: RunState, bench: Workbench, equation: int, skeleton: Skeleton, entry: Entry | None) -> ProposedTerm:
    if entry is not None:
        return ProposedTerm(skeleton, entry.reason, entry.family.name)
    text, own = in_sentence(skeleton, bench.names), bench.names.own[equation]
    why = f"{text} stands in another law: what leaves one variable often enters {own.removesuffix('.')}."
    if is_composed(bench.names, skeleton):
        why = f"No mechanism known here writes {text}. Of products of simple curves it explains these samples best."
    if skeleton in forced_terms(state, equation):
        why = f"{text} was asked for in the equation of {own.removesuffix('.')}."
    return ProposedTerm(skeleton, state.reasons.get(TermKey(equation, skeleton), "") or why)


def _note(state: RunState, ranked: Sequence[Sequence[Fitted]]) -> str:
    stage = {
        0: "polynomials and families that the words suggest",
        1: "all fixed families",
        2: "families with inner parameters",
    }
    breadth = stage.get(state.iteration, "all families, open exponents and products")
    frozen = sum(len(structures) == 1 for structures in ranked)
    kept = f" {frozen} of {len(ranked)} equations are not searched further." if frozen and state.iteration else ""
    return f"{BUILTIN}: best subsets over {breadth}.{kept}"
