"""What the pages and the command line call: start a run, step it, speak to it, read it. Nothing else."""

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any, Generic, TypeVar

from platformdirs import user_data_path
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt

from dolq_core import loop, panels
from dolq_core.agents import BUILTIN, build_agents, connected
from dolq_core.agents.builtin import rivals
from dolq_core.agents.llm import Connection, connection, cost, disclosure
from dolq_core.agents.providers import PRESETS, Preset, key_for, preset_of
from dolq_core.agents.providers.scripted import ScriptedModel
from dolq_core.data import (
    Bundled,
    Reading,
    Roles,
    Table,
    bundled,
    guess_roles,
    load_bundled,
    read_table,
    to_dataset,
    understand,
)
from dolq_core.errors import AgentError, StoreError
from dolq_core.export.result import result as result_document
from dolq_core.fitting import Workbench, names_of
from dolq_core.fitting.held_out import names_of_runs, split
from dolq_core.fitting.identify import Experiment, Ties, ties
from dolq_core.fitting.identify import next_experiment as tell_apart
from dolq_core.loop import OnPhase
from dolq_core.loop.front import Front, front_error
from dolq_core.loop.front import front as loop_front
from dolq_core.panels import BanRow, BestTerm, Correlation, Curve, Field, Mark, Panel, Point, Row, Track, Trial
from dolq_core.ports import ChatModel, RunInfo, Store
from dolq_core.recordings import Played, bench_of, calls_of, play
from dolq_core.records import (
    Dataset,
    Entry,
    Intervention,
    ModelChoice,
    Models,
    Pause,
    Problem,
    RunState,
    Settings,
    Start,
    TermKey,
)
from dolq_core.store.files import read_run, write_run
from dolq_core.store.sqlite import SqliteStore
from dolq_core.terms import parse_term, to_latex, to_text

__all__ = [
    "BanRow",
    "BestTerm",
    "Connection",
    "Bundled",
    "Correlation",
    "Curve",
    "Experiment",
    "Field",
    "Front",
    "Keys",
    "Mark",
    "PRESETS",
    "Panel",
    "Played",
    "Point",
    "Preset",
    "Reading",
    "Roles",
    "Row",
    "Run",
    "RunInfo",
    "Store",
    "Table",
    "Ties",
    "Track",
    "Trial",
    "auto",
    "bans",
    "bundled",
    "calls_of",
    "convergence",
    "curves",
    "default_database",
    "disclosure",
    "environment_key",
    "field",
    "find_problem",
    "fork",
    "front",
    "front_error",
    "guess_roles",
    "held_from",
    "identifiability",
    "intervene",
    "latex_of",
    "key_for",
    "list_runs",
    "load",
    "load_bundled",
    "marks",
    "names_of_runs",
    "next_experiment",
    "open_store",
    "play",
    "read_key",
    "read_problem",
    "read_table",
    "reason_to_stop",
    "record",
    "recorded_run",
    "result",
    "show",
    "spent_money",
    "start",
    "step_once",
    "text_of",
    "to_dataset",
    "test_model",
    "tracks",
    "understand",
    "what_if",
]


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it stands in the store: its log and the state that the log folds to."""

    id: str
    name: str
    entries: tuple[Entry, ...]
    state: RunState


TRIES = 20
"""Attempts to append a person's word while another process adds entries."""


def default_database() -> Path:
    """Return the path of the database: `DOLQ_DB`, else a file in the user's data directory."""
    named = os.environ.get("DOLQ_DB")
    if named:
        return Path(named).expanduser()
    return user_data_path("dolq", appauthor=False) / "runs.db"


def open_store(path: Path | None = None) -> Store:
    """Open the database of runs, made anew when there is none; raise StoreError when it cannot be used."""
    return SqliteStore(path or default_database())


def read_problem(
    path: Path,
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    description: str = "",
) -> tuple[Problem, tuple[str, ...]]:
    """Read a table from a file; return the problem and what was assumed, in sentences; raise DataError."""
    reading = understand(read_table(path), time, states, run, name=path.stem)
    return Problem(reading.dataset, description), reading.notes


def find_problem(
    named: str,
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    description: str = "",
) -> tuple[Problem, tuple[str, ...]]:
    """Return a bundled set by its id, or read a file; a file of that name comes first. Raise DataError.

    The columns of a bundled set have their roles; a description of one's own replaces the bundled one.
    """
    path, given = Path(named), time is not None or bool(states) or run is not None
    if path.exists() or given or named not in {one.id for one in bundled()}:
        return read_problem(path, time, states, run, description)
    problem = load_bundled(named)
    return (replace(problem, description=description) if description else problem), ()


def held_from(dataset: Dataset, share: float, whole: Sequence[str] = ()) -> tuple[tuple[float | None, ...], str]:
    """Return per run the time from which it is held out (None: not at all), and the rule in words.

    share: of each run, at its end; whole: runs that are held out from their first sample. Raises DataError.
    """
    parts = split(dataset, share, whole)
    return parts.since, parts.reason.strip()


def start(
    store: Store,
    problem: Problem,
    settings: Settings | None = None,
    seed: int = 0,
    agents: str = BUILTIN,
    name: str = "",
    models: Models | None = None,
) -> str:
    """Store a new run and return its id; raise DataError when its settings hold out what the data have not.

    models: who takes part where agents is "models".
    """
    chosen = settings or Settings()
    held_from(problem.dataset, chosen.held_out, chosen.held_out_runs)
    build_agents(agents, models, chosen, _nobody)
    return store.create(Start(problem, chosen, seed, agents, models), name or problem.dataset.name)


def _nobody(role: str, choice: ModelChoice) -> ChatModel:
    """Stands in where a choice is only looked at: no key is needed yet."""
    preset_of(choice)
    return ScriptedModel((), choice)


def test_model(choice: ModelChoice, key: str) -> Connection:
    """Say a short word to a model and return what it understands; raise AgentError when it cannot be asked at all."""
    return connection(connected(choice, key))


def spent_money(state: RunState) -> float:
    """Return what the calls of a run have cost, by the prices that the person gave."""
    return cost(state.models, state.spent.tokens_in, state.spent.tokens_out) if state.models else 0.0


def fork(store: Store, run: str, at: int, name: str = "") -> str:
    """Store a new run with the first `at` entries of another, and return its id; the other stays as it is.

    at: from 1 (the start alone) to all of them; raises StoreError beyond.
    """
    old = load(store, run)
    if not 1 <= at <= len(old.entries):
        raise StoreError(f"Entry {at} of {old.name!r}", f"the run has {len(old.entries)}", "Choose one of them.")
    first, *rest = old.entries[:at]
    assert isinstance(first, Start)
    new = store.create(first, name or f"{old.name}, from entry {at}")
    for position, entry in enumerate(rest, 1):
        store.append(new, position, entry)
    return new


def record(run: Run, path: Path) -> None:
    """Write the whole log of a run to a file, to be kept, handed on, or played again."""
    write_run(path, run.name, run.entries)


def recorded_run(store: Store, named: str) -> tuple[str, tuple[Entry, ...]]:
    """Return the name and the log of a stored run, or of a file that `record` wrote; raise StoreError."""
    if Path(named).is_file():
        return read_run(Path(named))
    found = load(store, named)
    return found.name, found.entries


def list_runs(store: Store) -> tuple[RunInfo, ...]:
    """Return all runs, the last changed first."""
    return store.runs()


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
        known = _Known((*known.entries, *news), reduce(loop.advance, news, known.state))
    _known.put(run, known)
    return Run(run, _name(store, run), known.entries, known.state)


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
    """
    before = _seen(load(store, run), at)
    try:
        done = loop.step(before.state, _setup(before, keys), on_phase)
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
    store.append(run, len(before.entries), said)
    return Run(run, before.name, (*before.entries, said), loop.advance(before.state, said))


def auto(
    store: Store,
    run: str,
    iterations: int | None = None,
    on_step: Callable[[Run], None] | None = None,
    keys: Keys = environment_key,
) -> Run:
    """Step until there is a reason to stop, or `iterations` more are done; on_step is told after each."""
    now = load(store, run)
    target = None if iterations is None else now.state.iteration + iterations
    while not loop.reason_to_stop(now.state) and now.state.iteration != target:
        now = step_once(store, run, keys=keys)
        if on_step is not None:
            on_step(now)
    return now


def reason_to_stop(run: Run) -> str:
    """Return why auto mode would end now; empty while it should go on."""
    return loop.reason_to_stop(run.state)


def read_key(state: RunState, equation: int, text: str) -> TermKey:
    """Read a term as a person typed it; raise TermError."""
    return TermKey(equation, parse_term(text, names_of(state.problem.dataset)).skeleton)


def result(run: Run) -> dict[str, Any]:
    """Return the result document, `dolq-result/1`."""
    dataset = run.state.problem.dataset
    statuses = [loop.status(run.state, j) for j in range(len(dataset.states))]
    return result_document(run.entries, run.state, names_of(dataset), statuses, loop.reason_to_stop(run.state))


def show(run: Run) -> tuple[panels.Panel, ...]:
    """Return one panel per equation."""
    return panels.panels(run.state, run.entries)


def what_if(run: Run, key: TermKey) -> Trial:
    """Return what the best equation would be with one more term; nothing is stored."""
    return panels.trial(run.state, _bench(run.id, run.state), key)


def curves(run: Run) -> tuple[panels.Curve, ...]:
    """Return the data of every run of the table with the best system simulated beside it."""
    return panels.curves(run.state, _bench(run.id, run.state))


def field(run: Run, low: Sequence[float], high: Sequence[float], n: int) -> panels.Field | None:
    """Return where the best system goes, on n by n points from low to high; None unless it has two states alone."""
    return panels.field(run.state, low, high, n)


def tracks(run: Run) -> tuple[panels.Track, ...]:
    """Return what was decided on every term, iteration by iteration."""
    return panels.tracks(run.entries, run.state)


def front(run: Run, equation: int) -> Front:
    """Return every structure of one equation that was visited: which ones nothing smaller beats, and the knee."""
    return loop_front(run.state, equation)


def identifiability(run: Run) -> tuple[Ties, ...]:
    """Return, for each equation that has a best structure with terms, how many others fit as well."""
    bench = _bench(run.id, run.state).whole
    system = [visited.refined or visited.fit for visited in run.state.best if visited is not None]
    whole = system if len(system) == len(run.state.best) else []
    found: list[Ties] = []
    for j, best in enumerate(run.state.best):
        if best is not None and best.fit.terms:
            seen = [skeletons for i, skeletons in run.state.archive if i == j]
            seen += rivals(run.state, bench, whole, j) if whole else []
            found.append(ties(bench, bench.fit(j, [term.skeleton for term in best.fit.terms]), seen, whole))
    return tuple(found)


def next_experiment(run: Run, low: Sequence[float], high: Sequence[float]) -> Experiment | None:
    """Return the start in the box [low, high] from which tied systems differ most; None when there is nothing to tell.

    low, high: one number per state.
    """
    best = [visited.refined or visited.fit for visited in run.state.best if visited is not None]
    if len(best) < len(run.state.best):
        return None
    return tell_apart(_bench(run.id, run.state).whole, best, identifiability(run), low, high)


def convergence(run: Run) -> tuple[panels.Point, ...]:
    """Return the error by iteration and equation."""
    return panels.convergence(run.entries)


def marks(run: Run) -> tuple[panels.Mark, ...]:
    """Return the person's interventions on the time line."""
    return panels.marks(run.entries, run.state)


def bans(run: Run) -> tuple[panels.BanRow, ...]:
    """Return the ban list."""
    return panels.bans(run.state)


def text_of(run: Run, key: TermKey) -> str:
    """Return a term as a person reads it, in the columns' own names."""
    return to_text(key.skeleton, names_of(run.state.problem.dataset))


def latex_of(run: Run, key: TermKey) -> str:
    """Return a term as LaTeX, in the columns' own names."""
    return to_latex(key.skeleton, names_of(run.state.problem.dataset))


def _seen(run: Run, at: int | None) -> Run:
    if at is not None and at != len(run.entries):
        reason = f"it went on in the meantime: it has {len(run.entries)} entries, and you have seen {at}"
        raise StoreError(f"The run {run.name!r}", reason, "Look at it as it stands now, then repeat what you did.")
    return run


def _setup(run: Run, keys: Keys) -> loop.Setup:
    state = run.state
    sampler, scientist = build_agents(
        state.agents, state.models, state.settings, lambda _, choice: connected(choice, keys(choice))
    )
    return loop.Setup(sampler, scientist, _bench(run.id, run.state))


@dataclass(frozen=True, slots=True)
class _Known:
    """A log as it was read last, and its state."""

    entries: tuple[Entry, ...]
    state: RunState


Key = TypeVar("Key")
Value = TypeVar("Value")


class _Recent(Generic[Key, Value]):
    """The few values that were used last, shared by all threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Key, value: Value) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)


_known: _Recent[str, _Known] = _Recent(32)
_benches: _Recent[str, Workbench] = _Recent(8)


def _bench(run: str, state: RunState) -> Workbench:
    """Return the run's data prepared for fitting; data and settings of a run never change, so one per run is kept."""
    settings = state.settings
    bench = _benches.get(run)
    if bench is None:
        bench = bench_of(state.problem.dataset, settings)
        _benches.put(run, bench)
    return bench
