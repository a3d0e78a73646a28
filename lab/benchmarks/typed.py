"""Descriptions as people type them, on systems that nobody had seen: `python -m lab typed`.

The suite `typed-aside`: 17 systems by somebody who had not read the search, with descriptions as exact or as loose as
people type them, some vague or wrong; the other half, divided by turns, is `typed`. Nobody who worked on the search had
read or run it. One run of its data, clean and with 2 % noise, with its description and without; all else as on the page
[settled](settled.md). It was run once, after the phrases that name the shape of a term (decision 007); what it showed
was mended afterwards (decision 016), and these rows are of the program before.
"""

from lab.benchmarks import unseen
from lab.benchmarks.report import Benchmark

BENCHMARK = Benchmark(
    "typed", "Descriptions as people type them", __doc__, unseen.measure, unseen.page, {"suite": "typed-aside"}
)
