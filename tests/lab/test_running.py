"""One campaign, three places to run it: the same results, whoever dies on the way."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from dolq_core.errors import StoreError
from dolq_core.store import codec
from lab import campaign
from lab.benchmarks import killed
from lab.campaign import pools
from lab.campaign.records import CampaignError
from tests.every import every
from tests.lab.small import tasks
from tests.waiting import LONGEST_S, until

COUNT = 10


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    ledger = campaign.Ledger(tmp_path_factory.mktemp("serial"))
    done = campaign.run_campaign(ledger, tasks(COUNT), pools.here())
    assert (done.done, done.failed, done.total) == (COUNT, 0, COUNT)
    return ledger.results()


def same(found, expected):
    return found.keys() == expected.keys() and all(campaign.alike(found[name], expected[name]) for name in expected)


def test_results_are_what_the_agents_found(serial):
    assert {result.nmse_test for result in serial.values()} == {True}
    assert every(result.exact and result.term_test and result.found_at == 1 for result in serial.values())


def test_a_pool_whose_worker_is_killed_gives_all_results(serial, tmp_path):
    ledger = campaign.Ledger(tmp_path)
    gone = []

    def kill_one(now):
        if now.done >= COUNT // 4 and not gone:
            child = int(ledger.results()[next(reversed(ledger.results()))].worker.split("process ")[1].split(",")[0])
            os.kill(child, signal.SIGKILL)
            gone.append(child)

    done = campaign.run_campaign(ledger, tasks(COUNT), pools.processes(2), kill_one)
    assert (done.done, done.failed, done.lost >= 1) == (COUNT, 0, True)
    assert same(ledger.results(), serial)


@pytest.fixture
def scheduler():
    """Address of a Dask scheduler with two workers on this machine, and the processes of the workers."""
    with killed.cluster() as dask:
        yield dask.address, dask.processes[1:]


def test_a_cluster_that_loses_a_worker_gives_all_results(serial, tmp_path, scheduler):
    address, workers = scheduler
    ledger = campaign.Ledger(tmp_path)
    seen = []

    def kill_one(now):
        seen.append(now.done)
        if now.done >= COUNT // 4 and workers[0].poll() is None:
            workers[0].kill()

    done = campaign.run_campaign(ledger, tasks(COUNT), pools.cluster(address, patience_s=LONGEST_S), kill_one)
    assert (done.done, done.failed) == (COUNT, 0)
    assert workers[0].wait(LONGEST_S) == -signal.SIGKILL
    assert same(ledger.results(), serial)


def test_a_scheduler_that_is_not_there_is_told():
    with pytest.raises(CampaignError, match="does not answer"):
        pools.cluster(f"tcp://127.0.0.1:{killed.free_port()}", patience_s=1)


def test_a_campaign_goes_on_where_it_was_stopped(serial, tmp_path):
    ledger = campaign.Ledger(tmp_path)

    def stop(now):
        if now.done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        campaign.run_campaign(ledger, tasks(COUNT), pools.here(), stop)
    assert len(ledger.results()) == 7
    with (tmp_path / "results.jsonl").open("a") as file:
        file.write('{"task": "cut o')  # as a crash leaves it
    again = campaign.run_campaign(ledger, tasks(COUNT), pools.here())
    assert (again.before, again.done) == (7, COUNT)
    assert same(ledger.results(), serial)


def test_two_processes_do_not_write_to_one_folder(tmp_path):
    ledger = campaign.Ledger(tmp_path)
    with ledger.writing(), pytest.raises(StoreError, match="another process is running this campaign"):
        campaign.run_campaign(campaign.Ledger(tmp_path), tasks(2), pools.here())


class Deadly(Executor):
    """A pool that breaks, with all that is under way, whenever it gets a task of a given seed."""

    def __init__(self, seed):
        self.seed = seed
        self.pending = []
        self.broken = False

    def submit(self, fn, /, text):
        future = Future()
        self.pending.append((future, fn, text))
        if f'"seed":{self.seed},' in text:
            self.broken = True
        threading.Timer(0.05, self._end).start()
        return future

    def _end(self):
        future, fn, text = self.pending.pop(0)
        if self.broken:
            future.set_exception(BrokenProcessPool("a process died"))
        else:
            future.set_result(fn(text))


def test_a_task_that_always_takes_its_worker_down_is_given_up_alone(serial, tmp_path):
    ledger = campaign.Ledger(tmp_path)
    pool = pools.Pool("deadly", lambda: Deadly(3), lambda: 4, (BrokenProcessPool,), lambda executor: None)
    asked = tasks(10)
    done = campaign.run_campaign(ledger, asked, pool)
    lost = {name for name, result in ledger.results().items() if result.failure}
    assert lost == {name for name, task in asked.items() if task.seed == 3}
    assert (done.done, done.failed) == (10, 2)
    good = {name: result for name, result in ledger.results().items() if name not in lost}
    assert same(good, {name: serial[name] for name in good})


class Dead(Executor):
    """A pool whose worker has died before it was given anything."""

    def submit(self, fn, /, text):
        raise BrokenProcessPool("a process died")


def test_a_worker_that_dies_between_two_tasks_is_counted_and_costs_nothing(tmp_path):
    made = iter((Dead(), pools.here().make()))
    pool = pools.Pool("dead at first", lambda: next(made), lambda: 1, (BrokenProcessPool,), lambda executor: None)
    done = campaign.run_campaign(campaign.Ledger(tmp_path), tasks(2), pool)
    assert (done.done, done.failed, done.lost) == (2, 0, 1)


def test_ctrl_c_ends_the_workers_and_keeps_what_is_done(tmp_path):
    command = [sys.executable, "-m", "dolq_core", "bench", "run", str(tmp_path), "--workers", "2", "--seeds", "50"]
    process = subprocess.Popen(
        [*command, "--system", "1", "--points", "50"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    ledger = campaign.Ledger(tmp_path)
    try:
        until(lambda: ledger.results() or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=LONGEST_S)[1]
    finally:
        process.kill()
    assert process.returncode == 130
    assert "the same command goes on with the rest" in said
    assert 0 < len(ledger.results()) < 50


def test_the_same_command_repeats_what_had_failed_and_nothing_else(serial, tmp_path):
    ledger, small = campaign.Ledger(tmp_path), tasks(4)
    first, *others = small
    with ledger.writing() as writer:
        writer.enter(small)
        for name in others:
            writer.add(codec.to_json(serial[name]))
        writer.add(codec.to_json(campaign.Result(first, failure="the server was away")))
    done = campaign.run_campaign(ledger, small, pools.here())
    assert (done.total, done.before, done.failed) == (4, 3, 0)
    assert ledger.results()[first].failure == ""
    assert len((tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()) == 5
