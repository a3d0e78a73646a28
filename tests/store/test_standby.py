"""A full disk and a read-only one, for real: the work goes on in memory, and all of it is stored afterwards."""

import os
import sqlite3
from contextlib import closing

import pytest

from dolq_core.errors import StoreError, StoreUnwritable
from dolq_core.store import standby as module
from dolq_core.store.sqlite import SqliteStore
from dolq_core.store.standby import Standby
from tests.contracts.store_contract import StoreContract
from tests.store.examples import intervention, iteration, start
from tests.store.places import NoMount, place

LARGE = intervention("x" * 200_000)


class TestStandby(StoreContract):
    @pytest.fixture
    def store(self, database):
        return Standby(database)


@pytest.fixture
def disk(tmp_path):
    try:
        with place(tmp_path) as found:
            yield found
    except NoMount:
        pytest.skip("this user may not mount a file system")


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch):
    monkeypatch.setattr(module, "AGAIN_S", 0.0)


def entries(path, run):
    return SqliteStore(path).entries(run)


def test_while_the_disk_is_full_the_run_goes_on_in_memory_and_is_stored_afterwards(disk, database):
    store = Standby(database)
    run = store.create(start(), "kept")
    store.append(run, 1, iteration(1))
    disk.fill()
    later = (LARGE, iteration(2), intervention("still here"))
    for position, entry in enumerate(later, 2):
        store.append(run, position, entry)
    waits = store.unstored()
    assert "the disk is full" in waits.error
    assert (waits.waiting[run].first, waits.waiting[run].entries) == (2, later)
    assert store.entries(run) == (start(), iteration(1), *later)
    assert store.entries(run, since=3) == later[1:]
    info = store.runs()[0]
    assert (info.name, info.entries, info.iterations, info.interventions) == ("kept", 5, 2, 2)
    disk.free()
    assert store.unstored() is None
    assert entries(database, run) == (start(), iteration(1), *later)


def test_a_run_that_begins_on_a_full_disk_keeps_its_id(disk, database):
    store = Standby(database)
    disk.fill()
    run = store.create(start(), "new")
    store.append(run, 1, LARGE)
    store.rename(run, "newer")
    assert [info.id for info in store.runs()] == [run]
    disk.free()
    assert store.unstored() is None
    assert entries(database, run) == (start(), LARGE)
    assert SqliteStore(database).runs()[0].name == "newer"


def test_a_run_that_waits_is_removed_and_one_that_is_stored_says_why_it_cannot_be(disk, database):
    store = Standby(database)
    stored = store.create(start(), "stored")
    disk.fill()
    waiting = store.create(start(), "waiting")
    store.append(waiting, 1, LARGE)
    store.remove(waiting)
    assert [info.id for info in store.runs()] == [stored]
    disk.free()
    assert store.unstored() is None
    store.remove(stored)
    assert store.runs() == ()


@pytest.mark.parametrize("new", [True, False], ids=["nothing there", "runs there"])
def test_a_read_only_place_is_said_and_read_and_written_when_it_can_be(disk, database, new):
    old = "" if new else SqliteStore(database).create(start(), "old")
    disk.forbid()
    with pytest.raises(StoreUnwritable, match=r"cannot be (opened|written)"):
        SqliteStore(database)
    store = Standby(database)
    assert "cannot be" in store.unstored().error
    assert [info.id for info in store.runs()] == [old] * (not new)
    run = old or store.create(start(), "mine")
    store.append(run, 1, iteration(1))
    assert store.entries(run) == (start(), iteration(1))
    disk.allow()
    assert store.unstored() is None
    assert entries(database, run) == (start(), iteration(1))


def test_a_disk_that_is_full_from_the_start_is_no_end(disk, database):
    disk.fill()
    store = Standby(database)
    run = store.create(start(), "new")
    assert store.entries(run) == (start(),)
    disk.free()
    assert store.unstored() is None
    assert entries(database, run) == (start(),)


def test_what_another_program_wrote_meanwhile_is_not_written_over(disk, database):
    store = Standby(database)
    run = store.create(start(), "shared")
    disk.fill()
    store.append(run, 1, LARGE)
    disk.free()
    SqliteStore(database).append(run, 1, intervention("theirs"))
    assert "Another program went on" in store.unstored().error
    assert store.entries(run) == (start(), LARGE)  # to be taken away by the person
    assert entries(database, run) == (start(), intervention("theirs"))


def test_what_another_process_stored_of_the_same_is_not_stored_twice(disk, database):
    store = Standby(database)
    run = store.create(start(), "shared")
    disk.fill()
    store.append(run, 1, LARGE)
    disk.free()
    SqliteStore(database).append(run, 1, LARGE)
    store.hold(run, None)
    assert store.unstored() is None
    assert entries(database, run) == (start(), LARGE)


def test_an_entry_in_the_wrong_place_is_refused_in_memory_too(disk, database):
    store = Standby(database)
    run = store.create(start(), "kept")
    disk.fill()
    store.append(run, 1, LARGE)
    with pytest.raises(StoreError, match="another window or program wrote its own first"):
        store.append(run, 1, iteration(1))


def test_a_file_that_is_not_ours_is_refused_as_ever(database):
    with closing(sqlite3.connect(database)) as other, other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
    with pytest.raises(StoreError, match="belongs to another program"):
        Standby(database)
    with pytest.raises(StoreError, match="cannot be opened"):
        Standby(database.parent)


def test_a_file_that_was_put_in_its_place_is_opened(database, tmp_path):
    store = Standby(database)
    store.create(start(), "old")
    other = SqliteStore(tmp_path / "other.db")
    run = other.create(start(), "new")
    del other
    for name in ("runs.db", "runs.db-wal", "runs.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    os.rename(tmp_path / "other.db", database)
    assert [info.id for info in store.runs()] == [run]
