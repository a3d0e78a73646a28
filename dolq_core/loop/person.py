"""What a person's word changes: choices, bans and pins, terms and equations of their own, the words of the problem."""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import TypeVar

from dolq_core.bans import is_covered
from dolq_core.fitting.limits import UNCOMPARED
from dolq_core.loop.ranking import best_of, structure
from dolq_core.records import Ban, FamilyBan, Intervention, Override, Pin, Problem, RunState, TermKey, Variable, Wish

K = TypeVar("K")
T = TypeVar("T")


def after_word(state: RunState, said: Intervention) -> RunState:
    """Return the state after one intervention, whole."""
    now = state
    for override in said.overrides:
        now = _overridden(now, override)
    for note in said.ban:
        now = _ban(now, note.key, note.reason)
    for key in said.unban:
        now = replace(_let_in(now, key), wishes=_without(now.wishes, key))
    for family in said.ban_families:
        spared = tuple(sorted(key.skeleton for key in now.pins if key.equation == family.key.equation))
        banned = FamilyBan(family.key, now.iteration, family.reason, spared)
        now = replace(now, families={**now.families, family.key: banned})
    for family in said.unban_families:
        now = replace(now, families=_without(now.families, family))
    for note in said.pin:
        now = _pin(now, note.key, note.reason)
    for key in said.unpin:
        now = replace(now, pins=_without(now.pins, key), wishes=_without(now.wishes, key))
    now = _in_words(_proposed(now, said), said)
    if said.agents is not None:
        asleep = said.agents.agents == "models" and said.agents.models is None
        models = now.models if asleep else said.agents.models
        now = replace(now, agents=said.agents.agents, models=models, asleep=asleep)
    if said.budget is not None and now.models is not None:
        now = replace(now, models=replace(now.models, budget=said.budget))
    return _uncompared(state, replace(now, best=best_of(now), since_better=0, paused=""))


def _uncompared(before: RunState, now: RunState) -> RunState:
    """Forget the rivals of each equation whose best structure a word has changed: the next iteration looks again."""
    if now.last is None or not now.last.rivals:
        return now
    laws = [[one and structure(one.fit.equation, one.fit.terms) for one in state.best] for state in (before, now)]
    pairs = zip(now.last.rivals, *laws, strict=True)
    kept = tuple(count if old is not None and old == new else UNCOMPARED for count, old, new in pairs)
    return replace(now, last=replace(now.last, rivals=kept))


def _proposed(state: RunState, said: Intervention) -> RunState:
    """Take up the terms and equations for the next iteration; to name a term is to let it in."""
    now = replace(state, proposals=state.proposals + said.propose, equations=state.equations + said.equations)
    named = [note.key for note in said.propose]
    named += [TermKey(note.equation, skeleton) for note in said.equations for skeleton in note.skeletons]
    return reduce(_let_in, named, now)


def _in_words(state: RunState, said: Intervention) -> RunState:
    """Take up what is said of the system and of what is understood of it."""
    problem = _worded(state.problem, said)
    return replace(
        state,
        problem=problem,
        insight=state.insight if said.insight is None else said.insight,
        remark=state.remark if said.remark is None else said.remark,
    )


def _worded(problem: Problem, said: Intervention) -> Problem:
    """Return the problem with the description, units and meanings that a person gave, as its next version."""
    notes = {note.name: note for note in said.variables}

    def told(variable: Variable) -> Variable:
        note = notes.get(variable.name)
        return variable if note is None else replace(variable, unit=note.unit, meaning=note.meaning)

    data = problem.dataset
    data = replace(
        data,
        time=told(data.time),
        states=tuple(told(variable) for variable in data.states),
        inputs=tuple(told(variable) for variable in data.inputs),
    )
    description = problem.description if said.description is None else said.description
    new = replace(problem, dataset=data, description=description)
    return problem if new == problem else replace(new, version=problem.version + 1)


def _let_in(state: RunState, key: TermKey) -> RunState:
    """Lift every ban from one term: its own, and its family's for this term alone."""
    families = {
        family: replace(ban, spared=(*ban.spared, key.skeleton)) if is_covered(ban, key) else ban
        for family, ban in state.families.items()
    }
    return replace(state, bans=_without(state.bans, key), families=families)


def _overridden(state: RunState, override: Override) -> RunState:
    key, choice = override.key, override.choice
    if choice == "remove":
        return _ban(state, key, override.reason)
    if choice == "pin":
        return _pin(state, key, override.reason)
    wishes = {**state.wishes, key: Wish(choice, state.iteration, override.reason)}
    return replace(
        _let_in(state, key), wishes=wishes, pins=_without(state.pins, key), strikes=_without(state.strikes, key)
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
        _let_in(state, key),
        pins={**state.pins, key: Pin(key, state.iteration, reason)},
        strikes=_without(state.strikes, key),
        wishes={**state.wishes, key: Wish("pin", state.iteration, reason)},
    )


def _without(mapping: Mapping[K, T], key: K) -> dict[K, T]:
    return {k: v for k, v in mapping.items() if k != key}
