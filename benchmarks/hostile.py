"""What hostile strings cost: `python -m benchmarks.hostile [--count 20000]`.

Every string, as a language model or a person might send it as a term, goes through the parser: walks along attributes,
calls, comprehensions, look-alike and invisible letters, huge numbers, deep nesting, towers of powers, long sums, noise,
two in five of them mutated. The time is that of the parser's call, the memory the largest that Python's allocator had
for it (tracemalloc, in a second pass, so that it does not slow the first). The audit of the interpreter counts what
was executed, imported or opened meanwhile.
"""

import argparse
import sys
import time
import tracemalloc
from collections import Counter

from benchmarks import report
from dolq_core.errors import TermError
from dolq_core.terms import parse_term
from tests.terms.hostile import hostile
from tests.terms.strategies import SYMBOLS
from tests.terms.test_hostile import LISTENING

LONGEST_MS, MOST_MB = 50.0, 50.0


def main() -> None:
    """Read them all twice, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000)
    texts = list(hostile(parser.parse_args().count))
    with LISTENING as heard:
        times, outcomes = _timed(texts)
    memory = _measured(texts)
    slow, large = max(times), max(memory)
    rows = [
        ("strings", f"{len(texts):,}"),
        ("refused, each with a reason", f"{outcomes['refused']:,}"),
        ("accepted as arithmetic", f"{outcomes['accepted']:,}"),
        ("executed, imported or opened", f"{len(heard)}"),
        ("longest, ms", f"{slow:.1f} (bound {LONGEST_MS:.0f})"),
        ("largest, MB", f"{large:.2f} (bound {MOST_MB:.0f})"),
    ]
    how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    report.write("hostile", "Hostile strings as terms", how, report.table(("", ""), rows))
    sys.exit(bool(heard or outcomes["without a reason"] or slow > LONGEST_MS or large > MOST_MB))


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


if __name__ == "__main__":
    main()
