"""How far a campaign scales: `python -m lab cluster [--folder FOLDER]` of a campaign that was run.

Cost per run: from the stored results. Driver: ten campaigns of 500 runs in a pool that answers at once with a stored
result, so that only the driver works: it makes and sends texts, reads results and writes each to the disk; the least
of the ten, since other programs share the machine. Simulated: runs drawn from the measured costs are handed to workers
as they become free; each result occupies the driver for as long as was measured. Memory, network and the start of
workers are left out. Efficiency: the CPU time of the runs over that of all workers until the last one ends.
"""

import heapq
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any

import numpy as np

from dolq_core.store import codec
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.pools import Pool

SENT, BATCHES = 500, 10
RUNS = 100_000
SPREAD = ("median_s", "tenth_s", "most_s")
WHO = {"builtin": "built-in agents", "pysindy": "PySINDy", "models": "language models"}
WORKERS = (1, 2, 16, 64, 256, 1024, 4096)


def measure(folder: Path) -> Iterator[Row]:
    """Read the costs of the runs in the folder, measure the driver, and simulate."""
    ledger = campaign.Ledger(folder)
    tasks, results = ledger.tasks(), ledger.results()
    done = {name: result for name, result in results.items() if not result.failure and name in tasks}
    yield from _costs(tasks, done)
    sizes = [len(codec.to_json(task)) for task in tasks.values()], [len(codec.to_json(one)) for one in done.values()]
    yield dict(zip(("task_kb", "result_kb"), (fmean(of) / 1000 for of in sizes), strict=True))
    per_run_s = _driver(next(iter(tasks.values())), next(iter(done.values())))
    yield {"driver_s": per_run_s}
    costs = [result.cost.cpu_s for result in done.values()]
    yield from (_simulated(costs, workers, per_run_s) for workers in WORKERS)


def _costs(tasks: dict[str, campaign.Task], done: dict[str, campaign.Result]) -> Iterator[Row]:
    groups: dict[str, list[campaign.Result]] = {}
    for name, result in done.items():
        task = tasks[name]
        noisy = ", noise" if task.noise or task.sigma else ""
        variant = "" if task.variant.name == "default" else f", {task.variant.name}"
        groups.setdefault(f"{task.suite}, {WHO[task.agents]}{variant}{noisy}", []).append(result)
    for kind, those in groups.items():
        spread = dict(zip(SPREAD, _spread([one.cost.cpu_s for one in those]), strict=True))
        yield {"kind": kind, "runs": len(those), **spread, "peak_mib": max(one.cost.peak_mib for one in those)}


def page(rows: Sequence[Row]) -> list[str]:
    """Return the costs, the driver, and the simulation."""
    costs = [
        (row["kind"], row["runs"], *(f"{row[name]:.2f}" for name in SPREAD), f"{row['peak_mib']:.0f}")
        for row in rows
        if "kind" in row
    ]
    text = next(row for row in rows if "task_kb" in row)
    driver_s: float = next(row["driver_s"] for row in rows if "driver_s" in row)
    simulated = [
        (f"{row['workers']:,}", f"{row['hours']:.3g}", f"{row['efficiency']:.0%}", f"{row['driver_busy']:.0%}")
        for row in rows
        if "workers" in row
    ]
    return [
        "## Cost per run",
        report.table(("kind of run", "runs", "median CPU s", "9 of 10 below", "most", "peak MiB"), costs),
        f"A task is {text['task_kb']:.1f} kB of text on its way to a worker, a result {text['result_kb']:.1f} kB.",
        "## Driver",
        f"The driver needs {1000 * driver_s:.2f} ms a run: at most {1 / driver_s:.0f} runs a second, whoever works.",
        "## Simulated scheduler",
        report.table(("workers", f"hours for {RUNS:,} runs", "efficiency", "driver busy"), simulated),
    ]


def _spread(values: Sequence[float]) -> tuple[float, float, float]:
    tenth = quantiles(values, n=10)[-1] if len(values) > 1 else values[0]
    return median(values), min(tenth, max(values)), max(values)


class _Canned(Executor):
    """Answers at once, with a result for whatever task it gets."""

    def __init__(self, result: campaign.Result) -> None:
        self.result = result

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        task = codec.from_json(campaign.Task, args[0])  # on the account of the driver, which errs on the safe side
        future = Future[str]()
        future.set_result(codec.to_json(replace(self.result, task=campaign.task_id(task))))
        return future


def _driver(task: campaign.Task, result: campaign.Result) -> float:
    """Return the seconds that the driver needs for a run, the least of some batches."""
    tasks = campaign.unique([replace(task, seed=seed) for seed in range(SENT)])
    pool = Pool("canned", lambda: _Canned(result), lambda: 64, (), lambda executor: executor.shutdown())
    return min(_batch_s(tasks, pool) for _ in range(BATCHES)) / SENT


def _batch_s(tasks: dict[str, campaign.Task], pool: Pool) -> float:
    with tempfile.TemporaryDirectory() as folder:
        before = time.perf_counter()
        campaign.run_campaign(campaign.Ledger(Path(folder)), tasks, pool)
        return time.perf_counter() - before


def _simulated(costs: Sequence[float], workers: int, per_run_s: float) -> Row:
    """Return a line of the table: a worker gets its next run when the driver has taken its last result."""
    drawn = np.random.default_rng(0).choice(np.array(costs), RUNS).tolist()
    ends = [(cost, number) for number, cost in enumerate(drawn[:workers])]
    heapq.heapify(ends)
    driver, started = 0.0, len(ends)
    while ends:
        end, _ = heapq.heappop(ends)
        driver = max(driver, end) + per_run_s
        if started < RUNS:
            heapq.heappush(ends, (driver + drawn[started], started))
            started += 1
    shares = {"efficiency": sum(drawn) / (driver * workers), "driver_busy": RUNS * per_run_s / driver}
    return {"workers": workers, "hours": driver / 3600, **shares}


BENCHMARK = Benchmark("cluster", "How far a campaign scales", __doc__, measure, page, {"folder": report.RUNS})
