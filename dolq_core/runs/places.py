"""Where runs are kept: the database of a person, what stands beside it, and stores that end with the program."""

import os
from hashlib import sha256
from pathlib import Path

from platformdirs import user_data_path

from dolq_core.ports import LOCAL, PROGRAM, Store
from dolq_core.store.memory import MemoryStore
from dolq_core.store.sqlite import SqliteStore
from dolq_core.store.standby import Standby


def default_database() -> Path:
    """Return the path of the database: `DOLQ_DB`, else a file in the user's data directory."""
    named = os.environ.get("DOLQ_DB")
    if named:
        return Path(named).expanduser()
    return user_data_path("dolq", appauthor=False) / "runs.db"


def open_store(path: Path | None = None, owner: str = LOCAL) -> Store:
    """Open the database of runs, made anew when there is none; raise StoreError when it cannot be used.

    owner: who is asking. Every function that takes the store speaks of their runs alone.
    """
    return SqliteStore(path or default_database(), owner=owner)


def owner_folder(kind: str, owner: str = LOCAL) -> Path:
    """Return the folder beside the database that holds what an owner has of a kind, such as campaigns."""
    beside = default_database().parent
    return beside / kind if owner == LOCAL else beside / "owners" / sha256(owner.encode()).hexdigest()[:32] / kind


def memory_store() -> Store:
    """Return a store that lasts as long as the program."""
    return MemoryStore(owner=PROGRAM)


def open_standby(path: Path | None = None, owner: str = LOCAL) -> Standby:
    """Open the database so that work goes on in memory while it cannot be written; raise StoreError when it is no use.

    What waits is stored as soon as there is room again; `Standby.unstored` says what that is.
    owner: as for `open_store`.
    """
    return Standby(path or default_database(), owner)
