"""What a person sees of a full disk: auto mode, the command line and the pages go on, and nothing is lost."""

import pytest
from click.testing import CliRunner

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.cli import main
from dolq_core.jobs import Board, Limits
from dolq_core.runs import play
from dolq_core.store import standby as module
from dolq_core.store.sqlite import SqliteStore
from pages.ui import jobs
from tests.app import scenes
from tests.store.places import NoMount, place
from tests.waiting import until


@pytest.fixture
def disk(tmp_path, monkeypatch):
    """A full disk on which the database of the app is to be, with one run in it."""
    (tmp_path / "disk").mkdir()
    monkeypatch.setenv("DOLQ_DB", str(tmp_path / "disk" / "runs.db"))
    monkeypatch.setattr(module, "AGAIN_S", 0.0)
    try:
        with place(tmp_path / "disk", 2048) as found:
            yield found
    except NoMount:
        pytest.skip("this user may not mount a file system")


@pytest.fixture
def run():
    store = runs.open_store()
    return runs.start(store, load_bundled("coffee"))


def stored(run):
    return SqliteStore(runs.default_database(), read_only=True).entries(run)


def wait_for(board, run):
    until(lambda: board.snapshot(run).ended)


def test_auto_mode_goes_on_and_all_of_it_is_stored_when_there_is_room(disk, run):
    store, board = runs.open_standby(), Board()
    disk.fill()
    for limit in (2, 1):  # a second job begins with what the first could not store
        at = len(store.entries(run))
        board.start(store, run, at, "auto", limits=Limits(iterations=limit))
        wait_for(board, run)
        assert not board.snapshot(run).failed, board.snapshot(run)
    board.close()
    assert len(store.unstored().waiting[run].entries) == 3
    assert runs.load(store, run).state.iteration == 3
    assert len(stored(run)) == 1
    disk.free()
    assert store.unstored() is None
    assert len(stored(run)) == 4
    assert {played.likeness.same for played in play(stored(run))} == {"identical"}


def test_the_command_line_goes_on_says_so_and_keeps_the_run_elsewhere(disk, tmp_path, monkeypatch):
    disk.fill()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    done = CliRunner().invoke(main, ["discover", "coffee", "--iterations", "2", "--out", "result.json"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "here" / "result.json").exists()
    assert "The run went on in memory and is all in Two_cups_of_coffee_bundle.zip" in done.output.replace("./", "")
    disk.free()
    assert CliRunner().invoke(main, ["import", "Two_cups_of_coffee_bundle.zip"]).exit_code == 0
    assert [info.iterations for info in runs.list_runs(runs.open_store())] == [2]


def test_every_page_says_it_with_a_download_until_it_is_stored(disk, run):
    at = scenes.app("discover", run)
    assert not at.warning
    disk.fill()
    at.button(key="step").click().run()
    wait_for(jobs.board(), run)
    at.run()
    assert "the disk is full" in at.warning[0].value
    assert "kept in memory for now" in at.warning[0].value
    assert [button.label for button in at.get("download_button")] == ["Download Two cups of coffee"]
    disk.free()
    at.run()
    assert not at.warning
    assert not at.exception
    assert len(stored(run)) == 2


def test_a_database_that_is_no_use_is_said_in_the_place_of_the_page(monkeypatch, tmp_path):
    (tmp_path / "other.db").write_text("a,b\n" * 300)
    monkeypatch.setenv("DOLQ_DB", str(tmp_path / "other.db"))
    at = scenes.app("discover")
    assert not at.exception
    assert "is not a database" in at.error[0].value
