"""A page of a real browser in front of the real app."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.server import FLAGS, served


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def address(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app's address; `chromium` comes first, so that without a browser nothing is started."""
    with served(tmp_path_factory.mktemp("app") / "runs.db") as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    found = context.new_page()
    found.set_default_timeout(30_000)
    yield found
    context.close()
