"""The sixth suite that nobody had seen: `python -m lab notebooks`.

The suite `notebooks-aside`: 20 systems of many fields with the short names of a lab notebook, by somebody who had not
read the search; some descriptions are sloppy, empty or wrong. The other half, divided at random, is `notebooks`. Nobody
who worked on the search had read or run it. One run of its data, clean and with 2 % noise, with its description and
without; all else as on the page [settled](settled.md). It was run once, after what `notebooks` brought (a rhythm beside
many kin, drag in thinning air, a gate with its driving force, two camps), and nothing was changed for it before this
page was written.
"""

from lab.benchmarks import unseen
from lab.benchmarks.report import Benchmark

BENCHMARK = Benchmark(
    "notebooks",
    "The sixth suite that nobody had seen",
    __doc__,
    unseen.measure,
    unseen.page,
    {"suite": "notebooks-aside"},
)
