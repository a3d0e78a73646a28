"""Logs in one SQLite file: one transaction per entry, many readers and writers, nothing rewritten.

The one file that knows SQLite. What sqlite-utils 4 does not do by itself is done here: its `atomic()` and
`begin()` start deferred, so that two writers could both read before either writes; `with db.conn:` is no
transaction around its own methods, which commit one by one. Hence the explicit BEGIN IMMEDIATE.
"""

import errno
import shutil
import sqlite3
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from copy import copy
from dataclasses import replace
from hashlib import sha256
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NoReturn

from sqlite_utils import Database
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random

from dolq_core.errors import StoreError, StoreUnwritable
from dolq_core.ports import LOCAL, RunInfo, Used
from dolq_core.records import Entry, Start
from dolq_core.store import codec
from dolq_core.store.migrations import APPLICATION_ID, KEPT, MIGRATIONS
from dolq_core.store.rules import check_next, counted, later, new_id, no_such_run, now

_RUNS = """
SELECT runs.id, runs.name, datasets.name AS dataset, agents, created, changed, iterations, interventions, entries
FROM runs JOIN datasets ON datasets.hash = runs.dataset
WHERE owner = ? AND entries > 0 ORDER BY last DESC
"""
_WITH_UNDO = """
SELECT run, type FROM runs JOIN entries ON run = id WHERE undos > 0 AND owner = ? ORDER BY run, position
"""
_LOG = "SELECT position, type, body, checksum FROM entries WHERE run = ? AND position >= ? ORDER BY position"
_LENGTH = "SELECT entries FROM runs WHERE id = ? AND owner = ?"
_DATA = "SELECT body, hash, entries FROM datasets JOIN runs ON hash = dataset WHERE id = ? AND owner = ?"
_RENAME = "UPDATE runs SET name = ? WHERE id = ? AND owner = ?"

_FORGET = "DELETE FROM datasets WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM runs WHERE dataset = ?)"

_SPEND = """
INSERT INTO used VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds, tokens = tokens + excluded.tokens
"""

_IN_WORDS = {
    "SQLITE_READONLY": ("it cannot be written", "Allow writing to the file and its folder, or name another place."),
    "SQLITE_CANTOPEN": (
        "it cannot be opened",
        "Check that its folder exists and may be written, or name another place.",
    ),
    "SQLITE_NOTADB": ("it is not a database", "Name another file; this one was left as it is."),
    "SQLITE_BUSY": ("another program keeps it locked", "Wait for that program or close it, then repeat what you did."),
    "SQLITE_FULL": ("the disk is full", "Make room, then repeat what you did: it was not stored."),
    "SQLITE_IOERR": ("the disk does not take it", "Check that it has room and is sound, then repeat what you did."),
    "SQLITE_CORRUPT": ("the file is damaged", "Restore a copy of it, or name another file."),
}

_ODD = (LookupError, OverflowError, TypeError, UnicodeError)
"""What a row raises whose columns are not those that were made."""
ROOM = 65_536
"""Bytes; the file that readers share is half of it."""
_UNWRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR")
_NOT_NOW = (errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM)


class SqliteStore:
    """A Store in a SQLite file. Threads may share it: each gets a connection of its own."""

    def __init__(self, path: Path, busy_timeout_s: float = 30.0, read_only: bool = False, owner: str = LOCAL) -> None:
        """Open the file, made anew when there is none; raise StoreError when it cannot be used.

        busy_timeout_s is how long a write waits for other writers before it gives up. read_only: look at what a file
        has that cannot be written now; every write is refused.
        """
        self.path = path
        self._owner = owner
        self._timeout_s = busy_timeout_s
        self._read_only = read_only
        self._threads = threading.local()
        with self._in_words():
            if read_only:
                with closing(_connect_to_read(path)) as db:
                    _check_ours(db, path)
                    if _pragma(db, "user_version") < len(MIGRATIONS):
                        raise StoreUnwritable(f"The database {path}", "it cannot be made ready", "Name another place.")
                return
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                kind = StoreUnwritable if error.errno in _NOT_NOW else StoreError
                thing, reason = f"The folder {path.parent}", f"it cannot be made ({error.strerror})"
                raise kind(thing, reason, "Name another place.") from error
            with suppress(OSError):  # SQLite says why it cannot be made; the files beside it get the same rights
                path.touch(mode=0o600, exist_ok=False)
            with closing(_connect(path, busy_timeout_s)) as db:
                _prepare(db, path, busy_timeout_s)

    @property
    def owner(self) -> str:
        """Return who is asking; what is created belongs to them."""
        return self._owner

    def seen_by(self, owner: str) -> "SqliteStore":
        """Return the same store as another owner sees it; both share their connections."""
        other = copy(self)
        other._owner = owner
        return other

    def create(self, start: Start, name: str, rest: Sequence[Entry] = (), run: str = "") -> str:
        """Store a new run with its log, all of it or nothing, and return its id; `run`: the id that it has already."""
        run = run or new_id()
        plain: Any = codec.to_plain(start)
        dataset = codec.dumps(plain["problem"]["dataset"])
        digest = sha256(dataset.encode()).hexdigest()
        plain["problem"]["dataset"] = digest
        bodies = [(start, codec.dumps(plain)), *((entry, codec.to_json(entry)) for entry in later(rest))]
        with self._writing() as db:
            data_name = _storable(start.problem.dataset.name)
            db.table("datasets").insert({"hash": digest, "name": data_name, "body": dataset}, ignore=True)
            named = {"name": _storable(name), "agents": _storable(start.agents)}
            db.table("runs").insert({"id": run, "dataset": digest, "owner": self.owner, **named})
            for position, (entry, body) in enumerate(bodies):
                _insert(db, run, position, entry, body)
        return run

    def append(self, run: str, position: int, entry: Entry) -> None:
        """Append the entry as number `position`; raise StoreError when that place is taken or not the next."""
        body = codec.to_json(entry)
        with self._writing() as db:
            found = _rows(db, _LENGTH, run, self.owner)
            if not found:
                raise no_such_run(run)
            check_next(run, position, found[0]["entries"], entry)
            _insert(db, run, position, entry, body)

    def entries(self, run: str, since: int = 0) -> tuple[Entry, ...]:
        """Return the log from entry number `since` on; raise StoreError when there is no such run."""
        with self._in_words():
            db = self._connection()
            # the data only with the start, which has them: they may be many times what else is read
            data = _rows(db, _LENGTH if since > 0 else _DATA, run, self.owner)
            if not data:
                raise no_such_run(run)
            found = _rows(db, _LOG, run, max(since - 1, 0))
        if (found[-1]["position"] + 1 if found else since) < data[0]["entries"]:
            raise _damaged(run, "its last entry is missing, so it is")
        _check_chain(run, found, since)
        bodies = [row["body"] for row in found if row["position"] >= since]
        if since > 0:
            return tuple(codec.from_json(codec.ENTRY, body) for body in bodies)
        if sha256(data[0]["body"].encode()).hexdigest() != data[0]["hash"]:
            raise _damaged(run, "its data are")
        start: Any = codec.loads(bodies[0])
        start["problem"]["dataset"] = codec.loads(data[0]["body"])
        return (codec.from_plain(Start, start), *(codec.from_json(codec.ENTRY, body) for body in bodies[1:]))

    def runs(self) -> tuple[RunInfo, ...]:
        """Return all runs, the last changed first."""
        with self._in_words():
            found = [RunInfo(**row) for row in _rows(self._connection(), _RUNS, self.owner)]
            changed = _rows(self._connection(), _WITH_UNDO, self.owner)
        kinds = {run: counted([row["type"] for row in rows]) for run, rows in groupby(changed, key=itemgetter("run"))}
        standing = {run: {"iterations": done, "interventions": said} for run, (done, said) in kinds.items()}
        return tuple(replace(info, **standing.get(info.id, {})) for info in found)

    def rename(self, run: str, name: str) -> None:
        """Give the run another name; its place in the list stays."""
        with self._writing() as db:
            if db.conn.execute(_RENAME, [_storable(name), run, self.owner]).rowcount == 0:
                raise no_such_run(run)

    def remove(self, run: str) -> None:
        """Remove the run with its whole log, for good; raise StoreError when there is no such run.

        Data that no other run has go too. What they held is overwritten, once the file has taken up its log.
        """
        with self._writing() as db:
            found = _rows(db, "SELECT dataset FROM runs WHERE id = ? AND owner = ?", run, self.owner)
            if not found:
                raise no_such_run(run)
            db.conn.execute("PRAGMA secure_delete = ON")
            db.conn.execute("DROP TRIGGER entries_are_kept")
            db.conn.execute("DELETE FROM entries WHERE run = ?", [run])
            db.conn.execute(KEPT)
            db.conn.execute("DELETE FROM runs WHERE id = ?", [run])
            db.conn.execute(_FORGET, [found[0]["dataset"]] * 2)

    def spend(self, seconds: float, tokens: int) -> None:
        """Add to what the owner has used."""
        with self._writing() as db:
            db.conn.execute(_SPEND, [self.owner, max(seconds, 0.0), max(tokens, 0)])

    def used(self) -> Used:
        """Return what the owner has used."""
        with self._in_words():
            found = _rows(self._connection(), "SELECT seconds, tokens FROM used WHERE owner = ?", self.owner)
        return Used(**found[0]) if found else Used()

    def _connection(self) -> Database:
        """Return this thread's own connection; it is closed when the thread ends."""
        if not hasattr(self._threads, "own"):
            made = _connect_to_read(self.path) if self._read_only else _connect(self.path, self._timeout_s)
            self._threads.own = _Closing(made)
        return self._threads.own.db

    @contextmanager
    def _writing(self) -> Generator[Database]:
        with self._in_words():
            db = self._connection()
            with _immediate(db):
                yield db

    @contextmanager
    def _in_words(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            _explain(self.path, error)
        except _ODD as error:
            reason, way_out = _IN_WORDS["SQLITE_CORRUPT"]
            raise StoreError(f"The database {self.path}", f"{reason} ({error})", way_out) from error


class _Closing:
    """Closes a connection when nobody holds it any more."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def __del__(self) -> None:
        self.db.close()


def _connect(path: Path, timeout_s: float) -> Database:
    # not bound to its thread, so that a connection can be closed after its thread has ended
    connection = sqlite3.connect(path, timeout=timeout_s, check_same_thread=False)
    db = Database(connection, execute_plugins=False)
    db.conn.execute("PRAGMA foreign_keys = ON")
    return db


def _connect_to_read(path: Path) -> Database:
    """Open a file where nothing can be written; raise StoreUnwritable when it cannot be read there.

    A file that logs ahead is read with the help of a file beside it, which may not be made there. It is not needed
    where the log is empty: then nobody writes, and the file is as it will stay.
    """
    log = path.with_name(path.name + "-wal")
    whole = not log.exists() or log.stat().st_size == 0
    address = f"{path.resolve().as_uri()}?{'immutable=1' if whole else 'mode=ro'}"
    connection = sqlite3.connect(address, uri=True, check_same_thread=False)
    return Database(connection, execute_plugins=False)


def _prepare(db: Database, path: Path, timeout_s: float) -> None:
    """Refuse a file that is not ours before anything is written to it; then bring it to the present schema."""
    _check_ours(db, path)
    _enable_wal(db, timeout_s)
    with _immediate(db):  # which also finds out whether the file can be written
        _check_ours(db, path)  # another program may have been at it
        version = _pragma(db, "user_version")
        for statement in chain.from_iterable(MIGRATIONS[version:]):
            db.conn.execute(statement)
        if version < len(MIGRATIONS):
            db.conn.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
            db.conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _enable_wal(db: Database, timeout_s: float) -> None:
    """Switch to write-ahead logging; while others have the file open SQLite refuses that at once, without waiting."""
    busy = retry_if_exception(lambda e: getattr(e, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")))
    Retrying(retry=busy, stop=stop_after_delay(timeout_s), wait=wait_random(0.01, 0.1), reraise=True)(db.enable_wal)


def _check_ours(db: Database, path: Path) -> None:
    with db.atomic():  # one look at all three: another program may be making the file at this moment
        ours, version = _pragma(db, "application_id") == APPLICATION_ID, _pragma(db, "user_version")
        tables = db.table_names()
    if not ours and (version or tables):
        raise StoreError(f"The database {path}", "it belongs to another program", "Name another file.")
    if version > len(MIGRATIONS):
        raise StoreError(
            f"The database {path}",
            f"it was written by a newer version of DoLQ (schema {version}; this one knows {len(MIGRATIONS)})",
            "Update the program, or name another file; this one was left as it is.",
        )


def _pragma(db: Database, name: str) -> int:
    return db.conn.execute(f"PRAGMA {name}").fetchone()[0]


@contextmanager
def _immediate(db: Database) -> Generator[None]:
    """One write transaction: the lock comes first, so what is read inside stays true until the commit."""
    db.conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.commit()
    finally:
        db.rollback()  # does nothing after the commit


def _insert(db: Database, run: str, position: int, entry: Entry, body: str) -> None:
    row = {"run": run, "position": position, "type": type(entry).__name__, "written": now(), "body": body}
    before = _rows(db, "SELECT checksum FROM entries WHERE run = ? AND position = ?", run, position - 1)
    row["checksum"] = _checksum(before[0]["checksum"] if before else "", row)
    db.table("entries").insert(row)


def _checksum(before: str, row: Mapping[str, Any]) -> str:
    return sha256(f"{before} {row['position']} {row['type']} {row['body']}".encode()).hexdigest()


def _check_chain(run: str, rows: Sequence[Mapping[str, Any]], since: int) -> None:
    """Refuse a log that is not what was written: a bit of the disk, or of whoever had the file."""
    if [row["position"] for row in rows] != list(range(max(since - 1, 0), max(since - 1, 0) + len(rows))):
        raise _damaged(run, "an entry of its log is missing, so it is")
    before = None if since > 1 else ""
    for row in rows:
        wrong = row["checksum"] and before is not None and row["checksum"] != _checksum(before, row)
        if wrong or (before and not row["checksum"]):
            raise _damaged(run, f"entry {row['position'] + 1} of its log is")
        before = row["checksum"]


def _damaged(run: str, what: str) -> StoreError:
    way_out = "Restore a copy of the database; the other runs in it can be used."
    return StoreError(f"Run {run!r}", f"{what} not what was written", way_out)


def _rows(db: Database, sql: str, *values: str | int) -> list[dict[str, Any]]:
    cursor = db.conn.execute(sql, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def _storable(text: str) -> str:
    """Replace what UTF-8 cannot hold, which a badly read file may have in its name."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _explain(path: Path, error: sqlite3.Error) -> NoReturn:
    name = getattr(error, "sqlite_errorname", "")
    prefix = next((known for known in _IN_WORDS if name.startswith(known)), "")
    if prefix in ("SQLITE_IOERR", "SQLITE_CANTOPEN") and _is_full(path):
        prefix = "SQLITE_FULL"
    if not prefix:
        raise StoreError(f"The database {path}", str(error), "Nothing of this step was stored.") from error
    reason, way_out = _IN_WORDS[prefix]
    kind = StoreUnwritable if prefix in _UNWRITABLE and not path.is_dir() else StoreError
    raise kind(f"The database {path}", f"{reason} ({error})", way_out) from error


def _is_full(path: Path) -> bool:
    """Whether the disk has no room for the files that SQLite keeps beside the database."""
    try:
        return shutil.disk_usage(path.parent).free < ROOM
    except OSError:
        return False
