"""What each part of the search earns: `python -m lab switches`.

One part is switched off at a time, and only where it did something: where a part took no step in the search with every
part, that search is its own outcome. All suites have been tuned on, so a part that earns nothing here is one that can
go; one that earns is not proven elsewhere.

Under noise the search for whole systems alone is run, with descriptions: the open suite at 2 and 5 %, `--seeds` draws
of each, and one draw at 2 % of the other suites. A part that no step tells of (a size, a number of sets) is switched
off in the first draw of the open suite at 2 %. Exact: the terms of the best system are the true ones, constants inside
them within 5 %. Worse: its description of the samples is longer, by more than half a nat, than that of the best system
with every part; worst: by how much at most, where both follow stretches of one length; better likewise. CPU: of these
searches, beside that with every part.

Without noise built-in agents run in auto mode, with descriptions, on every third system of every suite; one that takes
more than twenty seconds is left out. Right: the true law, or the same function in other words.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import product
from statistics import mean
from typing import Any
from unittest.mock import patch

from dolq_core import loop
from dolq_core.agents.builtin import pursuing, pursuit, search, subsets
from dolq_core.agents.builtin.exact import Exact
from dolq_core.agents.builtin.pursuit import Pursuit
from dolq_core.agents.builtin.search import _Search  # pyright: ignore[reportPrivateUsage]
from dolq_core.agents.builtin.sets import Sets
from dolq_core.fitting.prior import Prior
from dolq_core.records import Settings, Start
from dolq_core.runs import bench_of
from lab import campaign
from lab.benchmarks import report, settled
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.benchmarks.settled import draw
from lab.campaign.laws import exact
from lab.campaign.looping import problem_of

ALL = "nothing"
OPEN, NOISE = "open", (0.02, 0.05)
OTHERS = "trades workshop typed"
"""Suites of which one draw at the first of the levels is searched."""
CLEAN = "paper textbook open strangers fields aside sealed trades workshop trades-aside typed typed-aside disciplines"
EVERY = 3
"""Which of the clean systems: every third one."""
LONG = 20.0
"""Seconds from which a clean system is left out."""
SHORTER = 0.5
"""Nats from which one description is shorter than another."""


@dataclass(frozen=True, slots=True)
class Part:
    """What can be switched off: `name` of `where` becomes `off`. acted: what a step of it looks like, None: no step."""

    where: Any
    name: str
    off: Any
    acted: Callable[[Any, Sequence[Any], float, Any], bool] | None = None


def _gained(owner: Any, _: Sequence[Any], least: float, __: Any) -> bool:
    return owner.least < least


def _found(_: Any, __: Sequence[Any], ___: float, result: Any) -> bool:
    return bool(result)


def _changed(_: Any, arguments: Sequence[Any], __: float, result: Any) -> bool:
    return result is not arguments[0]


def _nothing(*_: Any) -> None:
    return None


def _none(*_: Any) -> list[Any]:
    return []


def _same(_: Any, fit: Any) -> Any:
    return fit


NOISY: Mapping[str, Part] = {
    "another term in the place of one that is not plain": Part(Pursuit, "_replace", _nothing, _gained),
    "special values of inner parameters": Part(Pursuit, "_simplify", _nothing, _gained),
    "single terms left out": Part(Pursuit, "_prune", _nothing, _gained),
    "what leaves the other equations enters": Part(Pursuit, "_close", _nothing, _gained),
    "an equation as the image of another": Part(Pursuit, "_mirror", _nothing, _gained),
    "systems with fewer terms to begin with": Part(pursuit, "sparser", _none, _found),
    "a cubic first reference, equations alone": Part(pursuit, "HIGHEST", pursuit.LOWEST),
    "swaps in sets": Part(subsets, "SWAPS", 0),
    "inner parameters beside variables and a constant": Part(subsets, "PARTNERS", 0),
    "sets with one term with inner parameters": Part(subsets, "SINGLE", 0),
}
NOISELESS: Mapping[str, Part] = {
    "sets of plain terms that grow by themselves": Part(_Search, "_grown_plain", _none, _found),
    "swaps in sets": Part(search, "swapped", lambda _, chosen, __: chosen, lambda _, a, __, r: r != a[1]),
    "the terms of another equation beside a linear law": Part(Sets, "beside", lambda *_: (), _found),
    "promising terms beside a quadratic law": Part(Sets, "beside_quadratic", _none, _found),
    "promising terms beside a cubic law": Part(Sets, "beside_cubic", _none, _found),
    "several numbers inside, beside the state's decay": Part(_Search, "_beside_decay", _none, _found),
    "plain terms anew beside what a law holds": Part(Sets, "regrown", _none, _found),
    "one term in the place of several": Part(_Search, "_shorten", _nothing, _gained),
    "special values of inner parameters": Part(Exact, "simplified", _same, _changed),
    "an S-shaped curve turned round": Part(Exact, "_mirrored", _none, _found),
    "plain terms for what imitates them": Part(Exact, "without_aliases", _same, _changed),
    "one number in terms of one form": Part(Exact, "_from_one_value", _same, _changed),
}


def measure(seeds: int) -> Iterator[Row]:
    """Search every system with every part, then with each part switched off where it took a step."""
    clean = [
        campaign.Task(suite, case, words="given", seed=draw(case.id, 0))
        for suite in CLEAN.split()
        for case in campaign.read_suite(suite)
    ][::EVERY]
    whole = list(pooled(run, [ALL] * len(clean), clean))
    yield from whole
    yield from pooled(run, *_switched(NOISELESS, whole, clean, len(clean)))
    noisy = [
        campaign.Task(OPEN, case, noise=noise, words="given", seed=draw(case.id, seed))
        for seed, noise, case in product(range(seeds), NOISE, campaign.read_suite(OPEN))
    ]
    noisy += [
        campaign.Task(suite, case, noise=NOISE[0], words="given", seed=draw(case.id, 0))
        for suite in OTHERS.split()
        for case in campaign.read_suite(suite)
    ]
    whole = list(pooled(searched, [ALL] * len(noisy), noisy))
    yield from whole
    yield from pooled(searched, *_switched(NOISY, whole, noisy, len(campaign.read_suite(OPEN))))


def _switched(
    parts: Mapping[str, Part], whole: Sequence[Row], tasks: Sequence[campaign.Task], first: int
) -> tuple[list[str], list[campaign.Task]]:
    """What to run again: where a part took a step, and the first tasks where no step tells."""
    again = [
        (name, task)
        for name, part in parts.items()
        for k, (row, task) in enumerate(zip(whole, tasks, strict=True))
        if (row["noise"] or row["cpu_s"] < LONG) and (name in row["steps"] if part.acted else k < first)
    ]
    return [name for name, _ in again], [task for _, task in again]


@contextmanager
def _switches(part: str, parts: Mapping[str, Part], steps: set[str]) -> Iterator[None]:
    """Switch off a part; where it is none, note in `steps` which of them took a step."""
    with ExitStack() as stack:
        for name, one in parts.items():
            if name == part:
                stack.enter_context(patch.object(one.where, one.name, one.off))
            elif part == ALL and one.acted:
                stack.enter_context(patch.object(one.where, one.name, _watched(name, one, steps)))
        yield


def _watched(name: str, part: Part, steps: set[str]) -> Callable[..., Any]:
    original, acted = getattr(part.where, part.name), part.acted
    is_method = isinstance(part.where, type)

    def watched(*arguments: Any) -> Any:
        least = getattr(arguments[0], "least", 0.0)
        result = original(*arguments)
        if acted and acted(arguments[0], arguments[1:] if is_method else arguments, least, result):
            steps.add(name)
        return result

    return watched


def searched(part: str, task: campaign.Task) -> Row:
    """Search one noisy system without a part."""
    problem, settings, steps = problem_of(task), Settings(), set[str]()
    bench, state = bench_of(problem.dataset, settings), loop.begin(Start(problem, settings, task.seed))
    libraries = [pursuing.library_of(state, bench, j) for j in range(bench.d)]
    before = time.process_time()
    with _switches(part, NOISY, steps):
        whole = Pursuit(bench.whole, bench.new_likelihoods(), Prior(problem), libraries, settings.max_terms)
        found = whole.run()
    cpu = time.process_time() - before
    fits = [replace(bench.null(j), terms=terms) for j, terms in enumerate(found[0].system)] if found else []
    return {
        **_head(part, task),
        "right": all(exact(task.case, fits)),
        "nats": round(whole.like.length(found[0], whole.prior), 2) if found else None,
        "level": list(whole.likes).index(whole.like),
        "cpu_s": round(cpu, 1),
        "steps": sorted(steps),
    }


def run(part: str, task: campaign.Task) -> Row:
    """Run one clean system without a part."""
    steps = set[str]()
    with _switches(part, NOISELESS, steps):
        row = settled.outcome(task)
    said = {"right": row["right"], "settled": row["settled"], "cpu_s": row["cpu_s"], "steps": sorted(steps)}
    return {**_head(part, task), **said}


def _head(part: str, task: campaign.Task) -> dict[str, Any]:
    return {"part": part, "suite": task.suite, "system": task.case.id, "noise": task.noise, "seed": task.seed}


def page(rows: Sequence[Row]) -> list[str]:
    """Return the tables."""
    noisy: list[tuple[object, ...]] = []
    for part in (ALL, *NOISY):
        pairs = _pairs([row for row in rows if row["noise"]], part)
        lost = [_lost(row, full) for row, full in pairs]
        known = [nats for nats in lost if nats is not None]
        worse, better = sum(v > SHORTER for v in known) + lost.count(None), sum(v < -SHORTER for v in known)
        counts = (*_right(pairs, "right"), worse, f"{max(known, default=0.0):.1f}", better)
        noisy.append((part, len(pairs), *counts, _cpu(pairs)))
    clean: list[tuple[object, ...]] = []
    for part in (ALL, *NOISELESS):
        pairs = _pairs([row for row in rows if not row["noise"]], part)
        clean.append((part, len(pairs), *_right(pairs, "right"), *_right(pairs, "settled"), _cpu(pairs)))
    head = ("searches", "exact without it", "with it", "worse", "worst, nats", "better", "CPU")
    short = ("runs", "right without it", "with it", "settled without it", "with it", "CPU")
    return [
        "## Under noise",
        report.table(("switched off", *head), noisy),
        "## Without noise",
        report.table(("switched off", *short), clean),
    ]


def _pairs(rows: Sequence[Row], part: str) -> list[tuple[Row, Row]]:
    """Each run without a part, beside that with every part."""
    whole = {_task(row): row for row in rows if row["part"] == ALL}
    return [(row, whole[_task(row)]) for row in rows if row["part"] == part]


def _task(row: Row) -> tuple[object, ...]:
    return row["suite"], row["system"], row["noise"], row["seed"]


def _right(pairs: Sequence[tuple[Row, Row]], what: str) -> tuple[int, int]:
    return sum(row[what] for row, _ in pairs), sum(full[what] for _, full in pairs)


def _cpu(pairs: Sequence[tuple[Row, Row]]) -> str:
    return f"{mean(row['cpu_s'] / max(full['cpu_s'], 0.1) for row, full in pairs):.2f}" if pairs else ""


def _lost(row: Row, full: Row) -> float | None:
    """Nats by which a description is longer; None where it is of shorter stretches, or of nothing."""
    if row["nats"] is None or full["nats"] is None or row["level"] != full["level"]:
        less = full["nats"] is not None and (row["nats"] is None or row["level"] > full["level"])
        return None if less else 0.0 if row["nats"] == full["nats"] else -2.0 * SHORTER
    return row["nats"] - full["nats"]


BENCHMARK = Benchmark("switches", "What each part of the search earns", __doc__, measure, page, {"seeds": 1})
