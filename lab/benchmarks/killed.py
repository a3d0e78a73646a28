"""A campaign on a Dask cluster whose worker is killed: `python -m lab killed`.

A scheduler and two workers of Dask on this machine, and the systems of the suites paper, textbook and open, clean, with
their descriptions and without, under as many seeds as there need be. Once half of the runs have a result, one worker is
killed (SIGKILL, no nanny), and another one joins. Lost: runs without a result in the end; doubled: lines of results
beyond one for each run; moved: how often a worker's death sent runs elsewhere by our own doing (Dask moves them by
itself first). Alike: of runs drawn at random and done once more in this process, how many have the same result.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from socket import socket

import numpy as np

from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from lab.campaign import Task, pools

SUITES = ("paper", "textbook", "open")
WORKERS = 2


@contextmanager
def cluster() -> Iterator["Cluster"]:
    """A scheduler with its workers, ended with the block."""
    port = free_port()
    made = Cluster(port)
    try:
        made.begin("scheduler", "--port", str(port))
        for _ in range(WORKERS):
            made.join()
        yield made
    finally:
        for process in made.processes:
            process.kill()
            process.wait()


def free_port() -> int:
    """Return a port of this machine at which nobody listens."""
    with socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Cluster:
    """Processes of Dask on this machine: the scheduler, then the workers."""

    def __init__(self, port: int) -> None:
        self.address = f"tcp://127.0.0.1:{port}"
        self.processes: list[subprocess.Popen[bytes]] = []

    def begin(self, what: str, *arguments: str) -> None:
        """Start a scheduler or a worker, one thread each."""
        command = [sys.executable, "-m", "dask", what, *arguments, "--no-dashboard", "--host", "127.0.0.1"]
        own, quiet = os.environ | dict.fromkeys(pools.ONE_THREAD, "1"), subprocess.DEVNULL
        self.processes.append(subprocess.Popen(command, cwd=report.ROOT, env=own, stdout=quiet, stderr=quiet))

    def join(self) -> None:
        """Add a worker."""
        self.begin("worker", self.address, "--nthreads", "1", "--no-nanny")

    def kill_one(self) -> None:
        """Kill the first worker, as a machine dies."""
        os.kill(self.processes[1].pid, signal.SIGKILL)


def tasks(runs: int) -> dict[str, Task]:
    """Return so many different runs."""
    found: dict[str, Task] = {}
    for seed in count():
        for suite in SUITES:
            grid = campaign.TaskGrid(suite, campaign.read_suite(suite), seeds=(seed,), words=("given", "none"))
            found |= campaign.unique(campaign.tasks_of(grid))
        if len(found) >= runs:
            return dict(list(found.items())[:runs])
    raise AssertionError("seeds do not end")


def measure(runs: int, compared: int) -> Iterator[Row]:
    """Run the campaign, kill in the middle, and compare."""
    asked = tasks(runs)
    with tempfile.TemporaryDirectory() as folder, cluster() as dask:
        ledger, killed = campaign.Ledger(Path(folder)), list[int]()

        def watch(now: campaign.Progress) -> None:
            if now.done >= runs // 2 and not killed:
                killed.append(now.done)
                dask.kill_one()
                dask.join()

        begun = time.monotonic()
        done = campaign.run_campaign(ledger, asked, pools.cluster(dask.address, patience_s=60.0), watch)
        seconds = time.monotonic() - begun
        results = ledger.results()
        lines = len((Path(folder) / "results.jsonl").read_text("utf-8").splitlines())
    drawn = np.random.default_rng(0).choice(sorted(asked), min(compared, runs), replace=False).tolist()
    yield {
        "runs": runs,
        "killed": killed[0] if killed else None,
        "lost": len(asked.keys() - results.keys()),
        "doubled": lines - len(results),
        "failed": done.failed,
        "moved": done.lost,
        "alike": f"{_alike({name: asked[name] for name in drawn}, results)} of {len(drawn)}",
        "seconds": round(seconds),
    }


def _alike(asked: dict[str, Task], results: dict[str, campaign.Result]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        ledger = campaign.Ledger(Path(folder))
        campaign.run_campaign(ledger, asked, pools.here())
        again = ledger.results()
    return sum(name in results and campaign.alike(results[name], again[name]) for name in asked)


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    head = ("runs", "killed after", "lost", "doubled", "failed", "moved", "alike", "seconds")
    names = ("runs", "killed", "lost", "doubled", "failed", "moved", "alike", "seconds")
    return [report.table(head, [[row[name] for name in names] for row in rows])]


OPTIONS = {"runs": 500, "compared": 50}
BENCHMARK = Benchmark("killed", "A worker killed in a campaign", __doc__, measure, page, OPTIONS)
