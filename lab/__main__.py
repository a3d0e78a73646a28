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
from typing import Any, Final

from lab.benchmarks import once, report, settled
from lab.benchmarks.report import Stored

FILES: Final = (
    "paper", "accused", "chaos", "classes", "clicks", "cluster", "conditions", "crash", "digits", "drawn", "figures",
    "fits", "holding", "house", "killed", "kinds", "lost", "machines", "mutants", "newcomer", "nothing", "once",
    "package", "partner", "persuaded", "policies", "published", "real", "recall", "scale", "settled", "switches",
    "uneven", "veto",
)  # fmt: skip
"""Of `benchmarks`: each measures a page of its name, or several."""
ONCE: Final = {one.name: one for one in (*once.PAGES, settled.REDRAWN)}
COMMANDS: Final = tuple(sorted((*ONCE, *(name for name in FILES if name != "once"))))
OF_OTHERS: Final = ("lost", "claims")
"""Those that are made of the rows of others, and so come last."""


def pages() -> tuple[Stored, ...]:
    """Return every page in the order in which it is measured."""
    first = [name for name in FILES if name not in ("figures", *OF_OTHERS)]
    modules = [_module(name) for name in (*first, *OF_OTHERS)]
    return tuple(one for module in modules for one in getattr(module, "PAGES", None) or (module.BENCHMARK,))


def _module(name: str) -> Any:
    return import_module(f"lab.benchmarks.{name}")


def main() -> None:
    """Do what the command line says."""
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m lab", description=__doc__, formatter_class=shown)
    commands = parser.add_subparsers(dest="command", required=True)
    written = commands.add_parser("tables", help="write every page from stored rows")
    written.add_argument("--folder", type=Path, default=report.RUNS, help="where the rows are")
    written.add_argument("--pages", type=Path, default=report.RESULTS, help="where the pages go")
    commands.add_parser("again", help="measure everything anew").add_argument("folder", type=Path)
    for name in COMMANDS:
        commands.add_parser(name, add_help=False)
    asked, left = parser.parse_known_args()
    if asked.command in COMMANDS:
        sys.argv = [f"python -m lab {asked.command}", *left]
        found: Any = ONCE.get(asked.command) or _module(asked.command)
        (found.main if hasattr(found, "main") else found.BENCHMARK.main)()
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
    """Write every page whose rows are there."""
    place.mkdir(parents=True, exist_ok=True)
    for one in pages():
        if one.is_begun(folder):
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
        print(f"{said}: {report.span(time.monotonic() - begun)}", flush=True)
    print(f"The pages: python -m lab tables --folder {folder}")


def _left(those: Sequence[Stored]) -> str:
    """Say how long they took when what is stored in the tree was measured."""
    known = {one.name: one.seconds(report.RUNS) for one in those}
    unknown = [name for name, seconds in known.items() if seconds is None]
    also = f", and {', '.join(unknown)}, whose time nobody has noted" if unknown else ""
    return f"what is left took {report.span(sum(seconds or 0.0 for seconds in known.values()))} last time{also}"


if __name__ == "__main__":
    main()
