"""What the product promises, under faults and load: `python -m benchmarks.reliability [PART ...]`.

    crash       kills at random moments of auto mode          --kills 200 --seed 0
    replies     a language model that answers badly           --iterations 500 --seed 0
    many        a thousand iterations of one run              --most 1000
    sessions    eight browser sessions on one server          --minutes 10
    attacks     every attack of tests/attacks
    fuzz        strings of a fuzzer, read as terms            --minutes 10 --seed 0

Each part replaces its own rows of docs/results/reliability.md and ends with 1 where something was lost.
"""

import argparse
import os
import sys

from benchmarks import report
from benchmarks.reliability.parts import DEFAULTS, PARTS, RELIABILITY


def main() -> None:
    """Measure the parts that were asked for, and write the page."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help="default: all")
    for name, value in DEFAULTS.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    asked = vars(parser.parse_args())
    holds = RELIABILITY.measure(report.RUNS, asked.pop("parts") or list(PARTS), asked)
    report.put(RELIABILITY.name, RELIABILITY.text(report.RUNS))
    sys.exit(not holds)


if __name__ == "__main__":
    main()
