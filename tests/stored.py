"""Runs to look at: by agents that follow a script, and discoveries that are made once for all tests that want them."""

import hashlib
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dolq_core import loop, runs
from dolq_core.fitting import Workbench
from dolq_core.ports import Store
from dolq_core.records import Grade, Problem, Settings, Start
from dolq_core.store.memory import MemoryStore
from tests.scripted import ScriptedSampler, ScriptedScientist

Hypothesis = list[list[str]]  # the terms of each equation
FOUND: list[Path] = []
"""The folder of discoveries that all processes of this session share; conftest names it."""


def found(problem: Problem, store: Store | None = None, steps: int | None = None, **settings: Any) -> runs.Run:
    """Store what the built-in agents find, until they stop or after `steps`; in memory where no store is named."""
    start, own = Start(problem, Settings(**settings)), store or MemoryStore()
    key = hashlib.sha256(pickle.dumps((start, steps))).hexdigest()
    file = FOUND[0] / key
    if not file.exists():
        alone = MemoryStore()
        done = runs.auto(alone, runs.start(alone, problem, start.settings), steps)
        half = file.with_suffix(f".{id(done)}")
        half.write_bytes(pickle.dumps(done.entries[1:]))
        half.replace(file)  # whole or not at all, whoever else makes it now
    run = runs.start(own, problem, start.settings)
    for number, entry in enumerate(pickle.loads(file.read_bytes()), 1):
        own.append(run, number, entry)
    return runs.load(own, run)


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
    store, chosen = place or runs.open_store(), settings or Settings(held_out=0.0)
    run = runs.start(store, problem, chosen, name=name)
    bench = Workbench.of(problem.dataset, chosen.target, chosen.held_out, chosen.held_out_runs)
    setup = loop.Setup(ScriptedSampler(attempts), ScriptedScientist(dict(grades or {}), insight), bench)
    for number in range(1, len(attempts) + 1):
        store.append(run, number, loop.step(runs.load(store, run).state, setup))
    return runs.load(store, run)


def fitted(problem: Problem, terms: Hypothesis, settings: Settings | None = None) -> runs.Run:
    """Store a run whose only hypothesis has these terms, and fit it."""
    return scripted(problem, [terms], settings=settings or Settings())
