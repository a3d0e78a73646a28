"""Seconds and memory against the number of rows: `python -m lab scale`.

Four coupled rates (system 8 of the paper) with 1 % noise, one trajectory over the paper's interval, so many rows. Each
row of the table is a process of its own: CPU seconds of the first step and of the whole discovery, and the peak of
the resident memory of the process, data included. "right" counts equations with exactly the true terms.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dolq_core import runs
from dolq_core.store.memory import MemoryStore
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.laws import exact, fits_of
from lab.campaign.tasks import problem_of

ROWS = (1_000, 10_000, 100_000, 1_000_000)
SYSTEM, NOISE = "8", 0.01


def measure() -> Iterator[Row]:
    """Measure each size in a fresh process."""
    for count in ROWS:
        yield from pooled(discovered, [count])


def discovered(count: int) -> Row:
    """Discover the law in so many rows, in this process."""
    case = replace(next(case for case in campaign.read_suite("paper") if case.id == SYSTEM), points=count)
    store = MemoryStore()
    run = runs.start(store, problem_of(campaign.Task("paper", case, noise=NOISE)))
    before = time.process_time()
    runs.step_once(store, run)
    step = time.process_time() - before
    done = runs.auto(store, run)
    whole = time.process_time() - before
    right = exact(case, fits_of(done.state))
    return {
        "rows": count,
        "step_cpu_s": step,
        "discovery_cpu_s": whole,
        "peak_mib": peak_mib(),
        "iterations": done.state.iteration,
        "right": sum(right),
        "equations": len(right),
    }


def peak_mib() -> float:
    """Return the largest resident memory of this process; not by `resource`, which counts its parent's as well."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    head = ("rows", "step CPU s", "discovery CPU s", "peak MiB", "iterations", "equations right")
    lines = [
        (
            f"{row['rows']:,}",
            f"{row['step_cpu_s']:.1f}",
            f"{row['discovery_cpu_s']:.1f}",
            f"{row['peak_mib']:.0f}",
            row["iterations"],
            f"{row['right']} of {row['equations']}",
        )
        for row in rows
    ]
    return [report.table(head, lines)]


BENCHMARK = Benchmark("scale", "Seconds and memory against rows", __doc__, measure, page)
