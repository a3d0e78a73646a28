"""Runs as files, and what playing one again has shown, in words."""

from collections.abc import Sequence
from pathlib import Path

from dolq_core.likeness import TOLERANCE, Likeness
from dolq_core.numerics.machine import machine
from dolq_core.ports import Store
from dolq_core.records import (
    Entry,
    Iteration,
)
from dolq_core.runs.running import Run, load
from dolq_core.store.files import read_run, write_run


def record(run: Run, path: Path) -> None:
    """Write the whole log of a run to a file, to be kept, handed on, or played again."""
    write_run(path, run.name, run.entries)


def recorded_run(store: Store, named: str) -> tuple[str, tuple[Entry, ...]]:
    """Return the name and the log of a stored run, or of a file that `record` wrote; raise StoreError."""
    if Path(named).is_file():
        return read_run(Path(named))
    found = load(store, named)
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
