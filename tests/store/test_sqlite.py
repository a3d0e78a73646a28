import gc
import math
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dolq_core.errors import StoreError
from dolq_core.store.migrations import APPLICATION_ID, MIGRATIONS
from dolq_core.store.sqlite import SqliteStore
from tests.contracts.store_contract import StoreContract
from tests.every import every
from tests.store.examples import intervention, iteration, start
from tests.waiting import LONGEST_S


@pytest.fixture
def store(database):
    return SqliteStore(database)


def query(path, sql):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def change(path, *statements):
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def writer(path, run, entries, size=10):
    command = [sys.executable, "-m", "tests.store.writer", str(path), run, str(entries), str(size)]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def store(self, database):
        return SqliteStore(database)


# --- what is in the file ----------------------------------------------------------------------------


def test_a_run_is_there_when_the_file_is_opened_again(database):
    run = SqliteStore(database).create(start(), "kept")
    SqliteStore(database).append(run, 1, iteration(1))
    assert SqliteStore(database).entries(run) == (start(), iteration(1))


def test_data_are_stored_once_however_many_runs_use_them(store, database):
    runs = [store.create(start(), name) for name in "abc"]
    store.create(start("other data"), "d")
    assert query(database, "SELECT count(*) FROM datasets") == [(2,)]
    assert every(store.entries(run) == (start(),) for run in runs)
    assert "trajectories" not in query(database, "SELECT body FROM entries")[0][0]


def test_an_entry_can_neither_be_changed_nor_removed(store, database):
    store.create(start(), "first")
    for statement in ("UPDATE entries SET body = '{}'", "DELETE FROM entries"):
        with pytest.raises(sqlite3.IntegrityError, match="an entry of a log is never"):
            change(database, statement)


def test_what_a_removed_run_held_is_gone_and_an_entry_is_guarded_as_before(store, database):
    run, other = store.create(start("its own"), "a"), store.create(start(), "b")
    shared = store.create(start(), "c")
    for one in (run, shared):
        store.remove(one)
    assert query(database, "SELECT name FROM datasets") == [(start().problem.dataset.name,)]
    assert query(database, "SELECT DISTINCT run FROM entries") == [(other,)]
    with pytest.raises(sqlite3.IntegrityError, match="an entry of a log is never removed"):
        change(database, "DELETE FROM entries")
    assert store.entries(other) == (start(),)


def test_a_removal_that_fails_leaves_the_run_and_its_guard(store, database):
    run = store.create(start(), "a")
    change(database, "CREATE TRIGGER no BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'no'); END")
    with pytest.raises(StoreError):
        store.remove(run)
    assert store.entries(run) == (start(),)
    with pytest.raises(sqlite3.IntegrityError, match="an entry of a log is never removed"):
        change(database, "DELETE FROM entries")


def test_the_file_itself_refuses_two_entries_in_one_place(store, database):
    run = store.create(start(), "first")
    with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
        change(database, f"INSERT INTO entries (run, position, type, written, body) VALUES ('{run}', 0, '', '', '')")


def test_the_file_says_whose_it_is_and_logs_ahead(store, database):
    assert query(database, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert query(database, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    assert query(database, "PRAGMA journal_mode") == [("wal",)]


def test_an_entry_that_cannot_be_written_leaves_nothing_behind(store):
    run = store.create(start(), "first")
    with pytest.raises(StoreError, match=r"Iteration\.seconds\.fit: it should be a number .* not nan"):
        store.append(run, 1, replace(iteration(1), seconds={"fit": math.nan}))
    store.append(run, 1, iteration(1))
    assert store.entries(run) == (start(), iteration(1))


def test_a_name_that_no_text_can_hold_is_mended(store):
    run = store.create(start("bad \udcff bytes"), "\udcff")
    store.rename(run, "still \udcff")
    assert store.runs()[0].name == "still ?"
    assert store.entries(run) == (start("bad \udcff bytes"),)


# --- files that are not ours, or not usable ---------------------------------------------------------


def test_a_file_of_a_newer_program_is_refused_and_left_as_it_is(database):
    SqliteStore(database).create(start(), "first")
    change(database, f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = database.read_bytes()
    with pytest.raises(StoreError, match="written by a newer version of DoLQ .* Update the program"):
        SqliteStore(database)
    assert database.read_bytes() == before


def test_the_database_of_another_program_is_refused_and_left_as_it_is(database):
    change(database, "CREATE TABLE bookmarks (url TEXT)")
    before = database.read_bytes()
    with pytest.raises(StoreError, match="belongs to another program"):
        SqliteStore(database)
    assert database.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(database):
    database.write_text("t,x\n0,1\n" * 100)
    before = database.read_bytes()
    with pytest.raises(StoreError, match="it is not a database"):
        SqliteStore(database)
    assert database.read_bytes() == before


@pytest.mark.parametrize("name", [".", "file/runs.db"], ids=["a folder", "under a file"])
def test_a_place_that_can_hold_no_file_is_refused(tmp_path, name):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be (opened|made)"):
        SqliteStore(tmp_path / name)


def test_the_folder_is_made_when_it_is_missing(tmp_path):
    assert SqliteStore(tmp_path / "a" / "b" / "runs.db").runs() == ()


@pytest.fixture
def nobody():
    """For the time of a test, lose the rights that root has over files of others."""
    if os.name == "nt":
        pytest.skip("Windows has no users to change to")
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    yield
    if root:
        os.seteuid(0)


@pytest.fixture
def open_folder():
    """A folder that anybody can reach, which pytest's own cannot."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def read_only(open_folder):
    path = open_folder / "runs.db"
    SqliteStore(path).create(start(), "first")
    path.chmod(0o444)
    open_folder.chmod(0o555)
    yield path
    open_folder.chmod(0o755)


def test_a_file_that_may_not_be_written_is_refused_in_plain_words(read_only, nobody):
    before = read_only.read_bytes()
    with pytest.raises(StoreError, match="cannot be (written|opened).*name another place"):
        SqliteStore(read_only)
    assert read_only.read_bytes() == before


def test_a_folder_that_may_not_be_written_is_refused_in_plain_words(open_folder, nobody):
    open_folder.stat()
    with pytest.raises(StoreError, match="cannot be (opened|made)"):
        SqliteStore(Path("/") / "runs-of-nobody.db")


def test_a_file_that_is_locked_for_long_is_an_error_in_plain_words_and_nothing_is_lost(database):
    store = SqliteStore(database, busy_timeout_s=0.05)
    run = store.create(start(), "first")
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program keeps it locked"):
            store.append(run, 1, iteration(1))
        assert store.entries(run) == (start(),)  # reading goes on
        other.execute("ROLLBACK")
    store.append(run, 1, iteration(1))
    assert store.entries(run) == (start(), iteration(1))


# --- threads, processes, sudden death ---------------------------------------------------------------


def test_each_thread_has_its_own_connection_and_ends_with_it(store):
    run = store.create(start(), "first")
    seen = []

    def use():
        seen.append((store.entries(run), len(store.runs())))

    for _ in range(3):
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
    assert seen == [((start(),), 1)] * 3


def test_a_store_may_go_before_a_thread_that_used_it(database):
    box, used, leave = [SqliteStore(database)], threading.Event(), threading.Event()

    def use_and_stay():
        box[0].runs()
        used.set()
        leave.wait()

    thread = threading.Thread(target=use_and_stay)
    thread.start()
    used.wait()
    box.clear()  # closes the connection of the other thread; a complaint would fail the test as a warning
    gc.collect()
    leave.set()
    thread.join()


def test_two_programs_never_take_the_same_place(store, database):
    run = store.create(start(), "shared")
    programs = [writer(database, run, 25) for _ in range(2)]
    said = [p.communicate(timeout=LONGEST_S)[0] for p in programs]
    assert [p.returncode for p in programs] == [0, 0]
    assert [len(s.split()) for s in said] == [25, 25]
    assert len(store.entries(run)) == 51
    assert query(database, "SELECT count(DISTINCT position), max(position) FROM entries") == [(51, 50)]


def test_many_can_be_the_first_to_open_a_file(database):
    barrier, failed = threading.Barrier(8), []

    def be_first():
        barrier.wait()
        try:
            SqliteStore(database).create(start(), "mine")
        except StoreError as error:
            failed.append(error)

    threads = [threading.Thread(target=be_first) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert failed == []
    assert len(SqliteStore(database).runs()) == 8


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("after", [1, 2, 5, 9])
def test_a_program_killed_while_it_writes_loses_nothing_that_it_had_stored(store, database, after):
    run = store.create(start(), "killed")
    program = writer(database, run, 10_000, size=300_000)
    for _ in range(after):
        program.stdout.readline()
    os.kill(program.pid, signal.SIGKILL)
    stored = after + len(program.communicate()[0].split())
    entries = SqliteStore(database).entries(run)
    assert stored <= len(entries) - 1 <= stored + 1  # the last one may be stored and not yet said
    assert [e.reason.split()[0] for e in entries[1:]] == [str(n) for n in range(len(entries) - 1)]
    store.append(run, len(entries), intervention("it goes on"))
    assert query(database, "PRAGMA integrity_check") == [("ok",)]


COLUMNS = "sequence, run, position, type, written, body"


def test_runs_from_before_there_were_owners_belong_to_the_local_one(database, tmp_path):
    new = SqliteStore(tmp_path / "new.db")
    run = new.create(start(), "from long ago")
    new.append(run, 1, iteration(1))
    with closing(sqlite3.connect(database)) as old, old:
        for statement in MIGRATIONS[0]:
            old.execute(statement)
        old.execute("ATTACH ? AS new", [str(tmp_path / "new.db")])
        for table, columns in (("datasets", "*"), ("runs", "id, name, dataset, agents"), ("entries", COLUMNS)):
            old.execute(f"INSERT INTO main.{table} SELECT {columns} FROM new.{table}")
        old.execute("PRAGMA main.user_version = 1")
        old.execute(f"PRAGMA main.application_id = {APPLICATION_ID}")
    store = SqliteStore(database)
    assert store.entries(run) == (start(), iteration(1))
    assert store.runs() == new.runs()
    assert (store.runs()[0].entries, store.runs()[0].iterations) == (2, 1)
    assert store.seen_by("ann").runs() == ()


def test_the_list_of_runs_is_what_counting_all_entries_gives(store, database):
    logs = {name: store.create(start(), name) for name in ("a", "b", "c")}
    said = [("b", iteration(1)), ("a", iteration(1)), ("a", intervention("no")), ("b", intervention("yes"))]
    for name, entry in said:
        store.append(logs[name], len(store.entries(logs[name])), entry)
    counted = """
    SELECT run, min(written), max(written), count(*), sum(type = 'Iteration'), sum(type = 'Intervention')
    FROM entries GROUP BY run ORDER BY max(sequence) DESC
    """
    told = [(i.id, i.created, i.changed, i.entries, i.iterations, i.interventions) for i in store.runs()]
    assert told == query(database, counted)
    assert [info.name for info in store.runs()] == ["b", "a", "c"]


def _steps(store, look):
    """Return how much SQLite has to do for a look: in fifties of the instructions of its machine."""
    units, connection = [], store._connection().conn
    connection.set_progress_handler(lambda: units.append(1), 50)
    look()
    connection.set_progress_handler(None, 50)
    return len(units)


def test_a_look_at_the_list_or_the_end_of_a_log_takes_no_longer_where_logs_are_long(store):
    run = store.create(start(), "long")

    for number in range(1, 4):
        store.append(run, number, iteration(number))
    list_before = _steps(store, store.runs)
    for number in range(4, 400):
        store.append(run, number, iteration(number))
    assert _steps(store, store.runs) <= list_before + 1
    assert _steps(store, lambda: store.entries(run, since=400)) <= 2
