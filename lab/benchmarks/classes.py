"""A class of twenty on one server, all at once: `python -m lab classes [--places 20]`.

The real app with a class on the lesson about yeast, whose answers are revealed. Every fifth learner is a real browser
(Chromium, 1280x900), which draws on the server's own processors; it has followed the link and stands at the way in.
The others speak the server's wire format and draw nothing, as if they were on machines of their own; they have a
place. All open the lesson at the same moment, and press each button at the same moment, which is the worst that a
room can do. The first picture: from there to the first chart. A press: from the click to its answer on the page. For
those without a browser both end when the server has sent all of the page. The iteration comes from the lesson's
recording. A class that does not fit is halved and measured again.
"""

import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from playwright.sync_api import Locator, Page

from dolq_core import lessons
from dolq_core.lessons import Class, Place
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from lab.benchmarks.visitor import Visitor
from tests.e2e.server import browsing, served

FEW = 5
"""Smaller classes are not measured."""
LONGEST_S = 120.0
PROMISED_S = {"the first picture": 3.0, "an answer": 2.0, "the next step": 2.0, "an iteration": 2.0}
JOIN, PICTURE = "Take a place", ".js-plotly-plot .main-svg"
PRESSED = {
    "I do not know": "Two things must be at work",
    "Next": "Step 2 of 5",
    "Do one iteration": "these are the terms of the best",
}
"""Buttons, in the order in which they are pressed, and what each answers."""


class Learner(Protocol):
    """One place; each function returns seconds."""

    def opens(self) -> float:
        """Open the lesson."""
        ...

    def presses(self, name: str, answer: str) -> float:
        """Press a button, and wait for what it answers."""
        ...


class InBrowser:
    """A learner with a real page, at the way in."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        page.set_default_timeout(1000 * LONGEST_S)
        page.goto(address)
        page.get_by_role("button", name=JOIN).wait_for()

    def opens(self) -> float:
        """Take a place, and with it open the lesson."""
        return self._timed(JOIN, self._page.locator(PICTURE).first)

    def presses(self, name: str, answer: str) -> float:
        """Press a button, and wait for what it answers."""
        return self._timed(name, self._page.get_by_text(answer).first)

    def _timed(self, name: str, answer: Locator) -> float:
        button = self._page.get_by_role("button", name=name)
        button.wait_for()
        begun = time.perf_counter()
        button.click()
        answer.wait_for()
        return time.perf_counter() - begun


class OnTheWire:
    """A learner without a browser."""

    def __init__(self, address: str, query: str) -> None:
        self._address, self._query = address, query
        self._visitor: Visitor | None = None

    def opens(self) -> float:
        """Open the lesson."""
        begun = time.perf_counter()
        self._visitor = Visitor(self._address, "lessons", self._query, LONGEST_S)
        return time.perf_counter() - begun

    def presses(self, name: str, answer: str) -> float:
        """Press a button; its answer is all that the server sends."""
        assert self._visitor is not None
        took = self._visitor.press(name)
        return LONGEST_S if took is None else took / 1000.0

    def close(self) -> list[str]:
        """Close the tab; return what went wrong in it."""
        if self._visitor is None:
            return []
        self._visitor.close()
        return self._visitor.troubles


def measure(places: int) -> Iterator[Row]:
    """Let a class go through a step and a half; half of it again until nobody waits too long, or few are left."""
    while True:
        rows = list(_class_of(places))
        yield from rows
        places //= 2
        if not _late(rows) or places < FEW:
            return


def _class_of(places: int) -> Iterator[Row]:
    """Yield what each place of a class waited; every fifth is a browser."""
    load, browsers = os.getloadavg()[0], max(1, places // 5)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DOLQ_DB"] = str(Path(folder) / "runs.db")
        room = _room()
        taken = [lessons.join(room) for _ in range(places)]
        with served(Path(os.environ["DOLQ_DB"])) as address:
            OnTheWire(address, "").opens()  # the server has loaded the core, as it has when a class begins
            found, troubles = _gone_through(address, room, taken, browsers)
    for name, seconds in found.items():
        for drawn in (True, False):
            column = sorted(seconds[:browsers] if drawn else seconds[browsers:])
            yield {"class": places, "what": name, "browsers": drawn, "places": len(column),
                   "median_s": statistics.median(column), "longest_s": column[-1]}  # fmt: skip
    yield {"class": places, "troubles": troubles, "load_before": load, "load_after": os.getloadavg()[0],
           "processors": os.cpu_count()}  # fmt: skip


def _late(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if "what" in row and row["longest_s"] > PROMISED_S[row["what"]]]


def _room() -> Class:
    one = next(one for one in lessons.bundled() if one.id == "yeast")
    room = lessons.open_class(one.path.name, one.path.read_bytes())
    for step in range(len(one.lesson.steps)):
        room = lessons.reveal(room, step)
    return room


def _gone_through(
    address: str, room: Class, taken: Sequence[Place], browsers: int
) -> tuple[dict[str, list[float]], list[str]]:
    names = list(PROMISED_S)
    found = {name: [0.0] * len(taken) for name in names}
    together, troubles = threading.Barrier(len(taken)), list[str]()

    def walk(number: int, learner: Learner) -> None:
        acts = [learner.opens, *(partial(learner.presses, *pressed) for pressed in PRESSED.items())]
        for name, act in zip(names, acts, strict=True):
            together.wait()
            found[name][number] = act()

    def live(number: int) -> None:
        query = f"class={room.id}&place={taken[number].id}"
        try:
            if number < browsers:
                _with_browser(f"{address}/lessons?class={room.id}&key={room.key}", partial(walk, number))
            else:
                learner = OnTheWire(address, query)
                walk(number, learner)
                troubles.extend(learner.close())
        except Exception as error:  # noqa: BLE001  # told with the rows
            together.abort()
            troubles.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=live, args=(number,)) for number in range(len(taken))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found, troubles


def _with_browser(address: str, walk: Callable[[Learner], None]) -> None:
    with browsing() as browser:
        walk(InBrowser(browser.new_page(viewport={"width": 1280, "height": 900}), address))


def page(rows: Sequence[Row]) -> list[str]:
    """Return how many fit, and a table for each class."""
    classes = sorted({row["class"] for row in rows}, reverse=True)
    found = {count: [row for row in rows if row["class"] == count] for count in classes}
    fit = [count for count in classes if not _late(found[count])]
    said = [f"A class of {fit[0]} fits: nobody waited longer than is promised." if fit else "No class of these fits."]
    for count in classes:
        said += _told(count, found[count])
    return said


def _told(count: int, rows: Sequence[Row]) -> list[str]:
    late = ", ".join(f"{row['what']} {row['longest_s']:.1f} s ({_who(row)})" for row in _late(rows))
    lines = [
        (row["what"], _who(row), row["places"], f"{row['median_s']:.2f}", f"{row['longest_s']:.2f}",
         f"{PROMISED_S[row['what']]:.0f}")
        for row in rows if "what" in row
    ]  # fmt: skip
    said = next(row for row in rows if "troubles" in row)
    return [
        f"Class of {count}. {f'LONGER than promised: {late}' if late else 'Nobody waited longer than is promised.'}",
        report.table(["", "learners", "count", "median s", "longest s", "promised s"], lines),
        f"What went wrong: {'; '.join(said['troubles']) or 'nothing'}. {said['processors']} processors, "
        f"shared with other work; load, mean of a minute: {said['load_before']:.1f} before, "
        f"{said['load_after']:.1f} after.",
    ]


def _who(row: Row) -> str:
    return "browser" if row["browsers"] else "on the wire"


BENCHMARK = Benchmark("classes", "A class of twenty", __doc__, measure, page, {"places": 20})
