"""Runs that share the beginning of their logs, and two of them beside each other."""

from dataclasses import dataclass

from dolq_core import panels
from dolq_core.ports import RunInfo, Store
from dolq_core.runs.recent import Recent
from dolq_core.runs.running import Run, load


@dataclass(frozen=True, slots=True)
class Kin:
    """Another run that begins as a run does; common: how many entries they share."""

    id: str
    name: str
    common: int


_shared: Recent[tuple[str, int, str, int], int] = Recent(1000)


def kin(store: Store, run: Run) -> tuple[Kin, ...]:
    """Return the runs that begin as this one does, such as its forks and what it was forked from, the nearest first."""
    dataset = run.state.problem.dataset.name
    alike = [info for info in store.runs() if info.id != run.id and info.dataset == dataset]
    found = [Kin(info.id, info.name, _common(store, run, info)) for info in alike]
    return tuple(sorted((one for one in found if one.common), key=lambda one: -one.common))


def _common(store: Store, run: Run, other: RunInfo) -> int:
    """Return how many entries two runs share; counted anew only when one of the logs has grown."""
    pair = run.id, len(run.entries), other.id, other.entries
    known = _shared.get(pair)
    if known is None:
        known = panels.in_common(run.entries, load(store, other.id).entries)
        _shared.put(pair, known)
    return known


def compare(run: Run, other: Run) -> panels.Comparison:
    """Return two runs beside each other: where they part, what differs, and whether a word helped."""
    return panels.compare(run.entries, run.state, other.entries, other.state)
