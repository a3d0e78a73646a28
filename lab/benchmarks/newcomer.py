"""A newcomer's way from a clone to a law in hand: `python -m lab newcomer [--pictures FOLDER]`.

The committed project is cloned to an empty folder, and the README's first command is typed there, part by part: an
environment, the packages from the registry, the law of the yeast. Then a browser (Chromium, 1280x900): the start page,
"Try it on yeast", the first step, the equations, the Python program, which is run. Wall time of each; reading and
thinking not counted. The load is the mean number of processes that wanted a processor in the minute before.
"""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Page, expect

from lab.benchmarks import report
from lab.benchmarks.package import away, timed
from lab.benchmarks.report import Benchmark, Row
from tests.e2e.server import IDLE, ROOT, browsing, served

WAIT_MS = 120_000
LIMIT_S = 300


def measure(pictures: Path) -> Iterator[Row]:
    """Walk the way once; pictures: a folder for one of each page, or none."""
    load = os.getloadavg()[0]
    steps: list[tuple[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "dolq"
        with timed(steps, "git clone"):
            subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        law = typed(clone, steps)
        lines = browsed(clone, steps, Path(folder) if pictures == Path() else pictures)
    yield from ({"step": name, "s": seconds} for name, seconds in steps)
    yield {"law": law, "lines": lines, "load": load}


def page(rows: Sequence[Row]) -> list[str]:
    """Return whether it was under the limit, each step, and what came out."""
    steps = [(row["step"], row["s"]) for row in rows if "step" in row]
    said = next(row for row in rows if "law" in row)
    total = sum(seconds for _, seconds in steps)
    return [
        f"{'Under' if total < LIMIT_S else 'OVER'} five minutes: {total:.0f} s, at a load of {said['load']:.1f}.",
        report.table(["step", "seconds"], [*((name, f"{s:.1f}") for name, s in steps), ("all", f"{total:.1f}")]),
        f"The command printed `{said['law']}`; the exported program wrote {said['lines']} rows.",
    ]


def typed(clone: Path, steps: list[tuple[str, float]]) -> str:
    """Run the README's first command but for its last part, which is the app; return the law that it prints."""
    readme = (clone / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```bash\n(.*?)\n```", readme, re.DOTALL)
    assert found
    *parts, app = found[1].split(" && ")
    assert app.endswith("streamlit run app.py"), app
    said = ""
    for part in parts:
        with timed(steps, f"`{part}`"):
            words = part.split()
            said = subprocess.run(
                words, cwd=clone, env=away(clone.parent), check=True, capture_output=True, text=True
            ).stdout
    return next(line for line in said.splitlines() if line.startswith("d yeast"))


def browsed(clone: Path, steps: list[tuple[str, float]], pictures: Path) -> int:
    """Walk through the app; return how many rows the exported program writes."""
    pictures.mkdir(parents=True, exist_ok=True)
    python = clone / ".venv" / "bin" / "python"
    os.environ.pop("PYTHONPATH", None)  # the app is to be that of the clone
    with browsing() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(WAIT_MS)
        expect.set_options(timeout=WAIT_MS)
        began = time.monotonic()
        with served(clone.parent / "runs.db", clone, python) as address:
            page.goto(address)
            expect(page.get_by_role("button", name="Try it on yeast")).to_be_visible()
            steps.append(("the start page is there", time.monotonic() - began))
            shot(page, pictures / "newcomer_1_start.png")
            with timed(steps, "“Try it on yeast”, until a law is there"):
                page.get_by_role("button", name="Try it on yeast").click()
                expect(page.get_by_text("Iteration 1 of 10")).to_be_visible()
            shot(page, pictures / "newcomer_3_law.png")
            with timed(steps, "“Equations”, “Download”, “Python program”, and the program is run"):
                rows = exported(page, clone.parent, python, pictures)
    return rows


def exported(page: Page, folder: Path, python: Path, pictures: Path) -> int:
    """Take the Python program from the page of the equations and run it; return its rows."""
    page.get_by_role("link", name="Equations", exact=True).first.click()
    page.get_by_role("button", name=re.compile("^.*Download$")).click()
    with page.expect_download() as got:
        page.get_by_role("button", name="Python program").click()
    program = folder / "law.py"
    got.value.save_as(program)
    shot(page, pictures / "newcomer_4_equations.png")
    done = subprocess.run([str(python), "-I", str(program)], check=True, capture_output=True, text=True)
    return len(done.stdout.splitlines()) - 1


def shot(page: Page, file: Path) -> None:
    """Take a picture of the page once it has come to rest."""
    page.wait_for_selector(IDLE)
    page.wait_for_timeout(500)
    page.screenshot(path=file)


BENCHMARK = Benchmark("newcomer", "A newcomer's first minutes", __doc__, measure, page, {"pictures": Path()})
