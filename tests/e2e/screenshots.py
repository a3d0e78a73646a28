"""Pictures of the app for the documentation: `python -m tests.e2e.screenshots [folder]`.

Every picture is of the real app with a real run of the built-in agents; nothing is drawn by hand.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from dolq_core import lessons, runs
from dolq_core.bundled import generate
from dolq_core.records import Intervention, Override, TermNote
from dolq_core.views.terms import read_key
from tests.e2e.pages import DRAWN, opened, settled
from tests.e2e.server import ROOT, browsing, served

PLACES = ("start", "data", "discover", "equations", "history", "lessons", "benchmarks", "settings")
THEMES = ("light", "dark")
HEIGHTS = {"equations": 1240}  # 900 for the others
PICTURES = (
    *((f"{place}_{theme}", place, theme, 1280, HEIGHTS.get(place, 900)) for place in PLACES for theme in THEMES),
    ("discover_whole", "discover", "light", 1280, 1800),
    ("discover_phone", "discover", "light", 390, 1400),
    ("lesson_light", "lesson", "light", 1280, 900),
    ("lesson_dark", "lesson", "dark", 1280, 900),
    ("lesson_phone", "lesson", "light", 390, 1200),
)  # name, page, theme, width, height


def main(folder: Path) -> None:
    """Start the app beside a database with one run, and take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, browsing() as browser:
        database = Path(place) / "runs.db"
        os.environ["DOLQ_DB"] = str(database)  # the ways through lessons lie beside it
        run, way = _run(database), _lesson(database)
        with served(database) as address:
            for name, page, theme, width, height in PICTURES:
                place_of = f"lessons?lesson={way}" if page == "lesson" else f"{page.removeprefix('start')}?run={run}"
                _picture(browser, f"{address}/{place_of}", folder / f"{name}.png", theme, width, height)
                print(folder / f"{name}.png")


def _run(database: Path) -> str:
    """The glider with 1 % noise: a person's ideas are answered, and the last one ends in a disagreement."""
    store = runs.open_store(database)
    run = runs.start(store, generate(2, noise=0.01, points=400, seed=2), name="Glider")
    state = runs.step_once(store, run).state
    drag, power = read_key(state, 0, "x0"), read_key(state, 0, "x1")
    said = Intervention(propose=(TermNote(drag),), ban=(TermNote(power, "An angle counts modulo 2 pi"),))
    runs.intervene(store, run, said)
    runs.step_once(store, run)
    no = Override(drag, "remove", "It slows by the square of its speed", "hold")
    lift = TermNote(read_key(state, 1, "x0**2"), "Lift by the square?")
    runs.intervene(store, run, Intervention(overrides=(no,), propose=(lift,)))
    runs.step_once(store, run)
    return run


def _lesson(database: Path) -> str:
    """The lesson on coffee, at the step after the veto, its question answered."""
    store = runs.open_store(database)
    found = next(one for one in lessons.bundled() if one.id == "coffee")
    way = lessons.begin(found.path.name, found.path.read_bytes())
    for number, said in enumerate(("1", "2", "13.7", "2", "2")):
        way = lessons.stand(store, lessons.press(store, lessons.move(way, number)), str).attempt
        way = lessons.answer(way, said)
    return way.id


def _picture(browser: Browser, address: str, file: Path, theme: str, width: int, height: int) -> None:
    dark = theme == "dark"
    size = {"width": width, "height": height}
    with opened(browser, viewport=size, color_scheme="dark" if dark else "light") as page:
        page.goto(address)
        settled(page)
        if "/data" in address:
            page.get_by_role("button", name=re.compile("^Lynx")).first.click()
            settled(page)
        page.wait_for_function(DRAWN)
        page.screenshot(path=file)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images")
