"""A page of a real browser in front of the real app."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from dolq_core import runs
from dolq_core.bundled import generate
from dolq_core.records import ModelChoice, Models, Settings
from tests.agents.llm.replies import grades, proposal
from tests.agents.llm.server import is_sampler, serving
from tests.e2e.pages import alone, opened, settled
from tests.e2e.server import FLAGS, served
from tests.stored import scripted
from tests.waiting import LONGEST_S

expect.set_options(timeout=1000 * LONGEST_S)


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="package")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("app") / "runs.db"


@pytest.fixture(scope="package")
def address(browser: Browser, database: Path) -> Iterator[str]:
    """The app's address; `browser` comes first, so that without one nothing is started.

    The start page is drawn once: Streamlit shows a needless 'Page not found' over the right page when the first
    request of all that a server gets is for another page, because a folder
    `pages` stands beside app.py.
    """
    with served(database) as found:
        with opened(browser) as first:
            first.goto(found)
            settled(first)
        yield found


@pytest.fixture(scope="package")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    """Cookies, cache and a tab that all files share: the app's scripts are loaded and compiled once."""
    with opened(browser) as first:
        yield first.context


@pytest.fixture
def page(profile: BrowserContext) -> Iterator[Page]:
    """The one tab as if it were new; a new one where a test closed it."""
    with alone(profile) as found:
        yield found


@pytest.fixture(scope="package")
def glider(database: Path) -> str:
    """The glider with noise, after two iterations of two structures each, in the database of the app."""
    law, more = [["sin(x1)", "x0**2"], ["cos(x1)/x0", "x0"]], [["sin(x1)", "x0**2", "x0"], ["cos(x1)/x0", "x0", "x1"]]
    data, place = generate(2, noise=0.01, points=100, seed=2), runs.open_store(database)
    return scripted(data, [more, law], [law, more], settings=Settings(), name="Glider", place=place).id


def paced(body: dict) -> str:
    """A model that takes its time: the same proposal, and grades, a third of a second later."""
    time.sleep(0.3)
    good = {"x0": {"x0": "good", "x1": "good"}, "x1": {"x0": "good"}}
    return proposal({"x0": ["x0", "x1"], "x1": ["x0"]}) if is_sampler(body) else grades(**good)


@pytest.fixture
def long_run(database: Path) -> Iterator[str]:
    """A run whose iterations take about a second each, as often as it may."""
    with serving(*[paced] * 3000) as server:
        choice = ModelChoice("openai", "m", f"{server.url}/v1")
        store = runs.open_store(database)
        settings = Settings(iterations=400, patience=400)
        models = Models(choice, choice)
        run = runs.start(store, generate(2, points=100), settings, agents="models", models=models)
        runs.step_once(store, run)
        yield run
