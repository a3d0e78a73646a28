"""What "settled" is worth under noise: `python -m lab settled`.

Every system of the suites with a known law, one run of its data, white noise in units of each state's own standard
deviation, with its description and without, built-in agents in auto mode; a process for each core. Exact: all terms of
all equations and no others, constants inside them within 5 %. A law counts as settled when every equation is. It
simulates right when its NMSE stays below 1e-2 from every start of the system, its own and others, on the span of the
data; a law that is not exact can be the same function in other words, and then it simulates right. The suites have been
tuned on (docs/scaling.md), except where it says otherwise.
"""

import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from statistics import mean, median

from dolq_core.records import Entry
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.looping import run_loop

SUITES = "paper textbook open"
NOISE = (0.01, 0.02, 0.05)
RIGHT = 1e-2


def measure(suites: str, seeds: int) -> Iterator[Row]:
    """Run every system at every level of noise, with and without its description."""
    tasks = [
        campaign.Task(suite, case, noise=noise, words=words, seed=seed)
        for suite in suites.split()
        for case, noise, words, seed in product(campaign.read_suite(suite), NOISE, ("given", "none"), range(seeds))
    ]
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(outcome, tasks)


def outcome(task: campaign.Task) -> Row:
    """Run one task, and say what came of it."""
    before = time.process_time()
    log: list[Entry] = []
    result = run_loop(task, log)
    cpu = time.process_time() - before
    worst = max((v for one in result.scores if one.span == "id" for v in one.integral), default=1e9)
    return {
        "suite": task.suite,
        "system": task.case.id,
        "noise": task.noise,
        "words": task.words,
        "seed": task.seed,
        "exact": result.exact,
        "settled": all(status == "settled" for status in result.statuses),
        "claimed": any(status != "none" for status in result.statuses),
        "worst": min(float(worst), 1e9),
        "cpu_s": round(cpu, 1),
        "law": list(result.law),
    }


def page(rows: Sequence[Row]) -> list[str]:
    """Return the tables."""
    keys = sorted({(row["suite"], row["noise"], row["words"]) for row in rows})
    lines = [_line((suite, f"{noise:.0%}", words), _of(rows, suite, noise, words)) for suite, noise, words in keys]
    lines.append(_line(("all", "", ""), rows))
    head = (
        "suite", "noise", "words", "runs", "exact", "settled", "exact and settled", "settled, not exact",
        "of these simulate wrong", "settled: right from every start", "CPU s, median", "mean",
    )  # fmt: skip
    wrong = [row for row in rows if row["settled"] and not row["exact"]]
    said = [
        (row["suite"], row["system"], f"{row['noise']:.0%}", row["words"], f"{row['worst']:.1e}",
         "; ".join(f"`{text}`" for text in row["law"]))
        for row in wrong
    ]  # fmt: skip
    listed = report.table(("suite", "system", "noise", "words", "worst NMSE", "law"), said)
    return [report.table(head, lines), "## Settled and not exact", listed]


def _of(rows: Sequence[Row], suite: str, noise: float, words: str) -> list[Row]:
    return [row for row in rows if (row["suite"], row["noise"], row["words"]) == (suite, noise, words)]


def _line(first: tuple[str, ...], rows: Sequence[Row]) -> tuple[object, ...]:
    settled = [row for row in rows if row["settled"]]
    wrong = [row for row in settled if not row["exact"]]
    cpu = [row["cpu_s"] for row in rows]
    return (
        *first,
        len(rows),
        sum(row["exact"] for row in rows),
        len(settled),
        len(settled) - len(wrong),
        len(wrong),
        sum(row["worst"] > RIGHT for row in wrong),
        sum(row["worst"] <= RIGHT for row in settled),
        f"{median(cpu):.1f}",
        f"{mean(cpu):.1f}",
    )


BENCHMARK = Benchmark(
    "settled", 'What "settled" is worth', __doc__, measure, page, options={"suites": SUITES, "seeds": 1}
)
