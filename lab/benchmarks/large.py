"""Clicks on a table of 200,000 rows, from the upload to the law: a part of `lab.benchmarks.clicks`."""

import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page

from lab.benchmarks import report
from lab.benchmarks.report import Row
from tests.e2e.pages import opened, press, settled
from tests.e2e.server import served
from tests.six import logger

ROWS = 200_000
LONGEST_MS = 300_000


def clicked(browser: Browser, folder: Path, tries: int) -> Iterator[Row]:
    """Upload a logger's file as often as asked for, and yield the seconds of each click until the page rests again."""
    file, took = folder / "logger.csv", dict[str, list[float]]()
    with served(folder / "large.db") as address, opened(browser) as page:
        page.set_default_timeout(LONGEST_MS)
        for number in range(tries):
            file.write_bytes(logger(ROWS + number))  # another file, of which nothing is remembered
            page.goto(f"{address}/data")
            settled(page)
            for name, act in _acts(page, file).items():
                begun = time.monotonic()
                act()
                settled(page)
                took.setdefault(name, []).append(time.monotonic() - begun)
    for name, seconds in took.items():
        yield {"large": name, "tries": tries, "median_s": statistics.median(seconds), "longest_s": max(seconds)}


def _acts(page: Page, file: Path) -> dict[str, Callable[[], object]]:
    def choose(role: str) -> None:
        page.get_by_role("combobox", name="Role of heater").click()
        page.get_by_role("option", name=role, exact=True).click()

    def write(label: str, text: str) -> None:
        page.get_by_label(label).first.fill(text)
        page.keyboard.press("Tab")

    def upload() -> None:
        page.locator("input[type=file]").set_input_files(file)
        page.get_by_text("Ready to start").wait_for()

    return {
        "Upload the file (5.7 MB)": upload,
        "Another role of a column": lambda: choose("Ignore"),
        "The role as it was": lambda: choose("Input"),
        "A unit": lambda: write("Unit of T", "K"),
        "Another name of a column": lambda: write("Name of T", "room"),
        "The description": lambda: write("What is this system", "A room with a heater."),
        "Start discovery": lambda: press(page, "Start discovery"),
        "The law is there": lambda: page.get_by_text("Iteration 1 of").wait_for(),
        "To the page Equations": lambda: page.get_by_role("link", name="Equations").click(),
        "To the page Discover": lambda: page.get_by_role("link", name="Discover").click(),
    }


def lines(rows: list[Row]) -> list[str]:
    """Return the table of these clicks."""
    if not rows:
        return []
    found = [(row["large"], f"{row['median_s']:.2f}", f"{row['longest_s']:.2f}") for row in rows]
    return [
        f"## With a table of {ROWS:,} rows",
        "Seconds from a click until the page has come to rest, redrawn charts and all.",
        report.table(("", "median s", f"longest of {rows[0]['tries']}, s"), found),
    ]
