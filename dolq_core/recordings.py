"""A recorded run, played again on the same data with the recorded replies: does all come out alike?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dolq_core import loop
from dolq_core.agents import build_agents, recorded
from dolq_core.errors import AgentError
from dolq_core.fitting import Workbench
from dolq_core.likeness import Likeness, compared
from dolq_core.records import Dataset, Entry, Intervention, Iteration, Pause, RunState, Settings, Start, Undo


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
    bench = bench_of(first.problem.dataset, first.settings)
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


def _setup(state: RunState, bench: Workbench, entries: Sequence[Entry]) -> loop.Setup:
    """Return the agents of a run from here on; its models answer as they did in these entries."""
    connect = recorded([call for entry in entries for call in loop.calls_of(entry)])
    return loop.Setup(*build_agents(state.agents, state.models, state.settings, connect), bench)


def _is_given(entry: Entry) -> bool:
    """Whether an entry came from outside: a person's word, or a stop before any model was asked."""
    return isinstance(entry, Intervention | Undo) or (isinstance(entry, Pause) and not entry.calls)


def bench_of(dataset: Dataset, settings: Settings) -> Workbench:
    """Return the data of a run prepared for fitting, as its settings want them."""
    return Workbench.of(dataset, settings.target, settings.held_out, settings.held_out_runs)


def _again(state: RunState, setup: loop.Setup) -> Iteration | Pause:
    try:
        return loop.step(state, setup)
    except AgentError as error:
        return Pause(str(error), error.calls)
