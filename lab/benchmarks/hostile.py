"""What hostile strings cost: `python -m lab hostile [--count 20000]`.

Every string, as a language model or a person might send it as a term, goes through the parser: walks along attributes,
calls, comprehensions, look-alike and invisible letters, huge numbers, deep nesting, towers of powers, long sums, noise,
two in five of them mutated. The time is that of the parser's call, the memory the largest that Python's allocator had
for it (tracemalloc, in a second pass, so that it does not slow the first). The audit of the interpreter counts what
was executed, imported or opened meanwhile.
"""

import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator, Sequence

from dolq_core.errors import TermError
from dolq_core.terms import parse_term
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from tests.terms.hostile import hostile
from tests.terms.strategies import SYMBOLS
from tests.terms.test_hostile import LISTENING

LONGEST_MS, MOST_MB = 50.0, 50.0
OUTCOMES = ("refused", "without a reason", "accepted")


def measure(count: int) -> Iterator[Row]:
    """Read them all twice."""
    texts = list(hostile(count))
    with LISTENING as heard:
        times, outcomes = _timed(texts)
    yield {
        "strings": len(texts),
        **{outcome: outcomes[outcome] for outcome in OUTCOMES},
        "executed": len(heard),
        "longest_ms": max(times),
        "largest_mb": max(_measured(texts)),
    }


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    (row,) = rows
    lines = [
        ("strings", f"{row['strings']:,}"),
        ("refused, each with a reason", f"{row['refused']:,}"),
        ("refused without one", f"{row['without a reason']:,}"),
        ("accepted as arithmetic", f"{row['accepted']:,}"),
        ("executed, imported or opened", f"{row['executed']}"),
        ("longest, ms", f"{row['longest_ms']:.1f} (bound {LONGEST_MS:.0f})"),
        ("largest, MB", f"{row['largest_mb']:.2f} (bound {MOST_MB:.0f})"),
    ]
    return [report.table(("", ""), lines)]


def _timed(texts: list[str]) -> tuple[list[float], Counter[str]]:
    times: list[float] = []
    outcomes: Counter[str] = Counter()
    for text in texts:
        began = time.perf_counter()
        outcome = _outcome(text)
        times.append(1000.0 * (time.perf_counter() - began))
        outcomes[outcome] += 1
    return times, outcomes


def _outcome(text: str) -> str:
    try:
        parse_term(text, SYMBOLS)
    except TermError as error:
        return "refused" if error.reason else "without a reason"
    return "accepted"


def _measured(texts: list[str]) -> list[float]:
    found: list[float] = []
    tracemalloc.start()
    for text in texts:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        _outcome(text)
        found.append((tracemalloc.get_traced_memory()[1] - before) / 1e6)
    tracemalloc.stop()
    return found


BENCHMARK = Benchmark("hostile", "Hostile strings as terms", __doc__, measure, page, {"count": 20_000})
