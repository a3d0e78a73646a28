"""Jobs: iterations in a process of their own, paused, stopped, killed; the store keeps every finished one."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.errors import StoreError
from dolq_core.jobs import Board, Limits
from dolq_core.jobs.process import NO_MORE, Worker
from dolq_core.records import Intervention, Settings, TermNote
from dolq_core.views.terms import read_key
from tests.agents.problems import noise
from tests.every import none
from tests.waiting import until

LONG = {"patience": 2000, "iterations": 2000}  # no reason to stop while a test looks


@pytest.fixture(scope="module")
def board():
    found = Board()
    yield found
    found.close()


@pytest.fixture
def database(tmp_path):
    return tmp_path / "runs.db"


def new(database, name="", **settings):
    """A bundled set, or noise in which the search looks for several iterations."""
    problem = load_bundled(name) if name else noise(30, 1, 0)
    return runs.start(runs.open_store(database), problem, Settings(**settings))


def ended(board, run):
    until(lambda: board.snapshot(run).ended, say=lambda: board.snapshot(run))
    return board.snapshot(run)


def stored(database, run):
    return runs.load(runs.open_store(database), run)


def test_a_step_is_one_iteration_and_equals_one_without_a_job(board, database):
    run = new(database, "yeast")
    board.start(database, run, 1, "step")
    state = ended(board, run)
    assert (state.at, state.iteration, state.failed) == (2, 1, False)
    alone = runs.open_store(database)
    other = runs.start(alone, load_bundled("yeast"))
    assert runs.step_once(alone, other).state.best == stored(database, run).state.best


def test_auto_goes_on_until_there_is_a_reason_and_says_it(board, database):
    run = new(database)
    board.start(database, run, 1, "auto")
    state = ended(board, run)
    now = stored(database, run)
    assert state.words == runs.reason_to_stop(now)
    assert state.iteration == now.state.iteration > 1


def test_a_pause_ends_between_iterations(board, database):
    run = new(database, **LONG)
    board.start(database, run, 1, "auto")
    until(lambda: board.snapshot(run).phase)
    board.pause(run)
    state = ended(board, run)
    assert state.words == "Paused."
    assert stored(database, run).state.iteration == state.iteration >= 1


def test_a_stop_drops_the_iteration_under_way(board, database):
    run = new(database, **LONG)
    board.start(database, run, 1, "auto")
    until(lambda: board.snapshot(run).phase)
    pid = board.snapshot(run).pid
    os.kill(pid, signal.SIGSTOP)  # the iteration does not end by itself
    try:
        board.stop(run)
        state = ended(board, run)
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
    assert state.words.startswith("Stopped.")
    assert len(stored(database, run).entries) - 1 <= state.iteration + 1


def test_a_killed_process_loses_nothing_and_the_run_goes_on(board, database):
    run = new(database, **LONG)
    board.start(database, run, 1, "auto")
    until(lambda: board.snapshot(run).iteration)
    os.kill(board.snapshot(run).pid, signal.SIGKILL)
    state = ended(board, run)
    assert state.failed
    assert "every finished iteration is kept" in state.words
    done = len(stored(database, run).entries)
    board.start(database, run, done, "step")
    assert not ended(board, run).failed
    assert len(stored(database, run).entries) == done + 1


def test_a_worker_that_was_killed_is_gone_however_often_it_is_asked():
    worker = Worker()
    try:
        os.kill(worker.pid, signal.SIGKILL)
        until(lambda: worker.answer(1.0) == NO_MORE)
        assert not worker.is_alive
        worker.ask({})
        assert worker.answer(0.1) == NO_MORE
    finally:
        worker.end()


def test_of_two_runs_on_one_processor_one_waits_but_a_step_does_not(database):
    board = Board(processors=1)
    first, second, third = (new(database, **LONG) for _ in range(3))
    board.start(database, first, 1, "auto")
    until(lambda: board.snapshot(first).phase)
    board.start(database, second, 1, "auto")
    until(lambda: board.snapshot(second).phase == "wait")
    board.start(database, third, 1, "step")
    assert ended(board, third).iteration == 1
    board.stop(first)  # its processor is free at once
    until(lambda: board.snapshot(second).phase not in ("", "wait"))
    board.close()
    assert "Stopped" in board.snapshot(second).words


def test_limits_end_a_job(board, database):
    run = new(database, **LONG)
    board.start(database, run, 1, "auto", limits=Limits(iterations=1))
    assert ended(board, run).words == "Paused: 1 more iterations are done, as asked."
    board.start(database, run, 2, "auto", limits=Limits(seconds=0.0))
    assert "limit of 0 s" in ended(board, run).words


def test_a_job_that_nobody_looks_at_ends(board, database):
    run = new(database, **LONG)
    board.start(database, run, 1, "auto", limits=Limits(idle_s=0.0))
    until(lambda: len(stored(database, run).entries) > 1)
    assert "nobody looked" in ended(board, run).words


def test_what_computes_yields_to_all_others(board, database):
    """On Linux that takes a session of its own: niceness counts within a session only, and browsers have another."""
    run = new(database)
    board.start(database, run, 1, "step")
    pid = ended(board, run).pid  # it waits for the next job
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(os.getpriority(os.PRIO_PROCESS, 0) + 10, 19)
    group = Path(f"/proc/{pid}/autogroup")
    if group.exists():
        assert group.read_text(encoding="ascii").split()[-1] == "10"
        assert group.read_text(encoding="ascii") != Path("/proc/self/autogroup").read_text(encoding="ascii")


def test_two_jobs_on_one_run_are_one_too_many(board, database):
    run = new(database, **LONG)
    board.start(database, run, 1, "auto")
    with pytest.raises(StoreError, match="worked on already"):
        board.start(database, run, 1, "step")
    board.stop(run)
    ended(board, run)


def test_a_run_that_went_on_elsewhere_is_not_overwritten(board, database):
    run = new(database)
    store = runs.open_store(database)
    runs.intervene(store, run, Intervention(remark="first"))
    board.start(database, run, 1, "step")
    state = ended(board, run)
    assert state.failed
    assert "went on in the meantime" in state.words
    assert len(stored(database, run).entries) == 2


def test_a_persons_word_during_auto_counts_from_the_next_iteration_on(board, database):
    run = new(database, **LONG)
    board.start(database, run, 1, "auto")
    until(lambda: board.snapshot(run).phase)
    store = runs.open_store(database)
    state = stored(database, run).state
    key = read_key(state, 0, "x0")
    while True:  # the worker may be the first at this place
        try:
            runs.intervene(store, run, Intervention(ban=(TermNote(key, "no"),)))
            break
        except StoreError:
            continue
    spoken = len(stored(database, run).entries)
    until(lambda: len(stored(database, run).entries) > spoken)
    board.pause(run)
    assert not ended(board, run).failed
    later = stored(database, run).entries[spoken:]
    assert later
    assert none(term.skeleton == "x0" for done in later for c in done.proposal.candidates for term in c.terms[0])


def test_a_run_that_is_not_there_is_said(board, database):
    runs.open_store(database)
    board.start(database, "nowhere", 1, "step")
    assert "no such run" in ended(board, "nowhere").words


def test_a_job_that_has_ended_can_be_forgotten(board, database):
    run = new(database, "yeast")
    board.start(database, run, 1, "step")
    ended(board, run)
    board.forget(run)
    assert board.snapshot(run) is None
