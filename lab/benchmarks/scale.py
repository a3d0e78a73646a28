"""Seconds and memory against rows, states, terms and noise: `python -m lab scale`.

Rows: four coupled rates (system 8 of the paper) with 1 % noise, one trajectory over the paper's interval. States:
vessels in a row, of which each empties into the next. Terms: an oscillator whose second equation gets one term more
each time. Noise: prey and predator. The last three have 500 samples, 2 % noise where it is not what changes, and no
description. Each row of the tables is a process of its own: CPU seconds of the first step and of the whole discovery,
and the peak of the resident memory of the process, data included. "right" counts equations with exactly the true terms.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dolq_core import runs
from dolq_core.records import Variable
from dolq_core.store.memory import MemoryStore
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.laws import exact, fits_of
from lab.campaign.records import Case
from lab.campaign.tasks import problem_of

ROWS = (1_000, 10_000, 100_000, 1_000_000)
VESSELS = 6
FORCES = ("-x", " - 0.3*y", " - 0.5*x**3", " - 0.2*x**2", " - 0.4*x**2*y")
LEVELS = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1)
POINTS, NOISE = 500, 0.02


def measure() -> Iterator[Row]:
    """Measure each size in a fresh process."""
    for by, size, case, noise in sizes():
        for row in pooled(discovered, [case], [noise]):
            yield {"by": by, "size": size, **row}


def sizes() -> Iterator[tuple[str, float, Case, float]]:
    """Yield what grows, its size, the system and its noise."""
    paper = next(case for case in campaign.read_suite("paper") if case.id == "8")
    for count in ROWS:
        yield "rows", count, replace(paper, points=count), 0.01
    for count in range(1, VESSELS + 1):
        yield "states", count, vessels(count), NOISE
    for count in range(1, len(FORCES) + 1):
        law = ("y", "".join(FORCES[:count]))
        yield "terms", count, _case("oscillator", ("x", "y"), law, (2.0, 0.0), 20.0), NOISE
    law = ("x - 0.5*x*y", "0.4*x*y - y")
    for level in LEVELS:
        yield "noise", level, _case("prey and predator", ("x", "y"), law, (3.0, 1.0), 12.0), level


def vessels(count: int) -> Case:
    """Return so many vessels in a row, the first one fed."""
    names = tuple("pqrsuv"[:count])
    out = [f"{0.5 + 0.2 * k:.1f}*{name}" for k, name in enumerate(names)]
    law = (f"1 - {out[0]}", *(f"{before} - {own}" for before, own in zip(out, out[1:], strict=False)))
    return _case("vessels", names, law, tuple(float(k % 3) for k in range(count)), 10.0)


def _case(name: str, states: Sequence[str], law: Sequence[str], start: tuple[float, ...], end: float) -> Case:
    variables = tuple(Variable(state, state) for state in states)
    return Case(name, name, "", variables, tuple(law), (start,), (0.0, end), (0.0, end), POINTS)


def discovered(case: Case, noise: float) -> Row:
    """Discover the law in these rows, in this process."""
    store = MemoryStore()
    run = runs.start(store, problem_of(campaign.Task("paper", case, noise=noise)))
    before = time.process_time()
    runs.step_once(store, run)
    step = time.process_time() - before
    done = runs.auto(store, run)
    whole = time.process_time() - before
    right = exact(case, fits_of(done.state))
    return {
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
    """Return a table for each thing that grows."""
    return [part for by in dict.fromkeys(row["by"] for row in rows) for part in _table(rows, by)]


def _table(rows: Sequence[Row], by: str) -> tuple[str, str]:
    head = (by, "step CPU s", "discovery CPU s", "peak MiB", "iterations", "equations right")
    lines = [
        (
            f"{100.0 * row['size']:g} %" if by == "noise" else f"{row['size']:,}",
            f"{row['step_cpu_s']:.1f}",
            f"{row['discovery_cpu_s']:.1f}",
            f"{row['peak_mib']:.0f}",
            row["iterations"],
            f"{row['right']} of {row['equations']}",
        )
        for row in rows
        if row["by"] == by
    ]
    return f"## {by.capitalize()}", report.table(head, lines)


BENCHMARK = Benchmark("scale", "Seconds and memory against rows, states, terms and noise", __doc__, measure, page)
