"""All pages of `docs/results`.

python -m benchmarks tables                  write every page from the rows that are stored, in seconds
python -m benchmarks again FOLDER            measure everything anew; hours. What FOLDER has is not measured again
python -m benchmarks tables --folder FOLDER  write every page from those rows
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from benchmarks import (
    ablation,
    clicks,
    cluster,
    columns,
    exports,
    fit,
    hostile,
    identify,
    machines,
    newcomer,
    noise,
    nothing,
    paper,
    policies,
    reading,
    real,
    report,
    scale,
    words,
)
from benchmarks.reliability.parts import RELIABILITY


class Stored(Protocol):
    """What is measured into a folder, and makes a page of what it finds there."""

    @property
    def name(self) -> str:
        """Of the page."""
        ...

    def again(self, folder: Path) -> None:
        """Measure into the folder."""

    def is_stored(self, folder: Path) -> bool:
        """Whether the folder has it all."""
        ...

    def seconds(self, folder: Path) -> float | None:
        """Return how long it took; None where that is not known."""
        ...

    def text(self, folder: Path) -> str:
        """Return the page."""
        ...


MEASURED = (
    ablation, clicks, cluster, columns, exports, fit, hostile, identify, machines, newcomer, noise, nothing, policies,
    reading, real, scale, words,
)  # fmt: skip
ALL: Sequence[Stored] = (paper.PAPER, paper.EACH, *(module.BENCHMARK for module in MEASURED), RELIABILITY)


def main() -> None:
    """Do what the command line says."""
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__, formatter_class=shown)
    commands = parser.add_subparsers(dest="command", required=True)
    written = commands.add_parser("tables", help="write every page from stored rows")
    written.add_argument("--folder", type=Path, default=report.RUNS, help="where the rows are")
    written.add_argument("--pages", type=Path, default=report.RESULTS, help="where the pages go")
    measured = commands.add_parser("again", help="measure everything anew")
    measured.add_argument("folder", type=Path, help="where the rows go")
    asked = parser.parse_args()
    if asked.command == "tables":
        tables(asked.folder, asked.pages)
        return
    try:
        again(asked.folder)
    except KeyboardInterrupt:
        print("\nStopped. What is measured is stored; the same command goes on with the rest.")
        sys.exit(130)


def tables(folder: Path, pages: Path) -> None:
    """Write every page."""
    pages.mkdir(parents=True, exist_ok=True)
    for one in ALL:
        report.put(one.name, one.text(folder), pages)


def again(folder: Path) -> None:
    """Measure what the folder has not, and say before each what is done, and how long what is left took last time."""
    for number, one in enumerate(ALL, 1):
        said = f"[{number} of {len(ALL)}] {one.name}"
        if one.is_stored(folder):
            print(f"{said}: measured already", flush=True)
            continue
        print(f"{said}; {_left([each for each in ALL if not each.is_stored(folder)])}", flush=True)
        begun = time.monotonic()
        one.again(folder)
        print(f"{said}: {_span(time.monotonic() - begun)}", flush=True)
    print(f"The pages: python -m benchmarks tables --folder {folder}")


def _left(those: Sequence[Stored]) -> str:
    """Say how long they took when what is stored in the tree was measured."""
    known = {one.name: one.seconds(report.RUNS) for one in those}
    unknown = [name for name, seconds in known.items() if seconds is None]
    also = f", and {', '.join(unknown)}, whose time nobody has noted" if unknown else ""
    return f"what is left took {_span(sum(seconds or 0.0 for seconds in known.values()))} last time{also}"


def _span(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:.1f} h"
    )


if __name__ == "__main__":
    main()
