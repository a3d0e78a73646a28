"""Runs to look at: by agents that follow a script, and discoveries that are made once for all tests that want them."""

import hashlib
import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from dolq_core import loop, runs
from dolq_core.fitting import Workbench
from dolq_core.ports import Store
from dolq_core.records import Entry, Grade, Problem, Settings, Start
from dolq_core.store.memory import MemoryStore
from tests.scripted import ScriptedSampler, ScriptedScientist

T = TypeVar("T")
Hypothesis = list[list[str]]  # the terms of each equation
FOUND: list[Path] = []
"""The folder of discoveries that all processes of this session share; conftest names it."""


def once(key: object, make: Callable[[], T]) -> T:
    """What `make` returns, made by the first process of this session that asks for this key."""
    if not FOUND:
        return make()  # while tests are collected
    file = FOUND[0] / hashlib.sha256(pickle.dumps(key)).hexdigest()
    if not file.exists():
        made = make()
        half = file.with_suffix(f".{os.getpid()}")
        half.write_bytes(pickle.dumps(made))
        half.replace(file)  # whole or not at all, whoever else makes it now
    return pickle.loads(file.read_bytes())


def found(problem: Problem, store: Store | None = None, steps: int | None = None, **settings: Any) -> runs.Run:
    """Store what the built-in agents find, until they stop or after `steps`; in memory where no store is named."""
    start = Start(problem, Settings(**settings))

    def entries() -> tuple[Entry, ...]:
        alone = MemoryStore()
        return runs.auto(alone, runs.start(alone, problem, start.settings), steps).entries[1:]

    return _kept(store or MemoryStore(), start, once((start, steps), entries))


def scripted(
    problem: Problem,
    *attempts: list[Hypothesis],
    grades: Mapping[str, Grade] | None = None,
    insight: str = "",
    settings: Settings | None = None,
    name: str = "",
    place: Store | None = None,
) -> runs.Run:
    """Store a run with an iteration for each attempt, by hypotheses; unless said, nothing is held out."""
    start, own = Start(problem, settings or Settings(held_out=0.0)), place or runs.open_store()
    told = dict(grades or {})

    def entries() -> tuple[Entry, ...]:
        bench = Workbench.of(
            problem.dataset, start.settings.target, start.settings.held_out, start.settings.held_out_runs
        )
        setup = loop.Setup(ScriptedSampler(attempts), ScriptedScientist(told, insight), bench)
        state, made = loop.begin(start), []
        for _ in attempts:
            made.append(loop.step(state, setup))
            state = loop.advance(state, made[-1])
        return tuple(made)

    return _kept(own, start, once((start, attempts, told, insight), entries), name)


def _kept(store: Store, start: Start, entries: Sequence[Entry], name: str = "") -> runs.Run:
    run = runs.start(store, start.problem, start.settings, name=name)
    for number, entry in enumerate(entries, 1):
        store.append(run, number, entry)
    return runs.load(store, run)


def fitted(problem: Problem, terms: Hypothesis, settings: Settings | None = None) -> runs.Run:
    """Store a run whose only hypothesis has these terms, and fit it."""
    return scripted(problem, [terms], settings=settings or Settings())
