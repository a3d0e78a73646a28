"""What the product promises, under faults and load: `python -m benchmarks.reliability [PART ...]`.

    crash       200 kills at random moments           --kills, --seed

Each part replaces its own rows of docs/results/reliability.md and ends with 1 where something was lost.
"""

import argparse
import os
import sys
from collections.abc import Callable

from benchmarks.reliability import crash, page

PARTS: dict[str, Callable[[argparse.Namespace], page.Part]] = {
    "crash": lambda asked: crash.measure(asked.kills, asked.seed),
}


def main() -> None:
    """Measure the parts that were asked for, and write the page."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help="default: all")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    holds = True
    for name in asked.parts or PARTS:
        part = PARTS[name](asked)
        page.keep(part, list(PARTS))
        holds &= part.holds
    sys.exit(not holds)


if __name__ == "__main__":
    main()
