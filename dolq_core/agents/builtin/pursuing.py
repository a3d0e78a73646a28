"""The search for whole systems, for the run as it stands: what may be tried, what must be in, what was tried before."""

from collections.abc import Sequence
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from dolq_core.agents.builtin.library import Structure, forced_terms, is_banned, library
from dolq_core.agents.builtin.pursuit import Pursuit
from dolq_core.agents.builtin.subsets import Library
from dolq_core.fitting import Workbench
from dolq_core.fitting.likelihood import System
from dolq_core.fitting.prior import Prior
from dolq_core.mechanisms import Entry
from dolq_core.records import RunState
from dolq_core.terms import count_params, variables

WIDEST = 4
"""The last stage of the library."""
Systems: TypeAlias = tuple[tuple[Structure, ...], ...]

_known: WeakKeyDictionary[Workbench, dict[object, Systems]] = WeakKeyDictionary()


def pursued(state: RunState, bench: Workbench) -> Systems:
    """Return the structures of whole systems, the shortest description first; none where noise is not the limit."""
    if not bench.likelihoods:
        return ()
    d = len(state.problem.dataset.states)
    libraries = [_library(state, bench, j) for j in range(d)]
    most = state.settings.max_terms
    problem = (state.problem.description, state.problem.dataset.states)
    key = (problem, tuple((one.stages, one.forced) for one in libraries), most)
    known = _known.setdefault(bench, {})
    if key not in known:
        search = Pursuit(bench, bench.likelihoods, Prior(state.problem), libraries, most)
        found = search.run(_start(state, libraries))
        known[key] = tuple(
            tuple(tuple(term.skeleton for term in terms) for terms in judged.system)
            for judged in found
            if _is_allowed(judged.system, libraries)
        )
    return known[key]


def _library(state: RunState, bench: Workbench, equation: int) -> Library:
    """Plain terms; those and what words suggest; all."""
    entries = [e for e in library(state, bench.names, equation, WIDEST) if not _is_plainer(bench, e)]
    plain = tuple(e.skeleton for e in entries if e.family.plain)
    narrow = tuple(e.skeleton for e in entries if e.word or e.family.stage == 1)
    simpler = {
        e.skeleton: tuple(s for s in e.simpler if not is_banned(state, equation, s))
        for e in entries
        if count_params(e.skeleton)
    }
    return Library((plain, narrow, tuple(e.skeleton for e in entries)), tuple(forced_terms(state, equation)), simpler)


def _is_plainer(bench: Workbench, entry: Entry) -> bool:
    """Whether a term takes the size of a variable of one sign: without it, it is plainer."""
    inside = [s for s in variables(entry.skeleton) if f"abs({s})" in entry.skeleton and s in bench.symbols]
    values = [bench.values[bench.symbols.index(s)] for s in inside]
    return any(bool(np.min(v) >= 0.0 or np.max(v) <= 0.0) for v in values)


def _start(state: RunState, libraries: Sequence[Library]) -> System | None:
    """The best system so far, where nothing of it is banned and all of it is there."""
    found = [visited.refined or visited.fit for visited in state.best if visited is not None]
    if not found or len(found) < len(state.best) or any(fit.failure or not fit.terms for fit in found):
        return None
    if any(is_banned(state, fit.equation, term.skeleton) for fit in found for term in fit.terms):
        return None
    if any(not set(one.forced) <= {t.skeleton for t in fit.terms} for one, fit in zip(libraries, found, strict=True)):
        return None
    return tuple(fit.terms for fit in found)


def _is_allowed(system: System, libraries: Sequence[Library]) -> bool:
    """Whether a system that was fitted at any time holds what it must, and nothing that is banned by now."""
    return all(
        set(one.forced) <= {term.skeleton for term in terms}
        and all(term.skeleton in {*one.stages[-1], *one.forced, *_all(one)} for term in terms)
        for terms, one in zip(system, libraries, strict=True)
    )


def _all(one: Library) -> set[str]:
    return {s for simpler in one.simpler.values() for s in simpler}
