"""The schema of the database as a list of steps. Append only: a step that was released is never edited.

The number of steps that a file has taken is its `PRAGMA user_version`.
"""

APPLICATION_ID = 0x446F4C51  # "DoLQ": tells our file from another program's

_LOGS = (
    """
    CREATE TABLE datasets (
        hash TEXT PRIMARY KEY,  -- SHA-256 of body
        name TEXT NOT NULL,
        body TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        dataset TEXT NOT NULL REFERENCES datasets (hash),
        agents TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE entries (
        sequence INTEGER PRIMARY KEY,  -- the order of writing, over all runs
        run TEXT NOT NULL REFERENCES runs (id),
        position INTEGER NOT NULL,
        type TEXT NOT NULL,
        written TEXT NOT NULL,  -- ISO 8601, UTC
        body TEXT NOT NULL,
        UNIQUE (run, position)
    )
    """,
    """
    CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
    BEGIN SELECT RAISE(ABORT, 'an entry of a log is never changed'); END
    """,
    """
    CREATE TRIGGER entries_are_kept BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'an entry of a log is never removed'); END
    """,
)

_OWNERS = (
    "ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT 'local'",  # runs from before there were others
    "CREATE INDEX runs_of_owner ON runs (owner)",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_LOGS, _OWNERS)
