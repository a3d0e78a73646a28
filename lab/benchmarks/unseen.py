"""Systems that nobody had seen: `python -m lab unseen`.

The suite `aside`: 20 systems of further fields, written together with `fields` and divided at random, which nobody who
worked on the search had read or run. One run of its data, clean and with 2 % noise, with its description and without;
all else as on the page [settled](settled.md). It was run once, after the search was finished, and nothing was changed
for it before this page was written; a second run would be one on systems that were seen.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from lab import campaign
from lab.benchmarks import settled
from lab.benchmarks.kept import pooled
from lab.benchmarks.report import Benchmark, Row

NOISE = (0.0, 0.02)


def measure(suite: str) -> Iterator[Row]:
    """Run every system."""
    cases = campaign.read_suite(suite)
    tasks = [
        campaign.Task(suite, case, noise=noise, words=words, seed=settled.draw(case.id, 0))
        for noise, words, case in product(NOISE, ("given", "none"), cases)
    ]
    yield from pooled(settled.outcome, tasks)


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table, and what was settled and is not the law."""
    return settled.page(rows)[:3]


BENCHMARK = Benchmark("unseen", "Systems that nobody had seen", __doc__, measure, page, {"suite": "aside"})
