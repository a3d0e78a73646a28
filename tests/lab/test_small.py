"""Campaigns that a page starts: in a process beside, told by their folder."""

from collections.abc import Iterator

import pytest

from dolq_core import runs
from dolq_core.errors import StoreError
from dolq_core.store.memory import MemoryStore
from lab import small
from lab.processes import Campaigns
from tests.waiting import until

ONE = small.Wanted("textbook", ("immigration-death",))


@pytest.fixture
def board() -> Iterator[Campaigns]:
    found = Campaigns()
    yield found
    found.close()


def test_a_small_campaign_ends_with_tables(board):
    folder = small.folder() / "a"
    board.start(folder, ONE.arguments())
    until(lambda: not board.is_running(folder))
    assert board.failure(folder) == ""
    (info,) = small.stored()
    assert info == small.Info("a", total=1, done=1, failed=0)
    assert "immigration-death" in small.tables("a")
    ((task, name),) = small.logs("a").items()
    store = MemoryStore()
    opened = runs.load(store, small.open_run(store, "a", task))
    assert opened.name == name == "textbook immigration-death"
    assert opened.state.best[0] is not None


def test_what_cannot_be_run_is_said(board):
    folder = small.folder() / "b"
    board.start(folder, ["--suite", "nonsense"])
    until(lambda: not board.is_running(folder))
    assert "nonsense" in board.failure(folder)
    assert small.stored() == ()


def test_a_stopped_campaign_keeps_what_is_done_and_is_no_failure(board):
    folder = small.folder() / "c"
    board.start(folder, small.Wanted("textbook", ONE.systems, seeds=100).arguments())
    assert board.running() == folder
    with pytest.raises(StoreError, match="at work already"):
        board.start(folder, ONE.arguments())
    until(lambda: small.info("c").done, every=0.3)  # to read a hundred tasks takes a while
    board.stop(folder)
    until(lambda: not board.is_running(folder))
    info = small.info("c")
    assert 0 < info.done < info.total == 100
    assert board.failure(folder) == ""


def test_a_campaign_has_a_run_for_each_combination():
    wanted = small.Wanted("paper", ("1", "2"), (0.0, 0.01), ("given", "none"), 3)
    assert wanted.runs == 24
    assert wanted.arguments() == [
        "--suite", "paper", "--seeds", "3", "--keep-logs", "--system", "1", "--system", "2", "--noise", "0.0",
        "--noise", "0.01", "--words", "given", "--words", "none",
    ]  # fmt: skip
