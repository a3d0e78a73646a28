"""The fifth suite that nobody had seen: `python -m lab disciplines`.

The suite `disciplines-aside`: 18 systems of further subjects by somebody who had not read the search, with descriptions
from careful to vague and wrong; the other half, divided by turns, is `disciplines`. Nobody who worked on the search had
read or run it. One run of its data, clean and with 2 % noise, with its description and without; all else as on the page
[settled](settled.md). It was run once, after what `disciplines` brought (decision 016, rhythms whose phase is free),
and nothing was changed for it before this page was written.
"""

from lab.benchmarks import unseen
from lab.benchmarks.report import Benchmark

BENCHMARK = Benchmark(
    "disciplines",
    "The fifth suite that nobody had seen",
    __doc__,
    unseen.measure,
    unseen.page,
    {"suite": "disciplines-aside"},
)
