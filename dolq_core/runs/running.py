"""A run from its start to its end: stored, loaded, stepped, spoken to, forked."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from tenacity import Retrying, retry_if_exception_type, stop_after_attempt

from dolq_core import clock, loop
from dolq_core.agents import BUILTIN, MODELS, build_agents
from dolq_core.agents.llm import Connection, connection, disclosure
from dolq_core.agents.providers import key_for, preset_of
from dolq_core.agents.providers.scripted import ScriptedModel
from dolq_core.blocks import FREE, required
from dolq_core.errors import AgentError, DataError, StoreError
from dolq_core.fitting import Workbench
from dolq_core.fitting.placing import driven_as
from dolq_core.fitting.weighing import noisy_as
from dolq_core.loop import OnPhase, calls_of
from dolq_core.numerics.machine import one_thread
from dolq_core.ports import ChatModel, RunInfo, Store
from dolq_core.records import (
    IMPORTED,
    AgentsNote,
    Blocks,
    Choice,
    Dataset,
    Entry,
    Intervention,
    ModelChoice,
    Models,
    Override,
    Pause,
    Problem,
    RunState,
    Settings,
    Start,
    TermKey,
    Undo,
)
from dolq_core.runs.allowance import allow_run, computing, reached
from dolq_core.runs.naming import run_name
from dolq_core.runs.problems import held_from
from dolq_core.runs.recent import Recent


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it stands in the store: its log and the state that the log folds to."""

    id: str
    name: str
    entries: tuple[Entry, ...]
    state: RunState


ASLEEP = Intervention(
    by=IMPORTED,
    reason="The run came as a file: its language models wait until they are chosen again.",
    agents=AgentsNote(MODELS),
)
"""The last entry of a run that came as a file with models in it."""
TRIES = 20
"""Attempts to append a person's word while another process adds entries."""


def start(
    store: Store,
    problem: Problem,
    settings: Settings | None = None,
    seed: int = 0,
    agents: str = BUILTIN,
    name: str = "",
    models: Models | None = None,
) -> str:
    """Store a new run and return its id.

    Raises DataError when its settings hold out what the data have not, AllowanceError where the owner may have no more.
    models: who takes part where agents is "models".
    """
    chosen = settings or Settings()
    allow_run(store, problem.dataset)
    held_from(problem.dataset, chosen.held_out, chosen.held_out_runs)
    build_agents(agents, models, chosen, _nobody)
    return store.create(
        Start(problem, chosen, seed, agents, models), run_name(name) or run_name(problem.dataset.name) or "run"
    )


def _nobody(role: str, choice: ModelChoice) -> ChatModel:
    """Stands in where a choice is only looked at: no key is needed yet."""
    preset_of(choice)
    return ScriptedModel((), choice)


def try_model(store: Store, choice: ModelChoice, key: str) -> Connection:
    """Say a short word to a model and return what it understands.

    Raises AgentError when it cannot be asked at all, AllowanceError where the owner may not ask it.
    """
    return connection(reached(store, choice, key))


def fork(store: Store, run: str, at: int, name: str = "") -> str:
    """Store a new run with the first `at` entries of another, and return its id; the other stays as it is.

    at: from 1 (the start alone) to all of them; raises StoreError beyond.
    """
    old = load(store, run)
    if not 1 <= at <= len(old.entries):
        raise StoreError(f"Entry {at} of {old.name!r}", f"the run has {len(old.entries)}", "Choose one of them.")
    came = any(isinstance(entry, Intervention) and entry.by == IMPORTED for entry in old.entries[at:])
    return store_log(store, (*old.entries[:at], *([ASLEEP] * came)), name or f"{old.name}, from entry {at}")


def store_log(store: Store, entries: Sequence[Entry], name: str) -> str:
    """Store a whole log as a new run, all of it or nothing, and return its id."""
    first, *rest = entries
    assert isinstance(first, Start)
    allow_run(store, first.problem.dataset)
    return store.create(first, name, rest)


def list_runs(store: Store) -> tuple[RunInfo, ...]:
    """Return all runs, the last changed first."""
    return store.runs()


def id_of(store: Store, said: str) -> str:
    """Return the id of the run that a person names by its id or name; raise StoreError where several have that name.

    What no run is called comes back as it is: `load` says that there is none.
    """
    known = store.runs()
    found = [info.id for info in known if info.name.casefold() == said.strip().casefold()]
    if any(info.id == said for info in known) or not found:
        return said
    if len(found) > 1:
        ids = f"{', '.join(found[:-1])} and {found[-1]}"
        raise StoreError(f"The run '{said}'", f"{len(found)} runs are called so: {ids}", "Name one by its id.")
    return found[0]


def rename(store: Store, run: str, name: str) -> None:
    """Give a run another name, spaces around it aside; raise StoreError when nothing is left of it."""
    said = run_name(name)
    if not said:
        raise StoreError("The new name", "it is empty", "Type a name; the old one stays until then.")
    store.rename(run, said)


def remove(store: Store, run: str) -> None:
    """Remove a run with its whole log, for good; raise StoreError when there is none of this id."""
    store.remove(run)
    for kept in (_known, _benches):
        kept.drop(run)


def load(store: Store, run: str) -> Run:
    """Return the run; raise StoreError when there is none of this id.

    Logs only grow, so what was read before is kept, and only what came since is read and folded in.
    """
    known = _known.get(run)
    if known is None:
        entries = store.entries(run)
        known = _Known(entries, loop.replay(entries))
    else:
        news = store.entries(run, since=len(known.entries))
        known = _Known((*known.entries, *news), _folded(known, news))
    _known.put(run, known)
    return Run(run, _name(store, run), known.entries, known.state)


def _folded(known: "_Known", news: Sequence[Entry]) -> RunState:
    """Return the state with what came since; from the beginning where something was taken back."""
    if any(isinstance(entry, Undo) for entry in news):
        return loop.replay((*known.entries, *news))
    return reduce(loop.advance, loop.standing(news), known.state)


def _name(store: Store, run: str) -> str:
    return next((info.name for info in store.runs() if info.id == run), "")


Keys = Callable[[ModelChoice], str]
"""Gives the key for a model; it is asked at each iteration, and what it says is kept nowhere."""


def environment_key(choice: ModelChoice) -> str:
    """Return the key that the environment holds for a provider, for its own address only."""
    return key_for(choice, "", os.environ)


def step_once(
    store: Store, run: str, on_phase: OnPhase | None = None, at: int | None = None, keys: Keys = environment_key
) -> Run:
    """Do one iteration and append it; raise StoreError when the run went on elsewhere in the meantime.

    `at` is the number of entries that the caller has seen; without it, whatever the store holds is the start.
    Raises AgentError when an agent has no answer; what was tried is appended as a pause, and the run is as before.
    Raises AllowanceError where the owner has used what each may use.
    """
    before = _seen(load(store, run), at)
    try:
        with computing(store, "Another iteration"), one_thread():
            done = loop.step(before.state, _setup(store, before, keys), on_phase)
    except AgentError as error:
        store.append(run, len(before.entries), Pause(str(error), error.calls))
        raise
    try:
        store.append(run, len(before.entries), done)
    except StoreError as error:
        if calls_of(done):  # what they cost is on record, although the iteration is not
            store.append(run, len(store.entries(run)), Pause(f"{error} This iteration was dropped.", calls_of(done)))
        raise
    return Run(run, before.name, (*before.entries, done), loop.advance(before.state, done))


def intervene(store: Store, run: str, said: Intervention, at: int | None = None) -> Run:
    """Append what a person said, in one entry; `at` as for `step_once`, so that no word lands on another iteration.

    Without `at` it is appended wherever the run stands, also while another process works on it: words name terms, so
    they hold there too.
    """
    tries = 1 if at is not None else TRIES
    again = Retrying(stop=stop_after_attempt(tries), retry=retry_if_exception_type(StoreError), reraise=True)
    return again(_said, store, run, said, at)


def _said(store: Store, run: str, said: Intervention, at: int | None) -> Run:
    before = _seen(load(store, run), at)
    _keep_to_blocks(before, said)
    store.append(run, len(before.entries), said)
    return Run(run, before.name, (*before.entries, said), loop.advance(before.state, said))


def _keep_to_blocks(run: Run, said: Intervention) -> None:
    """Refuse to remove what the building blocks of the run say an equation always has."""
    removed = [note.key for note in said.ban] + [one.key for one in said.overrides if one.choice == "remove"]
    for key in removed:
        if key.skeleton in required(run.state.problem.blocks, key.equation):
            reason = "the building blocks of this run say that its equation always has it"
            way_out = "Start another run without that rule, on the page Data."
            raise DataError(f"The term {key.skeleton} stays", reason, way_out)


def override(run: Run, key: TermKey, choice: Choice, reason: str = "") -> Override:
    """Return the choice with the last verdict on the term, where the last iteration has one."""
    last = run.state.last
    verdict = next((one for one in last.verdicts if one.key == key), None) if last else None
    ablation = next((one for one in last.evaluation.ablations if one.key == key), None) if last else None
    machine, semantic = (verdict.action, verdict.semantic) if verdict else (None, None)
    return Override(key, choice, reason, machine, semantic, ablation)


def take_back(store: Store, run: str, reason: str = "", at: int | None = None) -> Run:
    """Take back the last entry that stands, an iteration or a word of the person; `at` as for `step_once`.

    The log keeps both. Raises StoreError when only the start is left.
    """
    before = _seen(load(store, run), at)
    last = loop.standing(before.entries)[-1]
    if isinstance(last, Intervention) and last.by == IMPORTED:
        reason = "its last entry came with the file that it was imported from"
        raise StoreError(f"The run {before.name!r}", reason, "There is nothing of yours to take back.")
    if len(loop.standing(before.entries)) < 2:
        raise StoreError(f"The run {before.name!r}", "nothing but its start is left", "There is nothing to take back.")
    store.append(run, len(before.entries), Undo(reason=reason))
    return load(store, run)


def auto(
    store: Store,
    run: str,
    iterations: int | None = None,
    on_step: Callable[[Run], object] | None = None,
    keys: Keys = environment_key,
    on_phase: OnPhase | None = None,
    max_seconds: float | None = None,
    *,
    beyond: bool = False,
) -> Run:
    """Step until there is a reason to stop, or `iterations` more are done.

    beyond: go on, too, where all iterations that were set are used or nothing better came, until all is found.
    on_step: told after each; what is true ends it.
    max_seconds: of wall time, kept inside an iteration as well: a search ends with what it has found, and an iteration
    that cannot be finished is dropped. The log says so (`Pause`).
    """
    now = load(store, run)
    target = None if iterations is None else now.state.iteration + iterations
    with clock.limited(max_seconds):
        ends = loop.is_found if beyond else loop.reason_to_stop
        while not (now.state.iteration and ends(now.state)) and now.state.iteration != target:
            try:
                clock.check()
                now = step_once(store, run, keys=keys, on_phase=on_phase)
            except clock.OutOfTime:
                return _out_of_time(store, now, max_seconds or 0.0)
            if on_step is not None and on_step(now):
                break
    return now


def _out_of_time(store: Store, run: Run, seconds: float) -> Run:
    """Note that a limit of time ended a run, and where."""
    done = f"{run.state.iteration} iterations are done" if run.state.iteration else "no iteration was finished"
    reason = f"Stopped: the limit of {seconds:g} s was reached; {done}."
    store.append(run.id, len(run.entries), Pause(reason))
    return load(store, run.id)


def reason_to_stop(run: Run, *, standing: bool = True) -> str:
    """Return why auto mode would end now; empty while it should go on."""
    return loop.reason_to_stop(run.state, standing=standing)


def asks_person(run: Run) -> bool:
    """Return whether something is in dispute that a person can still decide."""
    return loop.asks_person(run.state)


def _seen(run: Run, at: int | None) -> Run:
    if at is not None and at != len(run.entries):
        reason = f"it went on in the meantime: it has {len(run.entries)} entries, and you have seen {at}"
        raise StoreError(f"The run {run.name!r}", reason, "Look at it as it stands now, then repeat what you did.")
    return run


def _setup(store: Store, run: Run, keys: Keys) -> loop.Setup:
    state = run.state
    if state.asleep and state.models is not None:
        reason = f"they came with its file and are asked when they are chosen again. {disclosure(state.models)[0]}"
        way_out = "Choose models on the page Settings and take them on the page Discover, or name them with --agents."
        raise AgentError("The language models of this run", reason, way_out)
    sampler, scientist = build_agents(
        state.agents, state.models, state.settings, lambda _, choice: reached(store, choice, keys(choice))
    )
    return loop.Setup(sampler, scientist, workbench(run))


@dataclass(frozen=True, slots=True)
class _Known:
    """A log as it was read last, and its state."""

    entries: tuple[Entry, ...]
    state: RunState


_known: Recent[str, _Known] = Recent(32)
_benches: Recent[str, Workbench] = Recent(8)


def bench_of(dataset: Dataset, settings: Settings, blocks: Blocks = FREE) -> Workbench:
    """Return the data of a run prepared for fitting, as its settings and its building blocks want them."""
    dataset = noisy_as(driven_as(dataset, settings.inputs), settings.noise)
    return Workbench.of(dataset, settings.target, settings.held_out, settings.held_out_runs, blocks)


def workbench(run: Run) -> Workbench:
    """Return the run's data prepared for fitting; data and settings of a run never change, so one per run is kept."""
    state = run.state
    return _benches.once(run.id, lambda: bench_of(state.problem.dataset, state.settings, state.problem.blocks))
