"""The list of runs: their names, and each in one line."""

from dolq_core import panels
from dolq_core.errors import StoreError
from dolq_core.ports import RunInfo, Store
from dolq_core.runs.naming import run_name
from dolq_core.runs.recent import Recent
from dolq_core.runs.running import load

_summaries: Recent[tuple[str, str, int], panels.Summary] = Recent(1000)


def summary(store: Store, info: RunInfo) -> panels.Summary:
    """Return a run in one line; its log is read only when it has grown since."""
    place = store.owner, info.id, info.entries
    known = _summaries.get(place)
    if known is None:
        known = panels.summary(load(store, info.id).state)
        _summaries.put(place, known)
    return known


def rename(store: Store, run: str, name: str) -> None:
    """Give a run another name, spaces around it aside; raise StoreError when nothing is left of it."""
    said = run_name(name)
    if not said:
        raise StoreError("The new name", "it is empty", "Type a name; the old one stays until then.")
    store.rename(run, said)
