"""The schema of the database as a list of steps. Append only: a step that was released is never edited.

The number of steps that a file has taken is its `PRAGMA user_version`.
"""

APPLICATION_ID = 0x446F4C51  # "DoLQ": tells our file from another program's

KEPT = """
    CREATE TRIGGER entries_are_kept BEFORE DELETE ON entries
    BEGIN SELECT RAISE(ABORT, 'an entry of a log is never removed'); END
    """
"""Only a whole run is removed, in one transaction without this trigger (`SqliteStore.remove`)."""

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
    KEPT,
)

_OWNERS = (
    "ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT 'local'",  # runs from before there were others
    "CREATE INDEX runs_of_owner ON runs (owner)",
)

# What the list of runs says of each log, kept with every entry: counting all entries again for each look at the list
# takes as long as the store is large.
_TALLIES = (
    "ALTER TABLE runs ADD COLUMN created TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE runs ADD COLUMN changed TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE runs ADD COLUMN last INTEGER NOT NULL DEFAULT 0",  # sequence of the last entry
    "ALTER TABLE runs ADD COLUMN entries INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE runs ADD COLUMN iterations INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE runs ADD COLUMN interventions INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE runs ADD COLUMN undos INTEGER NOT NULL DEFAULT 0",
    """
    UPDATE runs SET (created, changed, last, entries, iterations, interventions, undos) = (
        SELECT min(written), max(written), max(sequence), count(*),
               sum(type = 'Iteration'), sum(type = 'Intervention'), sum(type = 'Undo')
        FROM entries WHERE run = id
    ) WHERE EXISTS (SELECT * FROM entries WHERE run = id)
    """,
    """
    CREATE TRIGGER entries_are_counted AFTER INSERT ON entries
    BEGIN
        UPDATE runs SET
            created = CASE entries WHEN 0 THEN NEW.written ELSE created END,
            changed = max(changed, NEW.written),
            last = NEW.sequence,
            entries = entries + 1,
            iterations = iterations + (NEW.type = 'Iteration'),
            interventions = interventions + (NEW.type = 'Intervention'),
            undos = undos + (NEW.type = 'Undo')
        WHERE id = NEW.run;
    END
    """,
)

# What each owner has used, counted where it is computed: logs can be forked, and come from elsewhere.
_USED = (
    """
    CREATE TABLE used (
        owner TEXT PRIMARY KEY,
        seconds REAL NOT NULL CHECK (seconds >= 0),
        tokens INTEGER NOT NULL CHECK (tokens >= 0)
    )
    """,
)

# SHA-256 over the checksum of the entry before, the entry's place, kind and text; '' for entries from before.
_CHECKSUMS = ("ALTER TABLE entries ADD COLUMN checksum TEXT NOT NULL DEFAULT ''",)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_LOGS, _OWNERS, _TALLIES, (*_USED, *_CHECKSUMS))
