"""Runs as files, and what their calls have cost."""

from pathlib import Path

from dolq_core.agents.llm import cost
from dolq_core.ports import Store
from dolq_core.records import (
    Entry,
    RunState,
)
from dolq_core.runs.running import Run, load
from dolq_core.store.files import read_run, write_run


def spent_money(state: RunState) -> float:
    """Return what the calls of a run have cost, by the prices that the person gave."""
    return cost(state.models, state.spent.tokens_in, state.spent.tokens_out) if state.models else 0.0


def record(run: Run, path: Path) -> None:
    """Write the whole log of a run to a file, to be kept, handed on, or played again."""
    write_run(path, run.name, run.entries)


def recorded_run(store: Store, named: str) -> tuple[str, tuple[Entry, ...]]:
    """Return the name and the log of a stored run, or of a file that `record` wrote; raise StoreError."""
    if Path(named).is_file():
        return read_run(Path(named))
    found = load(store, named)
    return found.name, found.entries
