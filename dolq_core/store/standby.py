"""A store that holds entries in memory while its database cannot be written, and writes them as soon as it can.

    entry --> database                     as long as that takes it
    entry --> memory --> database          while the disk is full or read-only; tried again with every look

What was stored stays readable where the file can be read. Only a store that is closed before its place has room again
loses what waits; `unstored` says what that is, so that a person can take it elsewhere.
"""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from dolq_core.errors import StoreError, StoreUnwritable
from dolq_core.ports import LOCAL, RunInfo, Unstored, Used, Waiting
from dolq_core.records import Entry, Start
from dolq_core.store import codec
from dolq_core.store.rules import check_next, info_of, later, new_id, now
from dolq_core.store.sqlite import SqliteStore

Value = TypeVar("Value")

AGAIN_S = 1.0
"""Seconds between two attempts to write what waits."""
MOVED = "Another program went on with this run in the meantime; what waits here can be stored as a run of its own only."


class Standby:
    """A Store in a SQLite file, and in memory where that cannot be written. Threads may share it."""

    def __init__(self, path: Path, owner: str = LOCAL) -> None:
        """Open the file; raise StoreError when it cannot be used at all, such as one of another program."""
        self.path = path
        self.owner = owner
        self._owners: dict[str, Standby] = {owner: self}  # shared by all of them
        self._lock = threading.RLock()
        self._waiting: dict[str, Waiting] = {}
        self._unspent = Used()
        self._error = ""
        self._tried = 0.0
        self._file = -1
        self._to_write: SqliteStore | None = None
        self._stores(lambda _: None)

    def seen_by(self, owner: str) -> "Standby":
        """Return the same store as another owner sees it, always the same one: what waits in it is theirs alone."""
        found = self._owners.get(owner)
        if found is None:
            found = Standby(self.path, owner)
            found._owners = self._owners
            found = self._owners.setdefault(owner, found)
        return found

    def create(self, start: Start, name: str, rest: Sequence[Entry] = ()) -> str:
        """Store a new run with its log, all of it or nothing, and return its id."""
        try:
            return self._writer().create(start, name, rest)
        except StoreUnwritable as error:
            self._failed(error)
            run = new_id()
            with self._lock:
                self._waiting[run] = Waiting(name, 0, (start, *later(rest)))
            return run

    def append(self, run: str, position: int, entry: Entry) -> None:
        """Append the entry as number `position`; raise StoreError when that place is taken or not the next."""
        if not self._error and self._stores(lambda store: store.append(run, position, entry)):
            return  # without the lock: nobody else waits while this waits for other writers
        with self._lock:
            self.settle()
            if run not in self._waiting and self._stores(lambda store: store.append(run, position, entry)):
                return
            held = self._waiting.get(run) or Waiting(self._name(run), len(self._stored(run)), ())
            check_next(run, position, held.first + len(held.entries), entry)
            codec.to_json(entry)  # what no file can hold is refused here as it is there
            self._waiting[run] = replace(held, entries=(*held.entries, entry))

    def entries(self, run: str, since: int = 0) -> tuple[Entry, ...]:
        """Return the log from entry number `since` on; raise StoreError when there is no such run."""
        if run not in self._waiting:
            return self._stored(run, since)
        with self._lock:
            held = self._waiting.get(run)
            if held is None:
                return self._stored(run, since)
            stored = self._stored(run, since)[: held.first - since] if since < held.first else ()
            return (*stored, *held.entries[max(0, since - held.first) :])

    def runs(self) -> tuple[RunInfo, ...]:
        """Return all runs, the last changed first; those with entries that wait are."""
        if not self._waiting:
            with suppress(StoreUnwritable):
                return self._read(SqliteStore.runs)
        with self._lock:
            try:
                stored = {info.id: info for info in self._read(SqliteStore.runs)}
            except StoreUnwritable as error:
                self._failed(error)
                stored = dict[str, RunInfo]()
            waiting = {run: self._info(run, stored.get(run)) for run in reversed(self._waiting)}
        return (*waiting.values(), *(info for run, info in stored.items() if run not in waiting))

    def rename(self, run: str, name: str) -> None:
        """Give the run another name; its place in the list stays."""
        with self._lock:
            held = self._waiting.get(run)
            if held is not None:
                self._waiting[run] = replace(held, name=name)
            if held is None or held.first:
                self._writer().rename(run, name)

    def remove(self, run: str) -> None:
        """Remove the run with its whole log, for good; raise StoreError when there is no such run, or it cannot be."""
        with self._lock:
            held = self._waiting.get(run)
            if held is None or held.first:
                self._writer().remove(run)
            self._waiting.pop(run, None)

    def spend(self, seconds: float, tokens: int) -> None:
        """Add to what the owner has used; in memory while the database takes nothing."""
        with self._lock:
            left = self._unspent.plus(seconds, tokens)
            self._unspent = Used() if self._stores(lambda store: store.spend(left.seconds, left.tokens)) else left

    def used(self) -> Used:
        """Return what the owner has used."""
        stored = Used()
        with suppress(StoreUnwritable):  # it cannot be made ready: nothing is in it
            stored = self._read(SqliteStore.used)
        return stored.plus(self._unspent.seconds, self._unspent.tokens)

    # --- what waits -----------------------------------------------------------------------------------

    def unstored(self) -> Unstored | None:
        """Return what could not be stored, also after one more attempt; None when the database takes everything."""
        with self._lock:
            self.settle()
            return Unstored(self._error, dict(self._waiting)) if self._error else None

    def waiting(self, run: str) -> Waiting | None:
        """Return what waits of one run; None when all of it is stored."""
        with self._lock:
            return self._waiting.get(run)

    def hold(self, run: str, held: Waiting | None, error: str = "") -> bool:
        """Take over what waits in the store of another process; return whether it goes on from what is here.

        held: None when that process has stored everything.
        """
        with self._lock:
            own = self._waiting.get(run)
            if held is None:
                if own is not None:
                    self.settle(at_once=True)
                return True
            if held.first and not _goes_on(held.entries, self._stored(run, held.first)):
                return False
            if own is not None:
                there = held.entries[max(0, own.first - held.first) :]
                if not _goes_on(there, own.entries[max(0, held.first - own.first) :]):
                    return False
            self._waiting[run] = held
            self._error = self._error or error
            return True

    def settle(self, at_once: bool = False) -> None:
        """Write what waits, if the last attempt is not of this very moment."""
        with self._lock:
            if not self._error or (not at_once and time.monotonic() - self._tried < AGAIN_S):
                return
            if self._stores(lambda store: [self._write(store, run) for run in tuple(self._waiting)]):
                self._error = MOVED if self._waiting else ""

    def _write(self, writer: SqliteStore, run: str) -> None:
        """Store what waits of a run, entry by entry; it goes on waiting where another program went on with the run."""
        held = self._waiting[run]
        if held.first == 0 and all(info.id != run for info in writer.runs()):
            assert isinstance(held.entries[0], Start)
            writer.create(held.entries[0], held.name, held.entries[1:], run)
        there = writer.entries(run, since=held.first)
        if not _goes_on(held.entries, there[: len(held.entries)]):
            return
        for number in range(len(there), len(held.entries)):
            writer.append(run, held.first + number, held.entries[number])
        del self._waiting[run]

    def _stores(self, write: Callable[[SqliteStore], object]) -> bool:
        """Whether the database takes what is written; if not, remember why."""
        try:
            write(self._writer())
        except StoreUnwritable as error:
            self._failed(error)
            return False
        return True

    def _failed(self, error: StoreUnwritable) -> None:
        self._error = str(StoreError(error.thing, error.reason))
        self._tried = time.monotonic()

    # --- the file -------------------------------------------------------------------------------------

    def _writer(self) -> SqliteStore:
        """Return the database; opened again where another file was put in its place."""
        found = self._to_write
        if found is None or _file_at(self.path) != self._file:
            with self._lock:
                self._to_write = None
                self._to_write = found = SqliteStore(self.path, owner=self.owner)
                self._file = _file_at(self.path)
        return found

    def _read(self, look: Callable[[SqliteStore], Value]) -> Value:
        """Return what a look at the database finds, also where it cannot be written."""
        try:
            return look(self._writer())
        except StoreUnwritable:
            return look(SqliteStore(self.path, read_only=True, owner=self.owner))

    def _stored(self, run: str, since: int = 0) -> tuple[Entry, ...]:
        return self._read(lambda store: store.entries(run, since))

    def _name(self, run: str) -> str:
        return next((info.name for info in self._read(SqliteStore.runs) if info.id == run), "")

    def _info(self, run: str, stored: RunInfo | None) -> RunInfo:
        """Return the line of a run of which entries wait."""
        return info_of(run, self._waiting[run].name, self.entries(run), stored.created if stored else now(), now())


def _file_at(path: Path) -> int:
    """Return what tells the file at a path from another that is put there; 0 when there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _goes_on(entries: Sequence[Entry], before: Sequence[Entry]) -> bool:
    """Whether the entries begin with those before."""
    if len(entries) < len(before):
        return False
    return all(codec.to_json(one) == codec.to_json(other) for one, other in zip(entries, before, strict=False))
