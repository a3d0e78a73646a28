"""What each part of the search under noise earns: `python -m lab switches`.

The open suite, one run of each system at each level of noise, with its description; the search for whole systems
alone, with one part switched off at a time. Exact: the terms of the best system are the true ones, constants inside
them within 5 %. Worse: its description of the samples is longer, by more than half a nat, than that of the best
system with every part; worst: by how much at most; better likewise. CPU: of the search, beside that with every part,
mean of the ratios. The suite has been tuned on, so a part that earns nothing here is one that can go; one that earns
is not proven elsewhere.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from statistics import mean
from typing import Any
from unittest.mock import patch

from dolq_core import loop
from dolq_core.agents.builtin import pursuing, pursuit, subsets
from dolq_core.agents.builtin.pursuit import Pursuit
from dolq_core.fitting.prior import Prior
from dolq_core.records import Settings, Start
from dolq_core.runs import bench_of
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.benchmarks.settled import draw
from lab.campaign.laws import exact
from lab.campaign.looping import problem_of

ALL = "nothing"
NOISE = (0.02, 0.05)
SHORTER = 0.5
"""Nats from which one description is shorter than another."""


def _without(*names: str) -> Mapping[tuple[Any, str], Any]:
    return {(Pursuit, name): lambda *_: None for name in names}


PARTS: Mapping[str, Mapping[tuple[Any, str], Any]] = {
    ALL: {},
    "another term in the place of one that is not plain": _without("_replace"),
    "special values of inner parameters": _without("_simplify"),
    "single terms left out": _without("_prune"),
    "what leaves the other equations enters": _without("_close"),
    "an equation as the image of another": _without("_mirror"),
    "a cubic first reference, equations alone": {(pursuit, "HIGHEST"): pursuit.LOWEST},
    "inner parameters beside variables and a constant": {(subsets, "PARTNERS"): 0},
    "sets with one term with inner parameters": {(subsets, "SINGLE"): 0},
    "numbers that lie between two starts": {(subsets, "BRIDGED"): 0},
    "a rhythm beside a linear law, before the sets": {(subsets, "DRIVEN"): 0},
    "numbers of earlier references as starts": {(pursuit, "REMEMBERED"): 0},
    "sparse systems where the first reference is poor": {(pursuit, "sparser"): lambda _: []},
    "a first reference that relaxes": {(pursuit, "relaxing"): lambda bench: pursuit.polynomials(bench, pursuit.LOWEST)},
    "a first reference with a rhythm": {(Pursuit, "_may_be_driven"): lambda *_: False},
    "a wider library where a rival is close": {(Pursuit, "_has_rival"): lambda _: False},
    "terms that a rhythm modulates": _without("_sway"),
    "terms outside the libraries": _without("_outside"),
}


def measure(suite: str, seeds: int) -> Iterator[Row]:
    """Search every system with each part switched off."""
    tasks = [
        (part, campaign.Task(suite, case, noise=noise, words="given", seed=draw(case.id, seed)))
        for seed, noise, case, part in product(range(seeds), NOISE, campaign.read_suite(suite), PARTS)
    ]
    yield from pooled(outcome, *zip(*tasks, strict=True))


def outcome(part: str, task: campaign.Task) -> Row:
    """Search one system without a part."""
    problem, settings = problem_of(task), Settings()
    bench, state = bench_of(problem.dataset, settings), loop.begin(Start(problem, settings, task.seed))
    libraries = [pursuing.library_of(state, bench, j) for j in range(bench.d)]
    before = time.process_time()
    with ExitStack() as off:
        for (where, name), value in PARTS[part].items():
            off.enter_context(patch.object(where, name, value))
        search = Pursuit(bench.whole, bench.new_likelihoods(), Prior(problem), libraries, settings.max_terms)
        found = search.run()
    cpu = time.process_time() - before
    fits = [replace(bench.null(j), terms=terms) for j, terms in enumerate(found[0].system)] if found else []
    return {
        "part": part,
        "system": task.case.id,
        "noise": task.noise,
        "seed": task.seed,
        "exact": all(exact(task.case, fits)),
        "nats": round(search.like.length(found[0], search.prior), 2) if found else None,
        "level": list(search.likes).index(search.like),
        "cpu_s": round(cpu, 1),
    }


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    whole = {_run(row): row for row in rows if row["part"] == ALL}
    lines: list[tuple[object, ...]] = []
    for part, noise in product(PARTS, NOISE):
        here = [row for row in rows if (row["part"], row["noise"]) == (part, noise) and _run(row) in whole]
        if not here:
            continue
        pairs = [(row, whole[_run(row)]) for row in here]
        lost = [_lost(row, full) for row, full in pairs]
        lines.append(
            (part, f"{noise:.0%}", len(here), sum(row["exact"] for row in here), _counted(lost, lambda v: v > SHORTER),
             f"{max(lost, default=0.0):.1f}", _counted(lost, lambda v: v < -SHORTER),
             f"{mean(row['cpu_s'] / max(full['cpu_s'], 0.1) for row, full in pairs):.2f}")
        )  # fmt: skip
    head = ("switched off", "noise", "searches", "exact", "worse", "worst, nats", "better", "CPU")
    return [report.table(head, lines)]


def _run(row: Row) -> tuple[object, ...]:
    return row["system"], row["noise"], row["seed"]


def _counted(values: Sequence[float], test: Callable[[float], bool]) -> int:
    return sum(map(test, values))


def _lost(row: Row, full: Row) -> float:
    """Nats by which a description is longer; by far where it is of shorter stretches, or of nothing."""
    if row["nats"] is None or full["nats"] is None:
        return 0.0 if row["nats"] == full["nats"] else (999.0 if row["nats"] is None else -999.0)
    return row["nats"] - full["nats"] if row["level"] == full["level"] else 999.0 * (row["level"] - full["level"])


BENCHMARK = Benchmark(
    "switches", "What each part of the search earns", __doc__, measure, page, {"suite": "open", "seeds": 1}
)
