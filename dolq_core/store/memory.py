"""A store in memory: for tests, lessons, and campaigns that keep only their results."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

from dolq_core.ports import LOCAL, RunInfo, Used
from dolq_core.records import Entry, Start
from dolq_core.store.rules import check_next, info_of, later, new_id, no_such_run, now


@dataclass(slots=True)
class _Log:
    owner: str
    name: str
    entries: list[Entry]
    created: str
    changed: str


@dataclass(slots=True)
class MemoryStore:
    """A Store in memory, safe to share between threads."""

    _logs: dict[str, _Log] = field(default_factory=dict[str, _Log])  # the last changed last
    _lock: Lock = field(default_factory=Lock)
    owner: str = LOCAL
    _used: dict[str, Used] = field(default_factory=dict[str, Used])

    def seen_by(self, owner: str) -> "MemoryStore":
        """Return the same store as another owner sees it."""
        return replace(self, owner=owner)

    def create(self, start: Start, name: str, rest: Sequence[Entry] = ()) -> str:
        """Store a new run with its log, all of it or nothing, and return its id."""
        run, time = new_id(), now()
        with self._lock:
            self._logs[run] = _Log(self.owner, name, [start, *later(rest)], time, time)
        return run

    def append(self, run: str, position: int, entry: Entry) -> None:
        """Append the entry as number `position`; raise StoreError when that place is taken or not the next."""
        with self._lock:
            log = self._log(run)
            check_next(run, position, len(log.entries), entry)
            log.entries.append(entry)
            log.changed = now()
            self._logs[run] = self._logs.pop(run)

    def entries(self, run: str, since: int = 0) -> tuple[Entry, ...]:
        """Return the log from entry number `since` on; raise StoreError when there is no such run."""
        with self._lock:
            return tuple(self._log(run).entries[since:])

    def runs(self) -> tuple[RunInfo, ...]:
        """Return all runs, the last changed first."""
        with self._lock:
            own = [(run, log) for run, log in reversed(self._logs.items()) if log.owner == self.owner]
            return tuple(info_of(run, log.name, log.entries, log.created, log.changed) for run, log in own)

    def rename(self, run: str, name: str) -> None:
        """Give the run another name; its place in the list stays."""
        with self._lock:
            self._log(run).name = name

    def remove(self, run: str) -> None:
        """Remove the run with its whole log, for good; raise StoreError when there is no such run."""
        with self._lock:
            self._log(run)
            del self._logs[run]

    def spend(self, seconds: float, tokens: int) -> None:
        """Add to what the owner has used."""
        with self._lock:
            self._used[self.owner] = self._used.get(self.owner, Used()).plus(seconds, tokens)

    def used(self) -> Used:
        """Return what the owner has used."""
        with self._lock:
            return self._used.get(self.owner, Used())

    def _log(self, run: str) -> _Log:
        log = self._logs.get(run)
        if log is None or log.owner != self.owner:
            raise no_such_run(run)
        return log
