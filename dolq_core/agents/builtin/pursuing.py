"""The search for whole systems, for the run as it stands: what may be tried, what must be in, what was tried before."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import TypeAlias
from weakref import WeakKeyDictionary

from dolq_core import clock
from dolq_core.agents.builtin.choice import Library
from dolq_core.agents.builtin.library import (
    EVERY,
    LAST_STAGE,
    Structure,
    at_rest,
    composed_on_data,
    forced_terms,
    is_banned,
    on_data,
    removed_terms,
)
from dolq_core.agents.builtin.pursuit import Pursuit
from dolq_core.fitting import Workbench
from dolq_core.fitting.likelihood import Likelihood, System
from dolq_core.fitting.limits import disguised
from dolq_core.fitting.prior import Prior, zeroed
from dolq_core.fitting.rivals import CLOSE
from dolq_core.records import RunState
from dolq_core.terms import count_params

Systems: TypeAlias = tuple[tuple[Structure, ...], ...]

Searched: TypeAlias = tuple[Systems, tuple[Likelihood, ...], float]
"""The systems, the likelihoods they were fitted with, and the seconds there were for it: inf where they sufficed."""
KEPT = 2
"""Searches whose systems are kept: with and without a term that a person takes back."""
AGAIN = 1.5
"""Times the seconds there were, from which a search that a limit of time has cut short is done anew."""

_known: WeakKeyDictionary[Workbench, dict[object, Searched]] = WeakKeyDictionary()


def pursued(state: RunState, bench: Workbench) -> tuple[Systems, bool]:
    """Return the structures of whole systems, the shortest description first, and whether a limit of time cut it short.

    None where noise is not the limit. What was fitted on the way is what the loop compares with
    (`Workbench.compare_from`). It depends on the data, the words and what may be tried alone, not on what a process has
    done before: a run that is resumed goes on alike. One that a limit of time has cut short is done anew only where
    there is more of it. While no law says anything of the samples, the machine's bans ask for no other search: they
    only choose among what was found.
    """
    if not bench.likelihoods:
        return (), clock.is_late()
    seconds = clock.left()
    d = len(state.problem.dataset.states)
    allowed = [library_of(state, bench, j) for j in range(d)]
    spared = state if _says_anything(state) else _spared(state)
    libraries = allowed if spared.bans == state.bans else [library_of(spared, bench, j) for j in range(d)]
    most = state.settings.max_terms
    blocks = state.problem.blocks
    problem = (state.problem.description, state.problem.dataset.states)
    key = (problem, blocks, tuple((one.stages, one.forced, one.rare, one.composed) for one in libraries), most)
    known = _known.setdefault(bench, {})
    if key not in known or AGAIN * known[key][-1] < seconds:
        likes = bench.new_likelihoods()
        found = Pursuit(bench.whole, likes, Prior(state.problem), libraries, most, blocks).run()
        systems = tuple(
            tuple(tuple(term.skeleton for term in terms) for terms in judged.system)
            for judged in found
            if not _dodges(state, judged.system)
        )
        known.pop(key, None)
        while len(known) >= KEPT:
            known.pop(next(iter(known)))
        known[key] = (systems, likes, seconds if clock.is_late() else inf)
    systems, likes, sufficed = known[key]
    bench.compare_from(likes)
    return tuple(system for system in systems if _is_allowed(system, allowed)), sufficed < inf


def _says_anything(state: RunState) -> bool:
    """Whether the best law of some equation explains whole runs better than what says nothing of them."""
    known = [best.reported.above_rest for best in state.best if best is not None]
    return any(above is not None and above > CLOSE for above in known)


def _spared(state: RunState) -> RunState:
    """Return the state without the machine's own bans."""
    return replace(state, bans={key: ban for key, ban in state.bans.items() if ban.by == "human"})


def library_of(state: RunState, bench: Workbench, equation: int) -> Library:
    """Plain terms; those and what words suggest; all; and besides what only words bring in, or nothing."""
    entries = on_data(state, bench, equation, LAST_STAGE)
    plain = tuple(e.skeleton for e in entries if e.family.plain)
    narrow = tuple(e.skeleton for e in entries if e.word or e.family.stage == 1)
    symbols = bench.symbols
    simpler = {
        e.skeleton: tuple(s for s in (*e.simpler, *zeroed(e.skeleton, symbols)) if not is_banned(state, equation, s))
        for e in entries
        if count_params(e.skeleton)
    }
    every = tuple(e.skeleton for e in entries)
    forced = tuple(forced_terms(state, equation))
    rare = tuple(e.skeleton for e in at_rest(on_data(state, bench, equation, EVERY)) if e.skeleton not in every)
    return Library((plain, narrow, every), forced, simpler, rare, composed_on_data(state, bench, equation))


def _is_allowed(system: tuple[Structure, ...], libraries: Sequence[Library]) -> bool:
    """Whether a system that was fitted at any time holds what it must, and nothing that is banned by now."""
    return all(
        set(one.forced) <= set(own) and all(map(one.holds, own)) for own, one in zip(system, libraries, strict=True)
    )


def _dodges(state: RunState, system: System) -> bool:
    """Whether a system, as fitted, has a term that a person removed under another name."""
    return any(disguised(state.problem.dataset, terms, removed_terms(state, j)) for j, terms in enumerate(system))
