"""Laws that nobody had seen, drawn at random: `python -m lab drawn`.

Anybody can draw others: `--first` is the seed of the first one. Terms come as often as the true laws of all suites have
them (the page [kinds](kinds.md)), one to four in an equation of one to three states, with a rhythm in a fifth of the
laws and one flow in two equations in half of those with several states; numbers, start and span are drawn as well. Kept
are laws that can be followed, in which every state moves, still late in the run, and every term does what no others of
its equation do (`lab/campaign/drawn.py`); what is not kept is drawn anew, number of states and all, so that two laws of
three have one state. One run of 200, 300 or 500 samples, clean and with 2 % noise, no description, built-in agents in
auto mode. Right, settled: as on the page [settled](settled.md). Search, tie and data: of the wrong laws under noise, as
on the page [lost](lost.md).
"""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import median

from lab import campaign
from lab.benchmarks import kinds, lost, report, settled
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.drawn import drawn

NOISE = (0.0, 0.02)


def measure(folder: Path, first: int, systems: int) -> Iterator[Row]:
    """Run so many laws, from this seed on."""
    shares = {row["kind"]: row["terms"] + kinds.HALF for row in kinds.BENCHMARK.read(folder)["rows"]}
    cases = [drawn(seed, shares) for seed in range(first, first + systems)]
    tasks = [
        campaign.Task("drawn", case, noise=noise, words="none", seed=settled.draw(case.id, 0))
        for noise, case in product(NOISE, cases)
    ]
    yield from pooled(outcome, tasks)


def outcome(task: campaign.Task) -> Row:
    """Run one law, and say of a wrong one whether the search lost it."""
    row = settled.outcome(task)
    verdict = lost.compared(task, row)["verdict"] if task.noise and not row["right"] else ""
    return {**row, "true": list(task.case.equations), "verdict": verdict}


def page(rows: Sequence[Row]) -> list[str]:
    """Return the tables."""
    keys = sorted({(row["noise"], len(row["true"])) for row in rows})
    lines = [
        _line(f"{noise:.0%}", str(d), [row for row in rows if (row["noise"], len(row["true"])) == (noise, d)])
        for noise, d in keys
    ]
    lines += [_line(f"{noise:.0%}", "all", [row for row in rows if row["noise"] == noise]) for noise in NOISE]
    head = ("noise", "states", "runs", "right", "settled", "settled and wrong", *lost.VERDICTS, "CPU s, median", "most")
    wrong = [
        (
            row["system"],
            f"{row['noise']:.0%}",
            "settled" * row["settled"],
            row["verdict"],
            _said(row["true"]),
            _said(row["law"]),
        )
        for row in rows
        if not row["right"] and (row["settled"] or row["verdict"] != lost.TIE)
    ]
    return [
        report.table(head, lines),
        "## Wrong, and settled or no tie",
        report.table(("law", "noise", "", "", "true", "found"), wrong),
    ]


def _line(noise: str, states: str, rows: Sequence[Row]) -> tuple[object, ...]:
    claimed = [row for row in rows if row["settled"]]
    counts = [sum(row["verdict"] == verdict for row in rows) for verdict in lost.VERDICTS]
    cpu = [row["cpu_s"] for row in rows]
    return (
        noise,
        states,
        len(rows),
        sum(row["right"] for row in rows),
        len(claimed),
        sum(not row["right"] for row in claimed),
        *counts,
        f"{median(cpu):.1f}",
        f"{max(cpu):.1f}",
    )


def _said(equations: Sequence[str]) -> str:
    return "; ".join(f"`{text}`" for text in equations)


BENCHMARK = Benchmark(
    "drawn",
    "Laws drawn at random",
    __doc__,
    measure,
    page,
    options={"folder": report.RUNS, "first": 1000, "systems": 60},
)
