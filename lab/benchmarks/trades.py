"""The third suite that nobody had seen: `python -m lab trades`.

The suite `trades-aside`: 20 systems of the sciences, engineering and teaching, by somebody who had not read the search,
divided at random from `trades`; some descriptions are vague or wrong. Nobody who worked on the search had read or run
it. One run of its data, clean and with 2 % noise, with its description and without; all else as on the page
[settled](settled.md). It was run once, after the changes that `trades` and `workshop` brought (decision 016), and
nothing was changed for it before this page was written.
"""

from lab.benchmarks import unseen
from lab.benchmarks.report import Benchmark

BENCHMARK = Benchmark(
    "trades", "The third suite that nobody had seen", __doc__, unseen.measure, unseen.page, {"suite": "trades-aside"}
)
