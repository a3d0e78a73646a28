"""What the product promises, under faults and load: `python -m benchmarks.reliability [PART ...]`.

    crash       kills at random moments of auto mode          --kills 200 --seed 0
    replies     a language model that answers badly           --iterations 500 --seed 0
    many        a thousand iterations of one run              --most 1000
    sessions    eight browser sessions on one server          --minutes 10

Each part replaces its own rows of docs/results/reliability.md and ends with 1 where something was lost.
"""

import argparse
import os
import sys
from collections.abc import Callable

from benchmarks.reliability import crash, many, page, replies, sessions

PARTS: dict[str, Callable[[argparse.Namespace], page.Part]] = {
    "crash": lambda asked: crash.measure(asked.kills, asked.seed),
    "replies": lambda asked: replies.measure(asked.iterations, asked.seed),
    "many": lambda asked: many.measure(asked.most),
    "sessions": lambda asked: sessions.measure(asked.minutes),
}


def main() -> None:
    """Measure the parts that were asked for, and write the page."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help="default: all")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--iterations", type=int, default=500)
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=10.0)
    asked = parser.parse_args()
    holds = True
    for name in asked.parts or PARTS:
        part = PARTS[name](asked)
        page.keep(part, list(PARTS))
        holds &= part.holds
    sys.exit(not holds)


if __name__ == "__main__":
    main()
