"""A page of a real browser in front of the real app."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.server import FLAGS, IDLE, served

expect.set_options(timeout=20_000)  # a step on a busy machine takes longer than the default of five seconds


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("app") / "runs.db"


@pytest.fixture(scope="module")
def address(browser: Browser, database: Path) -> Iterator[str]:
    """The app's address; `browser` comes first, so that without one nothing is started.

    The start page is drawn once: Streamlit shows a needless 'Page not found' over the right page when the first
    request of all that a server gets is for another page, because a folder
    `pages` stands beside app.py.
    """
    with served(database) as found:
        first = browser.new_page()
        first.goto(found)
        first.wait_for_selector(IDLE)
        first.close()
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    found = context.new_page()
    found.set_default_timeout(30_000)
    yield found
    context.close()
