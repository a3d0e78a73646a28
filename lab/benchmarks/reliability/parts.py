"""What the product promises, under faults and load: `python -m lab reliability [PART ...]`.

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
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from lab.benchmarks import report
from lab.benchmarks.reliability import attacks, crash, fuzz, many, page, replies, sessions

Asked: TypeAlias = Mapping[str, Any]
DEFAULTS: Asked = {"kills": 200, "seed": 0, "iterations": 500, "most": 1000, "minutes": 10.0}
PARTS: dict[str, Callable[[Asked], page.ReliabilityPart]] = {
    "crash": lambda asked: crash.measure(asked["kills"], asked["seed"]),
    "replies": lambda asked: replies.measure(asked["iterations"], asked["seed"]),
    "many": lambda asked: many.measure(asked["most"]),
    "sessions": lambda asked: sessions.measure(asked["minutes"]),
    "attacks": lambda asked: attacks.measure(),
    "fuzz": lambda asked: fuzz.measure(asked["minutes"], asked["seed"]),
}


class Reliability:
    """The page as `python -m lab` sees it."""

    name = "reliability"

    def measure(self, folder: Path, names: Sequence[str], asked: Asked) -> bool:
        """Measure these parts and store their rows; return whether all of it holds."""
        said = [f"--{name} {value}" for name, value in asked.items() if value != DEFAULTS[name]]
        holds = True
        for name in names:
            begun = time.monotonic()
            part = PARTS[name](asked)
            command = " ".join(["python -m lab reliability", name, *said])
            page.keep(part, command, time.monotonic() - begun, folder)
            holds &= part.holds
        return holds

    def again(self, folder: Path) -> None:
        """Measure what the folder does not have yet."""
        self.measure(folder, [name for name in PARTS if name not in page.read(folder)], DEFAULTS)

    def is_stored(self, folder: Path) -> bool:
        """Whether every part is measured."""
        return set(PARTS) <= set(page.read(folder))

    def seconds(self, folder: Path) -> float | None:
        """Return how long all parts took; None where there is none."""
        return sum(one["seconds"] for one in page.read(folder).values()) or None

    def text(self, folder: Path) -> str:
        """Return the page of the parts that are stored."""
        stored = page.read(folder)
        return page.text({name: stored[name] for name in PARTS if name in stored})


RELIABILITY = Reliability()


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
