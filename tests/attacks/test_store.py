"""Power cuts and rotten disks: a fork or an import is there whole or not at all, and what was changed is noticed."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from dolq_core import runs
from dolq_core.errors import DolqError
from dolq_core.records import Pause
from dolq_core.store.files import run_text
from tests.app.scenes import disputed

ROOT = Path(__file__).parents[2]
LENGTH = 573
WORKS = """
import os, sys
from pathlib import Path
from dolq_core import runs
content = Path(sys.argv[1]).read_bytes()
for place in sys.stdin:
    if not (child := os.fork()):
        store = runs.open_store(Path(place.strip()))
        (run,) = [info.id for info in runs.list_runs(store)]
        print(os.getpid(), flush=True)
        while True:
            runs.fork(store, run, 573) if sys.argv[2] == "fork" else runs.import_run(store, content)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""
"""One process that has the core loaded, and parts from itself another one for each database: that one is killed."""


@pytest.fixture
def long(tmp_path):
    """A database with one run of 573 entries, and its log as a file."""
    path = tmp_path / "long.db"
    entries = runs.load(runs.open_store(), disputed(1)).entries
    log = (*entries, *(Pause(f"no answer {n}") for n in range(LENGTH - len(entries))))
    file = tmp_path / "run.json"
    file.write_text(run_text("long", log), encoding="utf-8")
    runs.import_run(runs.open_store(path), file.read_bytes())
    return path, file


@pytest.mark.parametrize("road", ["fork", "import"])
def test_a_killed_fork_or_import_leaves_all_of_a_run_or_nothing(long, tmp_path, road):
    path, file = long
    draw, made = random.Random(road), 0
    begun = [sys.executable, "-c", WORKS, file, road]
    with subprocess.Popen(begun, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as works:
        for number in range(12):
            place = Path(shutil.copy(path, tmp_path / f"{number}.db"))
            print(place, file=works.stdin, flush=True)
            child = int(works.stdout.readline())
            time.sleep(draw.uniform(0.0, 0.3))
            os.kill(child, signal.SIGKILL)
            assert works.stdout.readline() == "gone\n"
            made += _whole_runs(place) - 1
    assert made > 0


def _whole_runs(place):
    """How many runs a database has; all of them are whole."""
    store = runs.open_store(place)
    found = runs.list_runs(store)
    assert {info.entries for info in found} == {LENGTH}
    assert {len(runs.load(store, info.id).entries) for info in found} == {LENGTH}
    with closing(sqlite3.connect(place)) as connection:
        assert connection.execute("SELECT count(*) FROM entries").fetchone()[0] == LENGTH * len(found)
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    return len(found)


def test_a_flipped_bit_of_a_log_or_its_data_is_told_when_the_run_is_opened(tmp_path):
    """Bits of all bodies in turn, drawn: what is read is what was written, or it ends in a sentence."""
    run = disputed(2)
    entries = runs.load(runs.open_store(), run).entries
    source = runs.default_database()
    with closing(sqlite3.connect(source)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw, told = source.read_bytes(), 0
    draw = random.Random(0)
    places = [at for at in range(len(raw)) if raw[at : at + 1].isalnum() or raw[at : at + 1] in b'",{}[]:.-']
    for number in range(300):
        at = draw.choice(places)
        place = tmp_path / f"{number}.db"
        place.write_bytes(raw[:at] + bytes([raw[at] ^ (1 << draw.randrange(7))]) + raw[at + 1 :])
        runs.running._known.put(run, None)
        try:
            assert runs.load(runs.open_store(place), run).entries == entries
        except DolqError:
            told += 1
    assert told > 150


CHANGES = {
    "replaced": "UPDATE entries SET body = replace(body, 'It saturates', 'It explodes') WHERE position = 1",
    "cut out": "DELETE FROM entries WHERE position = 1",
    "cut off": "DELETE FROM entries WHERE position = 2",
    "without its checksum": "UPDATE entries SET checksum = '', body = replace(body, 'It', 'Is') WHERE position = 2",
    "another kind": "UPDATE entries SET type = 'Pause' WHERE position = 2",
    "other data": 'UPDATE datasets SET body = replace(body, \'"unit":""\', \'"unit":"m"\')',
}


@pytest.mark.parametrize("name", CHANGES)
def test_an_entry_that_is_replaced_or_cut_out_by_hand_is_told(tmp_path, name):
    run = disputed(2)
    with closing(sqlite3.connect(runs.default_database())) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    place = Path(shutil.copy(runs.default_database(), tmp_path / f"{name}.db"))
    with closing(sqlite3.connect(place)) as connection, connection:
        for trigger in ("entries_stay", "entries_are_kept"):
            connection.execute(f"DROP TRIGGER {trigger}")
        assert connection.execute(CHANGES[name]).rowcount == 1
    runs.running._known.put(run, None)
    with pytest.raises(DolqError, match="not what was written"):
        runs.load(runs.open_store(place), run)
