"""What `dolq_core.store.sqlite` knows of sqlite-utils: when one of these turns red, read its opening words again."""

import sqlite3
from contextlib import closing, suppress

import pytest
from sqlite_utils import Database


@pytest.fixture
def database(database):
    with closing(Database(database)) as db:
        db.enable_wal()
        db.table("things").insert({"n": 0})
    return database


@pytest.fixture
def db(database):
    with closing(Database(database)) as db:
        yield db


@pytest.fixture
def other(database):
    with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as connection:
        yield connection


def test_a_with_block_over_the_connection_is_no_transaction(db, other):
    with suppress(KeyError), db.conn:
        db.table("things").insert({"n": 1})
        raise KeyError
    assert other.execute("SELECT n FROM things").fetchall() == [(0,), (1,)]  # nothing was rolled back


@pytest.mark.parametrize("opening", ["atomic", "begin"])
def test_its_own_transactions_do_not_take_the_write_lock_at_once(db, other, opening):
    with db.atomic() if opening == "atomic" else closing(db):
        if opening == "begin":
            db.begin()
        other.execute("BEGIN IMMEDIATE")  # would be refused if the lock were taken
        other.execute("ROLLBACK")


def test_begin_immediate_takes_the_write_lock_and_inserts_stay_inside(db, other):
    db.execute("BEGIN IMMEDIATE")
    db.table("things").insert({"n": 1})
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    db.rollback()
    assert other.execute("SELECT n FROM things").fetchall() == [(0,)]
