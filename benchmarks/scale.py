"""Seconds and memory against the number of rows: `python -m benchmarks.scale [--rows 1000 10000 ...]`.

Four coupled rates (system 8 of the paper) with 1 % noise, one trajectory over the paper's interval, so many rows. Each
row of the table is a process of its own: CPU seconds of the first step and of the whole discovery, and the peak of
the resident memory of the process, data included. "right" counts equations with exactly the true terms.
"""

import argparse
import resource
import subprocess
import sys
import time

from benchmarks import report, suite
from dolq_core import runs
from dolq_core.campaign.exact import is_exact
from dolq_core.store.memory import MemoryStore

ROWS = (1_000, 10_000, 100_000, 1_000_000)
SYSTEM = "system 8"


def main() -> None:
    """Measure each size in a fresh process and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="*", default=list(ROWS))
    parser.add_argument("--noise", type=float, default=0.01)
    parser.add_argument("--one", type=int, help="measure this size in this process and print it")
    asked = parser.parse_args()
    if asked.one:
        print(*measure(asked.one, asked.noise), sep="\t")
        return
    rows = [_apart(rows, asked.noise) for rows in asked.rows]
    head = ("rows", "step CPU s", "discovery CPU s", "peak MB", "iterations", "equations right")
    how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    report.write("scale", "Seconds and memory against rows", how, report.table(head, rows))


def _apart(rows: int, noise: float) -> tuple[str, ...]:
    command = [sys.executable, "-m", "benchmarks.scale", "--one", str(rows), "--noise", str(noise)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip().split("\t")
    print(*said, flush=True)
    return tuple(said)


def measure(rows: int, noise: float) -> tuple[object, ...]:
    """Return one row of the table."""
    case = next(c for c in suite.paper() if c.id == SYSTEM)
    problem = suite.problem(case, suite.Sampled(rows, noise=noise))
    store = MemoryStore()
    run = runs.start(store, problem)
    before = time.process_time()
    runs.step_once(store, run)
    step = time.process_time() - before
    done = runs.auto(store, run)
    whole = time.process_time() - before
    best = [visited.refined or visited.fit for visited in done.state.best if visited is not None]
    right = sum(
        is_exact(fit, [t.skeleton for t in true], case.names) for fit, true in zip(best, case.terms, strict=True)
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return rows, f"{step:.1f}", f"{whole:.1f}", f"{peak:.0f}", done.state.iteration, f"{right} of {len(best)}"


if __name__ == "__main__":
    main()
