"""Tables of a few digits: `python -m lab digits`.

Every system of the suites, one clean run of it, its samples written with so many digits, as instruments and papers
give them; with its description, built-in agents in auto mode. Right: exact, or the same function in other words.
Settled: every equation is. The way rounding is judged was chosen on sixteen other systems; the search itself has been
tuned on these suites.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from dolq_core import loop, runs
from dolq_core.arrays import frozen
from dolq_core.laws import law_of_fits
from dolq_core.loop import calibration
from dolq_core.records import Settings, Trajectory
from dolq_core.store.memory import MemoryStore
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.laws import fits_of
from lab.campaign.looping import problem_of
from lab.campaign.same import is_same

DIGITS = (3, 4)
SUITES = "paper textbook open"


def measure(suites: str) -> Iterator[Row]:
    """Run every system with every number of digits."""
    tasks = [
        campaign.Task(suite, case, noise=0.0, words="given", seed=0)
        for suite in suites.split()
        for case in campaign.read_suite(suite)
    ]
    yield from pooled(outcome, *zip(*product(tasks, DIGITS), strict=True))


def outcome(task: campaign.Task, digits: int) -> Row:
    """Run one system from a table of so many digits."""
    problem = problem_of(task)
    dataset = replace(
        problem.dataset, trajectories=tuple(_written(run, digits) for run in problem.dataset.trajectories)
    )
    store, before = MemoryStore(), time.process_time()
    state = runs.auto(store, runs.start(store, replace(problem, dataset=dataset), Settings(), seed=task.seed)).state
    evidence, gap = calibration.evidence(state) or ("", None)
    return {
        "suite": task.suite,
        "system": task.case.id,
        "digits": digits,
        "right": is_same(task.case, law_of_fits(fits_of(state))),
        "settled": {loop.status(state, j)[0] for j in range(len(state.best))} == {"settled"},
        "evidence": evidence,
        "gap": gap,
        "cpu_s": round(time.process_time() - before, 1),
    }


def _written(run: Trajectory, digits: int) -> Trajectory:
    return replace(run, x=frozen(np.array([[float(f"{value:.{digits}g}") for value in row] for row in run.x])))


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table, and what was settled and is not the law."""
    lines: list[tuple[object, ...]] = []
    for suite, digits in dict.fromkeys((row["suite"], row["digits"]) for row in rows):
        here = [row for row in rows if (row["suite"], row["digits"]) == (suite, digits)]
        settled = [row for row in here if row["settled"]]
        right = sum(row["right"] for row in here)
        wrong = sum(not row["right"] for row in settled)
        low, high = report.wilson(right, len(here))
        lines.append((suite, digits, len(here), right, f"{low:.0%} to {high:.0%}", len(settled), wrong))
    head = ("suite", "digits", "runs", "right", "95 % interval", "settled", "settled and wrong")
    missed = [
        (row["suite"], row["system"], row["digits"], "yes" if row["settled"] else "")
        for row in rows
        if not row["right"]
    ]
    return [
        report.table(head, lines),
        "## Not the law",
        report.table(("suite", "system", "digits", "settled"), missed),
    ]


BENCHMARK = Benchmark("digits", "Tables of a few digits", __doc__, measure, page, {"suites": SUITES})
