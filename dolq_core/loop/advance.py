"""The state as a fold over the log: pure, total, the same to the last bit on every machine."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from dolq_core.loop.fit import OUT_OF_TIME, merit, structure
from dolq_core.records import (
    Ban,
    Entry,
    Intervention,
    Iteration,
    ModelCall,
    Override,
    Pause,
    Pin,
    RunState,
    Spent,
    Start,
    Structure,
    TermKey,
    Visited,
    Wish,
)

T = TypeVar("T")


def replay(entries: Iterable[Entry]) -> RunState:
    """Return the state after the whole log; the first entry must be a Start."""
    log = iter(entries)
    first = next(log, None)
    if not isinstance(first, Start):
        raise TypeError(f"a log begins with a Start, not with {type(first).__name__}")
    state = begin(first)
    for entry in log:
        state = advance(state, entry)
    return state


def begin(start: Start) -> RunState:
    """Return the state before the first iteration."""
    empty = (None,) * len(start.problem.dataset.states)
    return RunState(start.problem, start.settings, start.seed, start.agents, best=empty, models=start.models)


def advance(state: RunState, entry: Entry) -> RunState:
    """Return the state after one more entry."""
    match entry:
        case Start():
            return begin(entry)
        case Iteration():
            return _after_iteration(state, entry)
        case Intervention():
            return _after_intervention(state, entry)
        case Pause():
            return replace(state, paused=entry.reason, spent=added(state.spent, entry.calls))


def _after_iteration(state: RunState, done: Iteration) -> RunState:
    archive = _archived(state.archive, done)
    proposed = [(j, term) for c in done.proposal.candidates for j, terms in enumerate(c.terms) for term in terms]
    known = replace(
        state,
        iteration=done.number,
        archive=archive,
        bans=_banned(state, done),
        strikes={v.key: v.strikes for v in done.verdicts if v.action != "remove" and v.strikes},
        disputes=_disputed(state, done),
        proposals=(),
        reasons={**state.reasons, **{TermKey(j, term.skeleton): term.reason for j, term in proposed}},
        insight=done.evaluation.review.insight or state.insight,
        last=done,
        spent=added(state.spent, (*done.proposal.calls, *done.evaluation.review.calls)),
        paused="",
    )
    best = best_of(known)
    better = any(_is_better(state, old, new) for old, new in zip(state.best, best, strict=True))
    return replace(known, best=best, since_better=0 if better else state.since_better + 1)


def added(before: Spent, calls: Sequence[ModelCall]) -> Spent:
    """Return what was used with these calls on top."""
    return Spent(
        before.calls + len(calls),
        before.tokens_in + sum(call.tokens_in for call in calls),
        before.tokens_out + sum(call.tokens_out for call in calls),
        before.seconds + sum(call.seconds for call in calls),
    )


def _archived(archive: Mapping[Structure, Visited], done: Iteration) -> dict[Structure, Visited]:
    now = dict(archive)
    proposed = {candidate.hypothesis: candidate for candidate in done.proposal.candidates}
    for system in done.fits:
        for fit in system.equations:
            if not fit.failure.startswith(OUT_OF_TIME):
                key = structure(fit.equation, proposed[system.hypothesis].terms[fit.equation])
                now.setdefault(key, Visited(replace(fit, duplicate=False), done.number))
    for fit in done.refined:
        key = structure(fit.equation, fit.terms)
        now[key] = replace(now[key], refined=fit, blind=None)
    for fit in done.blind:
        key = structure(fit.equation, fit.terms)
        now[key] = replace(now[key], blind=fit)
    return now


def _banned(state: RunState, done: Iteration) -> dict[TermKey, Ban]:
    now = {key: ban for key, ban in state.bans.items() if key not in done.pardoned}
    for verdict in done.verdicts:
        if verdict.action == "remove":
            by = "scientist" if verdict.semantic == "bad" else "numbers"
            now.setdefault(verdict.key, Ban(verdict.key, by, done.number, verdict.reason))
    return now


def _disputed(state: RunState, done: Iteration) -> dict[TermKey, int]:
    now = dict(state.disputes)
    for verdict in done.verdicts:
        if verdict.conflict and verdict.semantic == "bad":
            now[verdict.key] = now.get(verdict.key, 0) + 1
        else:
            now.pop(verdict.key, None)
    return now


def best_of(state: RunState) -> tuple[Visited | None, ...]:
    """Return per equation the first of `ranked`; None where there is none."""
    return tuple(next(iter(ranked(state, j)), None) for j in range(len(state.problem.dataset.states)))


def ranked(state: RunState, equation: int) -> list[Visited]:
    """Return the visited structures with every pinned term and none that a person banned, the best first."""
    pinned = {key.skeleton for key in state.pins if key.equation == equation}
    banned = {key.skeleton for key, ban in state.bans.items() if key.equation == equation and ban.by == "human"}
    allowed = [
        visited
        for (j, skeletons), visited in state.archive.items()
        if j == equation and not visited.fit.failure and pinned <= set(skeletons) and not banned & set(skeletons)
    ]
    return sorted(allowed, key=lambda visited: rank(state, visited))


def rank(state: RunState, visited: Visited) -> float:
    """Return what is minimised between structures; the score of coefficients from trajectories counts before others."""
    fit = visited.fit
    return merit(state, fit if visited.refined is None else replace(fit, score=visited.refined.score))


def _is_better(state: RunState, old: Visited | None, new: Visited | None) -> bool:
    if new is None:
        return False
    return old is None or rank(state, new) < rank(state, old)


def _after_intervention(state: RunState, said: Intervention) -> RunState:
    now = state
    for override in said.overrides:
        now = _overridden(now, override)
    for note in said.ban:
        now = _ban(now, note.key, note.reason)
    for key in said.unban:
        now = replace(now, bans=_without(now.bans, key), wishes=_without(now.wishes, key))
    for note in said.pin:
        now = _pin(now, note.key, note.reason)
    for key in said.unpin:
        now = replace(now, pins=_without(now.pins, key), wishes=_without(now.wishes, key))
    now = replace(now, proposals=now.proposals + said.propose)
    for note in said.propose:
        now = replace(now, bans=_without(now.bans, note.key))
    if said.description is not None and said.description != now.problem.description:
        words = replace(now.problem, description=said.description, version=now.problem.version + 1)
        now = replace(now, problem=words)
    if said.remark is not None:
        now = replace(now, remark=said.remark)
    if said.budget is not None and now.models is not None:
        now = replace(now, models=replace(now.models, budget=said.budget))
    return replace(now, best=best_of(now), since_better=0, paused="")


def _overridden(state: RunState, override: Override) -> RunState:
    key, choice = override.key, override.choice
    if choice == "remove":
        return _ban(state, key, override.reason)
    if choice == "pin":
        return _pin(state, key, override.reason)
    wishes = {**state.wishes, key: Wish(choice, state.iteration, override.reason)}
    return replace(
        state,
        wishes=wishes,
        bans=_without(state.bans, key),
        pins=_without(state.pins, key),
        strikes=_without(state.strikes, key),
    )


def _ban(state: RunState, key: TermKey, reason: str) -> RunState:
    return replace(
        state,
        bans={**state.bans, key: Ban(key, "human", state.iteration, reason)},
        pins=_without(state.pins, key),
        strikes=_without(state.strikes, key),
        proposals=tuple(note for note in state.proposals if note.key != key),
        wishes={**state.wishes, key: Wish("remove", state.iteration, reason)},
    )


def _pin(state: RunState, key: TermKey, reason: str) -> RunState:
    return replace(
        state,
        pins={**state.pins, key: Pin(key, state.iteration, reason)},
        bans=_without(state.bans, key),
        strikes=_without(state.strikes, key),
        wishes={**state.wishes, key: Wish("pin", state.iteration, reason)},
    )


def _without(mapping: Mapping[TermKey, T], key: TermKey) -> dict[TermKey, T]:
    return {k: v for k, v in mapping.items() if k != key}
