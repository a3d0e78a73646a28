"""Runs as files, played again on the same data with the recorded replies: does all come out alike?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dolq_core import loop
from dolq_core.agents import build_agents, recorded
from dolq_core.errors import AgentError
from dolq_core.fitting import Workbench
from dolq_core.numerics.machine import machine
from dolq_core.ports import Store
from dolq_core.records import Entry, Intervention, Iteration, Pause, RunState, Start, Undo
from dolq_core.runs.likeness import TOLERANCE, Likeness, compared
from dolq_core.runs.running import Run, bench_of, id_of, load
from dolq_core.store.files import read_run, write_run


@dataclass(frozen=True, slots=True)
class Played:
    """One entry that was played again, and how it compares with the recorded one."""

    entry: Entry
    state: RunState
    likeness: Likeness


def play(entries: Sequence[Entry]) -> Iterator[Played]:
    """Play a log again, entry by entry, offline: models answer as they did, a person's words are taken as they are."""
    first = entries[0]
    if not isinstance(first, Start):
        raise TypeError(f"a log begins with a Start, not with {type(first).__name__}")
    bench = bench_of(first.problem.dataset, first.settings, first.problem.blocks)
    state: RunState = loop.begin(first)
    setup = _setup(state, bench, entries)
    log: list[Entry] = [first]
    for number, entry in enumerate(entries[1:], 1):
        again = entry if _is_given(entry) else _again(state, setup)
        log.append(again)
        state = loop.replay(log) if isinstance(again, Undo) else loop.advance(state, again)
        if isinstance(entry, Undo) or (isinstance(entry, Intervention) and entry.agents is not None):
            setup = _setup(state, bench, entries[number:])
        yield Played(again, state, compared(entry, again))


def record(run: Run, path: Path) -> None:
    """Write the whole log of a run to a file, to be kept, handed on, or played again."""
    write_run(path, run.name, run.entries)


def recorded_run(store: Store, named: str) -> tuple[str, tuple[Entry, ...]]:
    """Return the name and the log of a stored run, or of a file that `record` wrote; raise StoreError."""
    if Path(named).is_file():
        return read_run(Path(named))
    found = load(store, id_of(store, named))
    return found.name, found.entries


def likeness_in_words(found: Likeness) -> str:
    """Say how one entry came out."""
    if found.same == "identical":
        return "as recorded, to the last bit"
    if found.largest == float("inf"):
        return f"DIFFERENT from the record: {found.place}"
    apart = f"{found.largest:.1e} apart at most, in {found.place}"
    return f"the same decisions, numbers {apart}" if found.same == "alike" else f"DIFFERENT from the record: {apart}"


def played_in_words(found: Sequence[Likeness]) -> str:
    """Say how a whole run came out that is alike or identical in all entries."""
    worst = max(found, key=lambda one: one.largest, default=Likeness("identical"))
    if all(one.same == "identical" for one in found):
        return "The run came out as it was recorded, to the last bit."
    return (
        "The run came out as it was recorded: the same decisions and structures in the same order. The numbers agree "
        f"to {worst.largest:.1e}, where {TOLERANCE:g} is allowed."
    )


def where_computed(entries: Sequence[Entry]) -> str:
    """Say what differs between the machine of a record and this one, as far as the record tells."""
    known = [entry.machine for entry in entries if isinstance(entry, Iteration) and entry.machine]
    if not known:
        return "The record does not say what it was computed with."
    told, here = known[-1], machine()
    unlike = [f"{name} {told[name]} (here {here.get(name, 'none')})" for name in told if told[name] != here.get(name)]
    return f"Recorded with {'; '.join(unlike)}." if unlike else "Recorded with the same libraries and kernels as here."


def _setup(state: RunState, bench: Workbench, entries: Sequence[Entry]) -> loop.Setup:
    """Return the agents of a run from here on; its models answer as they did in these entries."""
    connect = recorded([call for entry in entries for call in loop.calls_of(entry)])
    return loop.Setup(*build_agents(state.agents, state.models, state.settings, connect), bench)


def _is_given(entry: Entry) -> bool:
    """Whether an entry came from outside: a person's word, or a stop before any model was asked."""
    return isinstance(entry, Intervention | Undo) or (isinstance(entry, Pause) and not entry.calls)


def _again(state: RunState, setup: loop.Setup) -> Iteration | Pause:
    try:
        return loop.step(state, setup)
    except AgentError as error:
        return Pause(str(error), error.calls)
