"""How often "Words and data disagree" is said of the right words, and of wrong ones: `python -m lab accused`.

The systems of four suites, clean, built-in agents in auto mode: each with its own description, and with that of the
next system of its suite. Told: it is said after the last iteration, of the whole or of a term. One of the systems,
`wrong-description-pendulum`, has a wrong description as its own. The suites have been tuned on, and so has the share of
words that have to be answered (`dolq_core/agents/builtin/conflicts.py`).
"""

from collections.abc import Iterator, Sequence
from itertools import product

from dolq_core import loop
from dolq_core.records import Entry
from lab import campaign
from lab.benchmarks import report, settled
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.looping import run_loop

SUITES = ("paper", "textbook", "open", "strangers")
WORDS = {"given": "its own", "of the next": "of another system"}


def measure() -> Iterator[Row]:
    """Run every system with both descriptions."""
    tasks = [
        campaign.Task(suite, case, words=words, seed=settled.draw(case.id, 0))
        for suite in SUITES
        for words, case in product(("given", "of the next"), campaign.read_suite(suite))
    ]
    yield from pooled(outcome, tasks)


def outcome(task: campaign.Task) -> Row:
    """Run one system, and say whether its words are told to disagree with the data."""
    log: list[Entry] = []
    result = run_loop(task, log)
    last = loop.replay(log).last
    said = last.evaluation.review.conflict if last is not None else ""
    return {"suite": task.suite, "system": task.case.id, "words": task.words, "told": said, "exact": result.exact}


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table, and what was said of the right words."""
    lines: list[tuple[object, ...]] = []
    for words, called in WORDS.items():
        some = [row for row in rows if row["words"] == words]
        told = [row for row in some if row["told"]]
        low, high = report.wilson(len(told), len(some))
        exact = sum(row["exact"] for row in some)
        lines.append((called, len(some), exact, len(told), f"{low:.0%} to {high:.0%}"))
    falsely = [(row["suite"], row["system"], row["told"]) for row in rows if row["told"] and row["words"] == "given"]
    return [
        report.table(("description", "systems", "exact laws", "told to disagree", "95 % interval"), lines),
        *([report.table(("suite", "system", "said of its own description"), falsely)] if falsely else []),
    ]


BENCHMARK = Benchmark("accused", "Words that are said to disagree with the data", __doc__, measure, page, {})
