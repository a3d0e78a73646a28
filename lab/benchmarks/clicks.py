"""How soon the app answers: `python -m lab clicks [--tries 15] [--starts 5]`.

The real app (`streamlit run`) and a real browser (Chromium, 1280x900) on one machine. A click counts from the event
that the browser sees to the first frame in which the answer is on the page. "Lost": the browser saw the click, and no
answer came in 5 s; "gone": the page was drawn anew before the click arrived. The run: the glider of the paper with 1 %
noise, two equations of about three terms; a local server plays the language model and answers each call after 0.5 s,
so that auto mode goes on: an iteration every 2 s, whose hypotheses are fitted and simulated in a process of its own.
"""

import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser

from dolq_core import runs
from dolq_core.bundled import generate
from dolq_core.records import Budget, ModelChoice, Models, Settings
from lab.benchmarks import gestures, large, report
from lab.benchmarks.report import Benchmark, Row
from tests.agents.llm.replies import grades, proposal
from tests.agents.llm.server import is_sampler, serving
from tests.e2e.server import browsing, served

PACE_S = 0.5
CALLS = 10_000
BARE = "for comparison: a page of Streamlit with one heading"
STARTS = ("the server answers", "the first page is there", "with the law that it finds meanwhile")


def measure(tries: int, starts: int) -> Iterator[Row]:
    """Measure the start, the clicks beside a job, and the clicks on a page at rest."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        begun = time.monotonic()
        browser = stack.enter_context(browsing())
        yield {"alone": "Chromium", "s": time.monotonic() - begun}
        yield {"alone": "Python", "s": _python()}
        times = [first_page(browser, Path(folder) / f"{number}.db") for number in range(starts)]
        (Path(folder) / "bare").mkdir()
        bare = [bare_page(browser, Path(folder) / "bare", Path(folder) / f"bare{n}.db") for n in range(starts)]
        yield {"start": BARE, "tries": starts, "median_s": statistics.median(bare), "longest_s": max(bare)}
        for name, column in zip(STARTS, zip(*times, strict=True), strict=True):
            yield {"start": name, "tries": starts, "median_s": statistics.median(column), "longest_s": max(column)}
        yield from clicked(browser, Path(folder) / "runs.db", tries)
        yield from large.clicked(browser, Path(folder), min(tries, 3))
    yield {"load_before": load, "load_after": os.getloadavg()[0]}


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table of starts and that of clicks."""
    alone = ", ".join(f"{row['alone']} {row['s']:.2f} s" for row in rows if "alone" in row)
    starts = [row for row in rows if "start" in row]
    lines = [(row["start"], f"{row['median_s']:.2f}", f"{row['longest_s']:.2f}") for row in starts]
    clicks = [gestures.line(row) for row in rows if "click" in row]
    load = next(row for row in rows if "load_before" in row)
    return [
        "## From `streamlit run` to the first page, empty database",
        report.table(("", "median s", f"longest of {starts[0]['tries']}, s"), lines),
        f"To start by themselves: {alone}.",
        "## From a click to its answer, in milliseconds",
        report.table(gestures.HEAD, clicks),
        *large.lines([row for row in rows if "large" in row]),
        f"Load of the machine, mean of a minute: {load['load_before']:.1f} before, {load['load_after']:.1f} after.",
    ]


def _python() -> float:
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.monotonic() - begun


def bare_page(browser: Browser, folder: Path, database: Path) -> float:
    """Return the seconds from the start of a server of Streamlit's to its page with one heading."""
    (folder / "app.py").write_text('import streamlit as st\n\nst.header("Here")\n')
    begun = time.monotonic()
    with served(database, root=folder) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address)
        page.get_by_role("heading", name="Here").wait_for()
        took = time.monotonic() - begun
        page.close()
    return took


def first_page(browser: Browser, database: Path) -> tuple[float, float, float]:
    """Return the seconds from the start of the server to its answer, to the first page, and to its last chart."""
    begun = time.monotonic()
    with served(database) as address:
        healthy = time.monotonic() - begun
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address)
        page.get_by_role("heading", name="Other data to try").wait_for()
        drawn = time.monotonic() - begun
        page.wait_for_selector(".js-plotly-plot .main-svg")
        whole = time.monotonic() - begun
        page.close()
    return healthy, drawn, whole


def clicked(browser: Browser, database: Path, tries: int) -> list[Row]:
    """Return a row for each kind of click, beside a job in auto mode and on a page at rest."""
    with serving(*[model()] * CALLS) as server, served(database) as address:
        run = start(database, f"{server.url}/v1")
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"{address}/discover?run={run}")
        page.locator(".st-key-apply").wait_for()
        page.wait_for_timeout(2000)
        rest = gestures.all_of(page, tries)
        page.reload()
        page.locator(".st-key-apply").wait_for()
        page.get_by_role("button", name="Auto", exact=True).click()
        page.get_by_role("radio", name="Pause").wait_for()
        busy = gestures.all_of(page, tries)
        busy |= gestures.pauses(page, tries)
    return [gestures.row(name, found, rest.get(name)) for name, found in busy.items()]


def start(database: Path, address: str) -> str:
    """Store a run with three iterations that no reason ends soon."""
    choice = ModelChoice("openai", "local", address)
    models = Models(choice, choice, budget=Budget(calls=CALLS, tokens=None))
    settings = Settings(iterations=2000, patience=2000)
    store = runs.open_store(database)
    problem = generate(2, noise=0.01, points=400, seed=2)
    run = runs.start(store, problem, settings, agents="models", name="Glider", models=models)
    runs.auto(store, run, iterations=3)
    return run


def model() -> Callable[[dict], str]:
    """Answer the Sampler with three hypotheses of which one term is new each time, the Scientist with good grades."""
    powers = itertools.cycle((a, b) for a in range(1, 7) for b in range(1, 7))
    asked: list[list[str]] = []

    def say(body: dict) -> str:
        time.sleep(PACE_S)
        if is_sampler(body):
            asked[:] = [["x0", "x1", f"x0**{a}*x1**{b}"] for a, b in itertools.islice(powers, 3)]
            return proposal(*({"x0": terms, "x1": terms} for terms in asked))
        good = {term: "good" for terms in asked for term in terms}
        return grades(x0=good, x1=good)

    return say


OPTIONS = {"tries": 15, "starts": 5}
BENCHMARK = Benchmark("clicks", "How soon the app answers", __doc__, measure, page, OPTIONS)
