"""How far a campaign scales: `python -m benchmarks.cluster FOLDER` of a campaign that was run.

Cost per run: from the stored results. Driver: ten campaigns of 500 runs in a pool that answers at once with a stored
result, so that only the driver works: it makes and sends texts, reads results and writes each to the disk; the least
of the ten, since other programs share the machine. Simulated: runs drawn from the measured costs are handed to workers
as they become free; each result occupies the driver for as long as was measured. Memory, network and the start of
workers are left out. Efficiency: the CPU time of the runs over that of all workers until the last one ends.
"""

import argparse
import heapq
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any

import numpy as np

from benchmarks import report
from dolq_core import campaign
from dolq_core.campaign.pools import Pool
from dolq_core.store import codec

SENT, BATCHES = 500, 10
RUNS = 100_000
WORKERS = (1, 2, 16, 64, 256, 1024, 4096)


def main() -> None:
    """Measure, simulate, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    ledger = campaign.Ledger(parser.parse_args().folder)
    tasks, results = ledger.tasks(), ledger.results()
    done = {name: result for name, result in results.items() if not result.failure and name in tasks}
    costs = [result.cost.cpu_s for result in done.values()]
    per_run_s = _driver(next(iter(tasks.values())), next(iter(done.values())))
    rows = [_simulated(costs, workers, per_run_s) for workers in WORKERS]
    head = ("workers", f"hours for {RUNS:,} runs", "efficiency", "driver busy")
    how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    busy = (
        f"The driver needs {1000 * per_run_s:.2f} ms a run: at most {1 / per_run_s:.0f} runs a second, whoever works."
    )
    parts = (_cost(tasks, done), f"## Driver\n\n{busy}", f"## Simulated scheduler\n\n{report.table(head, rows)}")
    report.write("cluster", "How far a campaign scales", how, *parts)


def _cost(tasks: dict[str, campaign.Task], done: dict[str, campaign.Result]) -> str:
    groups: dict[str, list[campaign.Result]] = {}
    for name, result in done.items():
        task = tasks[name]
        noisy = ", noise" if task.noise or task.sigma else ""
        groups.setdefault(f"{task.suite}, {task.agents}, {task.variant.name}{noisy}", []).append(result)
    rows = [
        (
            kind,
            len(those),
            *(f"{value:.2f}" for value in _spread([one.cost.cpu_s for one in those])),
            f"{max(one.cost.peak_mib for one in those):.0f}",
        )
        for kind, those in groups.items()
    ]
    sizes = [len(codec.to_json(task)) for task in tasks.values()], [len(codec.to_json(one)) for one in done.values()]
    task_kb, result_kb = (fmean(of) / 1000 for of in sizes)
    told = f"A task is {task_kb:.1f} kB of text on its way to a worker, a result {result_kb:.1f} kB."
    table = report.table(("kind of run", "runs", "median CPU s", "9 of 10 below", "most", "peak MiB"), rows)
    return f"## Cost per run\n\n{table}\n\n{told}"


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


def _simulated(costs: Sequence[float], workers: int, per_run_s: float) -> tuple[str, str, str, str]:
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
    efficiency = sum(drawn) / (driver * workers)
    return f"{workers:,}", f"{driver / 3600:.3g}", f"{efficiency:.0%}", f"{RUNS * per_run_s / driver:.0%}"


if __name__ == "__main__":
    main()
