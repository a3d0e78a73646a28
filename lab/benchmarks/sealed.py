"""The second suite that nobody had seen: `python -m lab sealed`.

The suite `sealed`: 20 systems with sources, names, units and descriptions as people write them, by somebody who had
not read the search, divided at random from `strangers`; one description is wrong about a mechanism. Nobody who worked
on the search had read or run it. One run of its data, clean and with 2 % noise, with its description and without; all
else as
on the page [settled](settled.md). It was run once, after the changes that `strangers` brought and those that name equal
laws once (decision 016), and nothing was changed for it before this page was written.
"""

from lab.benchmarks import unseen
from lab.benchmarks.report import Benchmark

BENCHMARK = Benchmark(
    "sealed", "The second suite that nobody had seen", __doc__, unseen.measure, unseen.page, {"suite": "sealed"}
)
