"""The state as a fold over the log: pure and total.

It computes no figure but takes those of the log, so it is the same on every machine.

What a person took back is left out of the fold; what its calls have used is not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from dolq_core.blocks import first_word
from dolq_core.fitting.limits import explains
from dolq_core.fitting.merit import rank
from dolq_core.loop.fit import DODGES, OUT_OF_TIME
from dolq_core.loop.person import after_word
from dolq_core.loop.ranking import best_of, structure, structures, unharmed
from dolq_core.records import (
    Ban,
    Entry,
    EquationFit,
    EquationNote,
    Intervention,
    Iteration,
    ModelCall,
    Pause,
    Proposal,
    RunState,
    Spent,
    Standing,
    Start,
    Stated,
    Structure,
    SystemFit,
    TermKey,
    Undo,
    Visited,
)

STARTED = "The equation that you start from."


def replay(entries: Iterable[Entry]) -> RunState:
    """Return the state after the whole log; the first entry must be a Start."""
    log = tuple(entries)
    first, *rest = standing(log) or (None,)
    if not isinstance(first, Start):
        raise TypeError(f"a log begins with a Start, not with {type(first).__name__}")
    state = reduce(advance, rest, begin(first))
    return replace(state, spent=reduce(added, map(calls_of, log), Spent()))


def taken_back(entries: Sequence[Entry]) -> frozenset[int]:
    """Return the numbers of the entries that do not stand any more; an Undo itself never does. The start stays."""
    stands: list[int] = []
    gone: set[int] = set()
    for number, entry in enumerate(entries):
        if isinstance(entry, Undo):
            gone |= {number, stands.pop()} if len(stands) > 1 else {number}
        else:
            stands.append(number)
    return frozenset(gone)


def standing(entries: Sequence[Entry]) -> tuple[Standing, ...]:
    """Return the log without what was taken back."""
    gone = taken_back(entries)
    return tuple(entry for n, entry in enumerate(entries) if n not in gone and not isinstance(entry, Undo))


def calls_of(entry: Entry) -> tuple[ModelCall, ...]:
    """Return the calls of language models that an entry records, in the order in which they were made."""
    match entry:
        case Iteration():
            return (*entry.proposal.calls, *entry.evaluation.review.calls)
        case Pause():
            return entry.calls
        case _:
            return ()


def begin(start: Start) -> RunState:
    """Return the state before the first iteration."""
    empty = (None,) * len(start.problem.dataset.states)
    notes = [EquationNote(own.equation, own.start, STARTED) for own in start.problem.blocks.equations if own.start]
    state = RunState(
        start.problem, start.settings, start.seed, start.agents,
        best=empty, models=start.models, equations=tuple(notes),
    )  # fmt: skip
    return after_word(state, first_word(start.problem.blocks))


def advance(state: RunState, entry: Standing) -> RunState:
    """Return the state after one more entry."""
    match entry:
        case Start():
            return begin(entry)
        case Iteration():
            return _after_iteration(state, entry)
        case Intervention():
            return after_word(state, entry)
        case Pause():
            return replace(state, paused=entry.reason, spent=added(state.spent, entry.calls))


def under_review(
    state: RunState, proposal: Proposal, fits: Sequence[SystemFit], attempt: Sequence[EquationFit | None]
) -> RunState:
    """Return the state in which the Scientist is asked: it knows what was just proposed and fitted, and the calls.

    Of several reasons for one term that of the hypothesis counts whose fit is graded.
    """
    tried = _tried(state.archive, state.iteration + 1, proposal, fits)
    known = replace(
        state, archive=tried, reasons=_reasons(state, proposal, fits, attempt), spent=added(state.spent, proposal.calls)
    )
    return replace(known, best=best_of(known))


def _reasons(
    state: RunState, proposal: Proposal, fits: Sequence[SystemFit], attempt: Sequence[EquationFit | None]
) -> dict[TermKey, str]:
    graded = {(fit.hypothesis, j) for fit in fits for j, one in enumerate(fit.equations) if one == attempt[j]}
    proposed = [
        ((c.hypothesis, j) in graded, TermKey(j, term.skeleton), term.reason)
        for c in proposal.candidates
        for j, terms in enumerate(c.terms)
        for term in terms
    ]
    return {**state.reasons, **{key: reason for _, key, reason in sorted(proposed, key=lambda one: one[0])}}


def _after_iteration(state: RunState, done: Iteration) -> RunState:
    archive = _archived(state.archive, done, unharmed(state))
    known = replace(
        state,
        iteration=done.number,
        archive=archive,
        bans=_banned(state, done),
        strikes={v.key: v.strikes for v in done.verdicts if v.action != "remove" and v.strikes},
        disputes=_disputed(state, done),
        proposals=(),
        equations=(),
        stated={**state.stated, **_stated(done)},
        reasons=_reasons(state, done.proposal, done.fits, done.attempt),
        insight=done.evaluation.review.insight or state.insight,
        last=done,
        words=state.problem.version,
        spent=added(state.spent, calls_of(done)),
        paused="",
    )
    best = best_of(known)
    better = any(_is_better(state, old, new) for old, new in zip(state.best, best, strict=True))
    return replace(known, best=best, ended=best, since_better=0 if better else state.since_better + 1)


def _stated(done: Iteration) -> dict[tuple[Structure, ...], tuple[Stated, ...]]:
    """Return what was stated of each system and holds."""
    kept = [(fit, tuple(one for one in fit.stated if one.holds)) for fit in done.fits]
    sound = [(fit.equations, held) for fit, held in kept if held and not any(one.failure for one in fit.equations)]
    return {structures(equations): held for equations, held in sound}


def added(before: Spent, calls: Sequence[ModelCall]) -> Spent:
    """Return what was used with these calls on top."""
    return Spent(
        before.calls + len(calls),
        before.tokens_in + sum(call.tokens_in for call in calls),
        before.tokens_out + sum(call.tokens_out for call in calls),
        before.seconds + sum(call.seconds + sum(look.seconds for look in call.looks) for call in calls),
        before.looks + sum(len(call.looks) for call in calls),
    )


def _tried(
    archive: Mapping[Structure, Visited], number: int, proposal: Proposal, fits: Sequence[SystemFit]
) -> dict[Structure, Visited]:
    now = dict(archive)
    proposed = {candidate.hypothesis: candidate for candidate in proposal.candidates}
    for system in fits:
        for fit in system.equations:
            if not fit.failure.startswith((OUT_OF_TIME, DODGES)):
                key = structure(fit.equation, proposed[system.hypothesis].terms[fit.equation])
                now.setdefault(key, Visited(replace(fit, duplicate=False), number))
    return now


def _archived(
    archive: Mapping[Structure, Visited], done: Iteration, kept: Mapping[int, Visited]
) -> dict[Structure, Visited]:
    """Add an iteration; numbers that explained whole runs are not lost to those beside a law that does not."""
    now = _tried(archive, done.number, done.proposal, done.fits)
    for fit in done.refined:
        key = structure(fit.equation, fit.terms)
        if fit.equation not in kept or explains(fit):
            now[key] = replace(now[key], refined=fit, blind=None)
    for fit in done.blind:
        key = structure(fit.equation, fit.terms)
        if fit.equation not in kept or explains(fit):
            now[key] = replace(now[key], blind=fit)
    return now


def _banned(state: RunState, done: Iteration) -> dict[TermKey, Ban]:
    """Bans after an iteration; that of a term which stood its test beside others ends, and one that words lift."""
    ended = {*done.pardoned, *(lift.key for lift in done.evaluation.review.lifts)}
    now = {key: ban for key, ban in state.bans.items() if ban.by == "human" or key not in ended}
    terms = {fit.equation: [term.skeleton for term in fit.terms] for fit in done.attempt if fit is not None}
    for verdict in done.verdicts:
        key, known = verdict.key, now.get(verdict.key)
        if known is not None and known.by == "human":
            continue
        if verdict.action == "remove":
            by = "scientist" if verdict.semantic == "bad" else "numbers"
            beside = tuple(sorted(s for s in terms.get(key.equation, ()) if s != key.skeleton))
            now[key] = Ban(key, by, done.number, verdict.reason, beside)
        else:
            now.pop(key, None)
    return now


def _disputed(state: RunState, done: Iteration) -> dict[TermKey, int]:
    now = dict(state.disputes)
    for verdict in done.verdicts:
        if verdict.conflict and verdict.semantic == "bad":
            now[verdict.key] = now.get(verdict.key, 0) + 1
        else:
            now.pop(verdict.key, None)
    return now


def _is_better(state: RunState, old: Visited | None, new: Visited | None) -> bool:
    if new is None:
        return False
    return old is None or rank(state, new) < rank(state, old)
