"""Rules common to all stores: a log begins with its only Start and grows by one entry at its end."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from uuid import uuid4

from dolq_core.errors import StoreError
from dolq_core.ports import RunInfo
from dolq_core.records import Entry, Start


def new_id() -> str:
    """Return an id that no run has."""
    return uuid4().hex[:12]


def now() -> str:
    """Return this moment as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def counted(kinds: Iterable[str]) -> tuple[int, int]:
    """Return how many iterations and how many interventions stand in a log, by the kinds of its entries in order."""
    stands: list[str] = []
    for kind in kinds:
        if kind != "Undo":
            stands.append(kind)
        elif len(stands) > 1:
            stands.pop()
    return stands.count("Iteration"), stands.count("Intervention")


def info_of(run: str, name: str, entries: Sequence[Entry], created: str, changed: str) -> RunInfo:
    """Return the line of a run in the list of runs; its log begins with its start."""
    start = entries[0]
    if not isinstance(start, Start):
        raise no_such_run(run)
    iterations, interventions = counted(type(entry).__name__ for entry in entries)
    dataset = start.problem.dataset.name
    return RunInfo(run, name, dataset, start.agents, created, changed, iterations, interventions, len(entries))


def no_such_run(run: str) -> StoreError:
    """Return the error for an id that names nothing."""
    return StoreError(
        f"Run {run!r}", "there is no such run in this store", "The list of runs shows all that are yours."
    )


def later(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the entries after a log's start; refuse another start among them."""
    for position, entry in enumerate(entries, 1):
        check_next("", position, position, entry)
    return entries


def check_next(run: str, position: int, entries: int, entry: Entry) -> None:
    """Refuse `entry` as number `position` of a log that has `entries` entries, numbered from 0."""
    thing = f"Entry {position} of run {run!r}"
    if isinstance(entry, Start):
        raise StoreError(thing, "a run has one start, its first entry", "Create another run for it.")
    if position < entries:
        raise StoreError(
            thing, "another window or program wrote its own first", "Load the run again and repeat what you did."
        )
    if position > entries:
        raise StoreError(thing, f"the log has {entries} entries, so number {entries} comes next", "Load the run again.")
