"""Chaos under noise: `python -m lab chaos`.

Lorenz's system (10, 28, 8/3; ten units of time) and Rossler's (0.2, 0.2, 5.7; fifty), one run from one start, no
description, white noise in units of each state's own standard deviation, of a size that is not told; built-in agents in
auto mode, all of their library allowed; a process for each core. Exact: all terms of all equations and no others. A law
counts as settled when every equation is.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import mean, median

from dolq_core.records import Entry, Variable
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.looping import run_loop

SEEDS = 20
STATES = tuple(Variable(name, name) for name in "xyz")
LORENZ = campaign.Case(
    "lorenz",
    "Lorenz",
    "",
    STATES,
    ("10*y - 10*x", "28*x - x*z - y", "x*y - 2.6666666666666665*z"),
    ((-8.0, 7.0, 27.0),),
    (0.0, 10.0),
    (0.0, 20.0),
)
ROSSLER = campaign.Case(
    "rossler",
    "Rossler",
    "",
    STATES,
    ("-y - z", "x + 0.2*y", "0.2 + x*z - 5.7*z"),
    ((1.0, 1.0, 0.0),),
    (0.0, 50.0),
    (0.0, 100.0),
)
LEVELS = tuple((LORENZ, points, noise) for points in (500, 1000) for noise in (0.05, 0.1, 0.2)) + tuple(
    (ROSSLER, 1000, noise) for noise in (0.02, 0.06)
)


def tasks(seeds: int) -> list[campaign.Task]:
    """Return every run, seed by seed."""
    return [
        campaign.Task("chaos", replace(case, points=points), noise=noise, words="none", seed=seed)
        for seed in range(seeds)
        for case, points, noise in LEVELS
    ]


def measure(seeds: int) -> Iterator[Row]:
    """Run every system at every level of noise."""
    yield from pooled(outcome, tasks(seeds))


def outcome(task: campaign.Task) -> Row:
    """Run one task, and say what came of it."""
    before = time.process_time()
    result = run_loop(task, list[Entry]())
    return {
        "system": task.case.id,
        "points": task.case.points,
        "noise": task.noise,
        "seed": task.seed,
        "exact": result.exact,
        "settled": all(status == "settled" for status in result.statuses),
        "cpu_s": round(time.process_time() - before, 1),
        "law": list(result.law),
    }


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table, and what was settled and is not exact."""
    lines: list[tuple[object, ...]] = []
    for case, points, noise in LEVELS:
        here = [row for row in rows if (row["system"], row["points"], row["noise"]) == (case.id, points, noise)]
        if here:
            settled = [row for row in here if row["settled"]]
            cpu = [row["cpu_s"] for row in here]
            lines.append(
                (case.title, points, f"{noise:.0%}", len(here), sum(row["exact"] for row in here), len(settled),
                 sum(not row["exact"] for row in settled), f"{median(cpu):.1f}", f"{mean(cpu):.1f}")
            )  # fmt: skip
    wrong = [
        (row["system"], row["points"], f"{row['noise']:.0%}", row["seed"], "; ".join(f"`{law}`" for law in row["law"]))
        for row in rows
        if row["settled"] and not row["exact"]
    ]
    head = ("system", "samples", "noise", "runs", "exact", "settled", "settled, not exact", "CPU s, median", "mean")
    return [
        report.table(head, lines),
        "## Settled and not exact",
        report.table(("system", "samples", "noise", "seed", "law"), wrong),
    ]


BENCHMARK = Benchmark("chaos", "Chaos under noise", __doc__, measure, page, {"seeds": SEEDS})
