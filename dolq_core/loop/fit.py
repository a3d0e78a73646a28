"""Phase 2 (paper, 3.2): coefficients for every candidate; what was fitted before is answered from the archive."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf

from dolq_core.blocks import is_joint, is_watched, wrong_sign
from dolq_core.fitting import Workbench
from dolq_core.fitting.known_starts import fitted_from
from dolq_core.fitting.merit import merit
from dolq_core.fitting.prior import Prior
from dolq_core.loop.ranking import dodged, structure, unharmed
from dolq_core.loop.stated import stating
from dolq_core.mechanisms.words import listed
from dolq_core.records import Candidate, EquationFit, Proposal, RunState, SystemFit, Term
from dolq_core.terms import in_sentence

OUT_OF_TIME = "not fitted"
DODGES = "set aside"
BESIDE = " beside the other terms"


def fit(
    state: RunState, proposal: Proposal, bench: Workbench, on_fit: Callable[[int, int], None] | None = None
) -> tuple[SystemFit, ...]:
    """Return one SystemFit per candidate; on_fit(done, of) is told after each.

    The time limit never changes a result: it only leaves later candidates unfitted, which the record says.
    """
    deadline = time.thread_time() + state.settings.time_limit_s
    done: list[SystemFit] = []
    for candidate in proposal.candidates:
        late = bool(done) and time.thread_time() > deadline
        done.append(_out_of_time(candidate, state.settings.time_limit_s) if late else _fit(state, candidate, bench))
        if on_fit is not None:
            on_fit(len(done), len(proposal.candidates))
    return tuple(done)


def attempt_of(
    state: RunState, proposal: Proposal, fits: Sequence[SystemFit], bench: Workbench
) -> tuple[EquationFit | None, ...]:
    """Return per equation the fit that is shown and graded: the one with the person's own term, else the best.

    Where noise is the limit, that of the best whole system. What a veto in another equation leaves unharmed stays. None
    where every candidate failed.
    """
    kept = unharmed(state)
    first = _best_system(state, fits, bench)
    by_person = {
        (candidate.hypothesis, j)
        for candidate in proposal.candidates
        for j, terms in enumerate(candidate.terms)
        if any(term.source == "human" for term in terms)
    }
    chosen: list[EquationFit | None] = []
    for j in range(len(state.problem.dataset.states)):
        usable = [(f.hypothesis, f.equations[j]) for f in fits if not f.equations[j].failure]
        asked = [fit for hypothesis, fit in usable if (hypothesis, j) in by_person]
        ranked = sorted(asked or [fit for _, fit in usable], key=lambda fit: merit(state, fit))
        together = first[j] if first and not asked else None
        if j in kept and not asked:
            together = replace(kept[j].fit, duplicate=True)
        chosen.append(together or (ranked[0] if ranked else None))
    return tuple(chosen)


def _best_system(state: RunState, fits: Sequence[SystemFit], bench: Workbench) -> tuple[EquationFit, ...]:
    """Return the whole system with the shortest description; empty where whole systems are not compared."""
    joint = is_joint(state.problem.blocks)
    if state.settings.best_by == "mse" and not joint:
        return ()
    systems = [system.equations for system in fits if not any(fit.failure for fit in system.equations)]
    compared = bench.lengths(systems, Prior(state.problem))
    if compared is None and not (joint and systems):
        return ()
    lengths = [sum(merit(state, fit) for fit in system) for system in systems] if compared is None else compared[1]
    return systems[lengths.index(min(lengths))]


def _fit(state: RunState, candidate: Candidate, bench: Workbench) -> SystemFit:
    stated = candidate.stated
    if stated:
        stated, bench = stating(state, [[t.skeleton for t in terms] for terms in candidate.terms], stated, bench)
    equations: list[EquationFit] = []
    for j, terms in enumerate(candidate.terms):
        known = state.archive.get(structure(j, terms))
        if known is not None and not stated:
            found = replace(known.fit, duplicate=True)
        else:
            skeletons, starts = [term.skeleton for term in terms], [term.start for term in terms]
            found = fitted_from(bench, j, skeletons, starts, state.settings.optimizer)
        equations.append(_unless_vetoed(state, found, terms, bench))
    return SystemFit(candidate.hypothesis, _as_declared(equations, bench), stated)


def _as_declared(fits: Sequence[EquationFit], bench: Workbench) -> tuple[EquationFit, ...]:
    """Fit what is one in several equations together; a system that breaks a rule is set aside as a whole."""
    if not (is_joint(bench.blocks) or is_watched(bench.blocks)):
        return tuple(fits)
    if failed := next((fit.failure for fit in fits if fit.failure), ""):
        why = failed
    else:
        fits = bench.together(fits)
        signs = (wrong_sign(bench.blocks, fit.equation, fit.terms) for fit in fits)
        why = bench.why_not_together(fits) or next(filter(None, signs), "")
        why = f"{DODGES}: {why}" if why else ""
    return tuple(replace(fit, failure=why, duplicate=False) if why else fit for fit in fits)


def _unless_vetoed(state: RunState, fit: EquationFit, terms: Sequence[Term], bench: Workbench) -> EquationFit:
    """A structure with a wrong sign, or a removed term under another name, is out for this iteration, and says so."""
    sign = wrong_sign(state.problem.blocks, fit.equation, fit.terms)
    if sign:
        return replace(fit, failure=f"{DODGES}: {sign}, and the fit has the other sign")
    spared = [term.skeleton for term in terms if term.source == "human"]
    twins, whose = dodged(state, fit, spared), "which you removed"
    if twins is None and any(term.source == "model" for term in terms):
        twins, whose = dodged(state, fit, spared, soft=True), "which is banned"
    if twins is None:
        return fit
    standing, twin, is_alone = twins
    texts, removed = [in_sentence(skeleton, bench.names) for skeleton in standing], in_sentence(twin, bench.names)
    who = f"{listed(texts)} together are" if len(texts) > 1 else f"{texts[0]}{'' if is_alone else BESIDE} is"
    return replace(fit, failure=f"{DODGES}: as fitted, {who} on these data the same as {removed}, {whose}")


def _out_of_time(candidate: Candidate, limit_s: float) -> SystemFit:
    why = f"{OUT_OF_TIME}: the time limit of {limit_s:g} s for an iteration was reached"
    return SystemFit(
        candidate.hypothesis,
        tuple(EquationFit(j, (), inf, inf, inf, inf, inf, failure=why) for j in range(len(candidate.terms))),
    )
