"""The paper's experiments, and what was found on each system: `python -m lab paper [--folder FOLDER]`.

Campaigns (docs/scaling.md) whose runs are stored one by one, so that it goes on where it was stopped.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dolq_core.store import codec
from lab import campaign
from lab.benchmarks import report
from lab.campaign.tables import EXPERIMENTS, SYSTEMS, Part

STUDIES = ("paper", "textbook", "samples", "pysindy")
TUNED = (
    "The engine has been tuned on both suites: on the paper's from the start, on the textbook one since its first run, "
    "which gave all terms of 15 of 20 systems. docs/scaling.md says so of every suite."
)
FIGURES = """## Figures

The paper's two figures of a search, here of the textbook system `hoop`, whose law takes more than one iteration. As
PNG and as HTML for any system: `python -m lab figures docs/results/runs --suite textbook --system hoop --out
PLACE`.

![The error of the best structure by iteration, a line for each way of running](../images/convergence.png)
![How often each term was kept, held and removed](../images/actions.png)"""


@dataclass(frozen=True, slots=True)
class PaperPage:
    """A page from the runs of campaigns; it is used as a `report.Benchmark` is."""

    name: str
    title: str
    parts: Sequence[Part]
    more: str = ""

    def again(self, folder: Path) -> None:
        """Do the runs that the folder has not; how far it is and what is left is told by the command."""
        studies = [word for study in STUDIES for word in ("--study", study)]
        subprocess.run([sys.executable, "-m", "dolq_core", "bench", "run", str(folder), *studies], check=True)
        tidy(folder)

    def is_stored(self, folder: Path) -> bool:
        """Whether every run has a result."""
        done = {name for name, result in campaign.Ledger(folder).results().items() if not result.failure}
        return done >= set(tasks())

    is_begun = is_stored

    def seconds(self, folder: Path) -> float | None:
        """Return the seconds of all runs of the folder, one after the other."""
        return sum(result.cost.wall_s for result in campaign.Ledger(folder).results().values()) or None

    def text(self, folder: Path) -> str:
        """Return its page, from the runs in the folder."""
        ledger = campaign.Ledger(folder)
        return campaign.page(self.title, ledger.tasks(), ledger.results(), self.parts, self.more, TUNED)


def tasks() -> dict[str, campaign.Task]:
    """Return every run that the studies ask for."""
    grids = [grid for study in STUDIES for grid in campaign.read_study(study).grids]
    return campaign.unique([task for grid in grids for task in campaign.tasks_of(grid)])


def tidy(folder: Path, **without: Any) -> None:
    """Leave the last result of each run, and take out where it was done and what else no page needs."""
    ledger = campaign.Ledger(folder)
    lines = [codec.to_json(replace(result, worker="", **without)) for result in ledger.results().values()]
    path = folder / "results.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


PAGES = (
    PaperPage("paper", "The paper's experiments", EXPERIMENTS, FIGURES),
    PaperPage("systems", "What was found on each system", SYSTEMS),
)


def main() -> None:
    """Do what is left of the runs and write both pages."""
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m lab paper", description=__doc__, formatter_class=shown)
    parser.add_argument("--folder", type=Path, default=report.RUNS)
    folder = parser.parse_args().folder
    PAGES[0].again(folder)
    for one in PAGES:
        report.put(one.name, one.text(folder))
