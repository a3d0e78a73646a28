"""Databases that earlier versions wrote open in this one, go on, and are handed on.

`old/` has one file for each form that records have had, written by the program of that day: yeast, one iteration, a
term banned and another description, one more iteration. A new form adds a file; none is ever made again.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dolq_core import runs
from dolq_core.errors import StoreError
from dolq_core.records import TermKey
from dolq_core.store.migrations import MIGRATIONS
from dolq_core.views.files import export
from dolq_core.views.summary import result

OLD = sorted((Path(__file__).parent / "old").glob("*.db"))


@pytest.fixture(params=OLD, ids=lambda path: path.stem)
def old(request, database):
    return Path(shutil.copy(request.param, database))


def test_there_is_a_file_of_every_schema():
    versions = set()
    for path in OLD:
        with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
            versions |= {connection.execute("PRAGMA user_version").fetchone()[0]}
    assert versions == set(range(1, len(MIGRATIONS) + 1))


def test_an_old_run_is_read_whole_and_goes_on(old):
    store = runs.open_standby(old)
    info = runs.list_runs(store)[0]
    run = runs.load(store, info.id)
    assert (info.name, info.iterations, info.interventions) == ("Yeast, as it was", 2, 1)
    assert {term.skeleton for term in run.state.best[0].fit.terms} == {"yeast", "yeast**2"}
    assert run.state.bans[TermKey(0, "yeast**3")].by == "human"
    assert run.state.problem.description == "It grows in a vessel."
    assert result(run)["equations"]["yeast"]["terms"]
    done = runs.step_once(store, run.id)
    assert done.state.iteration == 3
    assert runs.load(runs.open_store(old), run.id).state == done.state


def test_an_old_run_is_handed_on_as_a_bundle_without_a_loss(old, tmp_path):
    store, other = runs.open_store(old), runs.open_store(tmp_path / "other.db")
    run = runs.load(store, runs.list_runs(store)[0].id)
    again = runs.load(other, runs.import_run(other, export(run, "bundle").content))
    assert again.entries == run.entries
    assert again.state == run.state


def test_a_file_of_a_newer_program_is_refused_and_left_as_it_is_also_where_work_goes_on_in_memory(old):
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = old.read_bytes()
    with pytest.raises(StoreError, match="written by a newer version of DoLQ .* Update the program"):
        runs.open_standby(old)
    assert old.read_bytes() == before
