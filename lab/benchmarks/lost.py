"""Was a wrong law lost by the search, or is it beyond the data? `python -m lab lost`.

Every wrong law under noise of the pages [settled](settled.md), [redrawn](redrawn.md), [unseen](unseen.md),
[sealed](sealed.md), [trades](trades.md), [typed](typed.md), [disciplines](disciplines.md), [notebooks](notebooks.md),
[practice](practice.md), [benchtop](benchtop.md), [college](college.md), [seminar](seminar.md),
[bookshelf](bookshelf.md), [examiners](examiners.md), [judges](judges.md), [clinic](clinic.md), [panel](panel.md),
[viva](viva.md) and [audit](audit.md), as their rows have it, beside the true one: both are fitted to the very samples
of that run, all their numbers free, simulated over whole runs, or over shorter stretches where neither can be followed
so far. Compared is half of the Bayesian information criterion (Schwarz, 1978): the nats of the samples and log(n)/2 for
each number, nothing else of what the search goes by. Search: the true law is ahead by more than 6 nats, so that a
better search would have found it. Tie: within 6 nats these samples cannot tell the two. Data: the wrong law is ahead by
more, and only other data, or knowledge, could help. Not compared: neither is followed, or the wrong law has an exponent
that nobody may type.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf, log
from pathlib import Path

from dolq_core.errors import FitError, TermError
from dolq_core.fitting.likelihood import Likelihood
from dolq_core.fitting.whole_runs import System, numbers_of
from dolq_core.laws import law_of_texts
from dolq_core.records import FittedTerm, Settings
from dolq_core.runs import bench_of
from dolq_core.terms import Skeleton
from lab import campaign
from lab.benchmarks import once, report, settled
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.laws import Law, names_of, true_law
from lab.campaign.looping import problem_of

SOURCES = (*settled.PAGES, *once.PAGES)
NATS = 6.0
"""As far as a rival of a settled law is behind it."""
FAR = 1e9
"""Nats for a law beside one that cannot be followed."""
VERDICTS = SEARCH, TIE, DATA, OPEN = ("search", "tie", "data", "not compared")
_NUMBER = re.compile(r"(?<![\w.])\d+\.\d*(?:e[-+]?\d+)?(?![\w.])")
"""A number inside a term that is fitted: an integer is part of the structure, as in x**2."""


def measure(folder: Path) -> Iterator[Row]:
    """Compare the wrong laws of every page with the true ones."""
    runs = [(one.name, row) for one in SOURCES for row in one.read(folder)["rows"] if row["noise"]]
    wrong = [(name, row) for name, row in runs if not row["right"]]
    found = pooled(outcome, [row for _, row in wrong])
    for name, count in Counter(name for name, _ in runs).items():
        yield {"page": name, "runs": count}
    for (name, row), compared in zip(wrong, found, strict=True):
        yield {"page": name, **{key: row[key] for key in ("suite", "system", "noise", "words", "settled")}, **compared}


def outcome(row: Row) -> Row:
    """Fit the true law and the one that was found to the samples of one run."""
    case = next(one for one in campaign.read_suite(row["suite"]) if one.id == row["system"])
    return compared(campaign.Task(row["suite"], case, noise=row["noise"], words=row["words"], seed=row["seed"]), row)


def compared(task: campaign.Task, row: Row) -> Row:
    """Fit the true law of a task and the one in a row to the samples of the task."""
    case = task.case
    try:
        found = law_of_texts(row["law"], names_of(case))
    except TermError:
        return {"verdict": OPEN, "ahead": None}
    likes = bench_of(problem_of(task).dataset, Settings()).new_likelihoods()
    ahead = _ahead(likes, true_law(case), found)
    if ahead is None:
        return {"verdict": OPEN, "ahead": None}
    verdict = TIE if abs(ahead) <= NATS else SEARCH if ahead > 0.0 else DATA
    return {"verdict": verdict, "ahead": round(max(min(ahead, FAR), -FAR), 1)}


def freed(law: Law) -> System:
    """Return a law with every number in it to be fitted, from its own value."""
    return tuple(tuple(_freed(skeleton, value) for skeleton, value, _ in parts) for parts in law)


def _freed(skeleton: Skeleton, value: float) -> FittedTerm:
    inner = [float(text) for text in _NUMBER.findall(skeleton)]
    names = iter(range(len(inner)))
    return FittedTerm(Skeleton(_NUMBER.sub(lambda _: f"params[{next(names)}]", skeleton)), value, inner=tuple(inner))


def _ahead(likes: Sequence[Likelihood], true: Law, found: Law) -> float | None:
    """Return the nats by which the true law is ahead on the longest stretches over which one is followed, if any."""
    for like in likes:
        lengths = [_length(like, one) for one in (true, found)]
        if min(lengths) < inf:
            return lengths[1] - lengths[0]
    return None


def _length(like: Likelihood, law: Law) -> float:
    """Nats of a law with all numbers free; with its exponents and the like as they stand where that comes nowhere."""
    length = _followed(like, freed(law))
    as_it_stands = tuple(tuple(FittedTerm(skeleton, value) for skeleton, value, _ in parts) for parts in law)
    return length if length < inf else _followed(like, as_it_stands)


def _followed(like: Likelihood, system: System) -> float:
    try:
        fitted = like.judged(system)
    except FitError:
        return inf
    return fitted.fit + len(numbers_of(system)) * log(like.samples) / 2 if like.is_whole(fitted) else inf


def counted(rows: Sequence[Row]) -> dict[str, tuple[int, int]]:
    """Return of each page how many runs it has, and how many of them the search lost."""
    missed = Counter(row["page"] for row in rows if row.get("verdict") == SEARCH)
    return {row["page"]: (row["runs"], missed[row["page"]]) for row in rows if "runs" in row}


def page(rows: Sequence[Row]) -> list[str]:
    """Return the tables."""
    counts = {row["page"]: row["runs"] for row in rows if "runs" in row}
    wrong = [row for row in rows if "verdict" in row]
    lines = [
        _line(f"[{name}]({name}.md)", count, [r for r in wrong if r["page"] == name]) for name, count in counts.items()
    ]
    head = ("page", "runs with noise", "wrong", *VERDICTS, "lost by the search, of all runs")
    told = [
        (
            row["suite"],
            row["system"],
            f"{row['noise']:.0%}",
            row["words"],
            "yes" if row["settled"] else "",
            f"{row['ahead']:g}",
        )
        for row in wrong
        if row["verdict"] == SEARCH
    ]
    return [
        report.table(head, [*lines, _line("all", sum(counts.values()), wrong)]),
        "## Lost by the search",
        report.table(("suite", "system", "noise", "words", "settled", "nats by which the true law is ahead"), told),
    ]


def _line(name: str, count: int, wrong: Sequence[Row]) -> tuple[object, ...]:
    of = Counter(row["verdict"] for row in wrong)
    low, high = report.wilson(of[SEARCH], count)
    share = f"{of[SEARCH] / count:.0%} ({low:.0%} to {high:.0%})"
    return (name, count, len(wrong), *(of[verdict] for verdict in VERDICTS), share)


BENCHMARK = Benchmark("lost", "Lost by the search, or beyond the data", __doc__, measure, page, {"folder": report.RUNS})
