"""All pages of `docs/results`, and each of them.

python -m lab tables                  write every page from the rows that are stored, in seconds
python -m lab tables --folder FOLDER  write every page from those rows
python -m lab again FOLDER            measure everything anew; hours. What FOLDER has is not measured again
python -m lab PAGE [--help]           measure what one page says, and write it
"""

import argparse
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from lab.benchmarks import report

MEASURED: Final = (
    "ablation", "chaos", "classes", "clicks", "cluster", "columns", "exports", "fit", "house", "identify", "machines",
    "mutants", "newcomer", "noise", "nothing", "package", "partner", "policies", "real", "scale", "settled", "words",
)  # fmt: skip
COMMANDS: Final = ("paper", *MEASURED, "conditions", "reliability", "switches", "veto", "versions", "figures")
"""Files of `benchmarks`; the last three have no rows in `docs/results`."""


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


def pages() -> tuple[Stored, ...]:
    """Return every page in the order in which it is measured."""
    paper = _module("paper")
    return (
        paper.PAPER,
        paper.EACH,
        *(_module(name).BENCHMARK for name in MEASURED),
        _module("reliability").RELIABILITY,
        _module("claims").CLAIMS,
    )


def _module(name: str) -> Any:
    return import_module(f"lab.benchmarks.{'reliability.parts' if name == 'reliability' else name}")


def main() -> None:
    """Do what the command line says."""
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m lab", description=__doc__, formatter_class=shown)
    commands = parser.add_subparsers(dest="command", required=True)
    written = commands.add_parser("tables", help="write every page from stored rows")
    written.add_argument("--folder", type=Path, default=report.RUNS, help="where the rows are")
    written.add_argument("--pages", type=Path, default=report.RESULTS, help="where the pages go")
    measured = commands.add_parser("again", help="measure everything anew")
    measured.add_argument("folder", type=Path, help="where the rows go")
    for name in COMMANDS:
        commands.add_parser(name, add_help=False)
    asked, left = parser.parse_known_args()
    if asked.command in COMMANDS:
        sys.argv = [f"python -m lab {asked.command}", *left]
        module = _module(asked.command)
        (module.main if hasattr(module, "main") else module.BENCHMARK.main)()
    elif left:
        parser.error(f"unrecognized arguments: {' '.join(left)}")
    elif asked.command == "tables":
        tables(asked.folder, asked.pages)
    else:
        try:
            again(asked.folder, pages())
        except KeyboardInterrupt:
            print("\nStopped. What is measured is stored; the same command goes on with the rest.")
            sys.exit(130)


def tables(folder: Path, place: Path) -> None:
    """Write every page."""
    place.mkdir(parents=True, exist_ok=True)
    for one in pages():
        report.put(one.name, one.text(folder), place)


def again(folder: Path, those: Sequence[Stored]) -> None:
    """Measure what the folder has not, and say before each what is done, and how long what is left took last time."""
    for number, one in enumerate(those, 1):
        said = f"[{number} of {len(those)}] {one.name}"
        if one.is_stored(folder):
            print(f"{said}: measured already", flush=True)
            continue
        print(f"{said}; {_left([each for each in those if not each.is_stored(folder)])}", flush=True)
        begun = time.monotonic()
        one.again(folder)
        print(f"{said}: {_span(time.monotonic() - begun)}", flush=True)
    print(f"The pages: python -m lab tables --folder {folder}")


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
