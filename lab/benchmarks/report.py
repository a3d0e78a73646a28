"""What a benchmark measured, as rows on disk, and the page that is made of them.

    measure() --> docs/results/runs/NAME.json --> page(rows) --> docs/results/NAME.md

A page depends on its stored rows alone, so that it can be written again at any time, the same to the last byte.
"""

import argparse
import datetime
import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from scipy.stats import binomtest

from lab.benchmarks.kept import kept

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
RUNS = RESULTS / "runs"
PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "plotly", "sqlite-utils")
Row: TypeAlias = Mapping[str, Any]
Option: TypeAlias = int | float | str | Path


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

    def is_begun(self, folder: Path) -> bool:
        """Whether the folder has enough for a page, which then says what is left out."""
        ...

    def seconds(self, folder: Path) -> float | None:
        """Return how long it took; None where that is not known."""
        ...

    def text(self, folder: Path) -> str:
        """Return the page."""
        ...


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One question, and how it is answered.

    Attributes:
        doc: the docstring of the module; what follows its first line says on the page how the figures were made.
        measure: yields the rows, plain JSON; takes `options` by name.
        page: makes of the rows what follows on the page.
        options: names and defaults. "folder" is where the runs of campaigns are stored.
        pages: where its page goes.
    """

    name: str
    title: str
    doc: str | None
    measure: Callable[..., Iterable[Row]]
    page: Callable[[Sequence[Row]], Sequence[str]]
    options: Mapping[str, Option] = field(default_factory=dict[str, Option])
    pages: Path = RESULTS

    def again(self, folder: Path, **asked: Option) -> None:
        """Measure and store the rows in the folder, a line of JSON for each; each is printed as it comes."""
        asked = {**self.options, **asked, **({"folder": folder} if "folder" in self.options else {})}
        begun, made = time.monotonic(), now()
        rows: list[Row] = []
        with kept(self._file(folder).with_suffix(".part"), {"command": self.command(asked), **made["versions"]}):
            for row in self.measure(**asked):
                print(*row.values(), sep="  ", flush=True)
                rows.append(row)
            said = {"command": self.command(asked), "seconds": round(time.monotonic() - begun), **made}
            head = "".join(f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in said.items())
            lines = ",\n".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows)
            text = f'{{\n{head}"rows": [\n{lines}\n]\n}}\n'
            self._file(folder).write_text(text, encoding="utf-8", newline="\n")

    def command(self, asked: Mapping[str, Option]) -> str:
        """Return the command line that measures so."""
        counts = {name: value for name, value in asked.items() if not isinstance(value, Path)}  # a folder changes none
        said = [f"--{name} {value}" for name, value in counts.items() if value != self.options[name]]
        return " ".join([f"python -m lab {self.name}", *said])

    def is_stored(self, folder: Path) -> bool:
        """Whether it was measured into this folder."""
        return self._file(folder).exists()

    is_begun = is_stored

    def seconds(self, folder: Path) -> float | None:
        """Return how long it took when it was measured; None where nobody has noted it."""
        return self.read(folder)["seconds"] if self.is_stored(folder) else None

    def read(self, folder: Path) -> dict[str, Any]:
        """Return the rows in the folder, what measured them, and when."""
        return json.loads(self._file(folder).read_text(encoding="utf-8"))

    def text(self, folder: Path) -> str:
        """Return its page, from the rows in the folder."""
        said = self.read(folder)
        how = " ".join((self.doc or "").split("\n\n", 1)[1].split())
        used = ", ".join(f"{name} {number}" for name, number in said["versions"].items())
        made = f"Measured by `{said['command']}` on {said['date']} with {used}, on {said['cores']} cores."
        return "\n\n".join([f"# {self.title}", how, *self.page(said["rows"]), made]) + "\n"

    def main(self) -> None:
        """Measure as the command line says, store the rows, and write the page."""
        shown = argparse.RawDescriptionHelpFormatter
        parser = argparse.ArgumentParser(f"python -m lab {self.name}", description=self.doc, formatter_class=shown)
        for name, value in self.options.items():
            parser.add_argument(f"--{name}", type=type(value), default=value)
        asked = vars(parser.parse_args())
        folder = asked.pop("folder", RUNS)
        self.again(folder, **asked)
        put(self.name, self.text(folder), self.pages)

    def _file(self, folder: Path) -> Path:
        return folder / f"{self.name}.json"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson, J. Am. Stat. Assoc. 22, 209, 1927)."""
    found = binomtest(hits, count).proportion_ci(method="wilson")
    return float(found.low), float(found.high)


def put(name: str, text: str, pages: Path = RESULTS) -> None:
    """Write a page."""
    path = pages / f"{name}.md"
    path.write_text(text, encoding="utf-8", newline="\n")
    print(f"Written to {path}")


def now() -> dict[str, Any]:
    """Return the day, the versions and the processors of this machine."""
    return {
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "cores": os.cpu_count(),
        "versions": {"Python": platform.python_version(), **{package: version(package) for package in PACKAGES}},
    }


def span(seconds: float) -> str:
    """Return a time for people."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
