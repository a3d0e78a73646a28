"""What axe-core finds on every page, in both themes: nothing."""

import itertools
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from dolq_core import runs
from dolq_core.bundled import generate
from tests.app.scenes import PAGES
from tests.e2e.pages import DRAWN, another, opened, settled

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]


@pytest.fixture(scope="module")
def run(database: Path) -> str:
    store = runs.open_store(database)
    made = runs.start(store, generate(2, noise=0.01, points=200, seed=1), name="Glider")
    runs.step_once(store, made)
    runs.step_once(store, made)
    return made


@pytest.fixture(params=["light", "dark"], scope="module")
def theme(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    with opened(browser, color_scheme=request.param, bypass_csp=True) as first:
        yield first.context


@pytest.fixture
def themed(theme: BrowserContext) -> Iterator[Page]:
    with another(theme) as found:
        yield found


def findings(page: Page) -> list[str]:
    """Return what axe-core objects to, as sentences with the places; what is being drawn anew is pale until it is."""
    page.wait_for_function(DRAWN)
    page.evaluate(AXE)
    found = page.evaluate("tags => axe.run(document, {runOnly: tags})", TAGS)
    return [f"{one['id']}: {one['help']}: {node['target']}" for one in found["violations"] for node in one["nodes"]]


def a_table_is_brought(page: Page) -> None:
    rows = b"t,x\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(9))
    page.locator("input[type=file]").set_input_files({"name": "cup.csv", "mimeType": "text/csv", "buffer": rows})
    page.get_by_text("Is it fit for discovery?").wait_for()
    settled(page)


def the_choices_of_a_term_are_opened(page: Page) -> None:
    page.locator('[class*="st-key-row_"] [data-testid=stPopoverButton]').first.click()
    expect(page.locator("[data-testid=stPopoverBody]").get_by_role("radio").first).to_be_visible()


def is_opened(page: Page, button: str, inside: str) -> None:
    page.get_by_role("button", name=re.compile(f"{button}$|{button} ")).first.click()
    expect(page.get_by_role("button", name=inside)).to_be_visible()


FURTHER = {
    "data": a_table_is_brought,
    "discover": the_choices_of_a_term_are_opened,
    "equations": partial(is_opened, button="Download", inside="Report (HTML)"),
    "history": partial(is_opened, button="Import", inside="Import the run"),
}
"""What is looked at besides, once the page has been looked at as it comes."""


@pytest.mark.parametrize("name", PAGES)
def test_nobody_stumbles(themed: Page, address: str, run: str, name: str):
    themed.goto(f"{address}/{name.removeprefix('start')}?run={run}")
    settled(themed)
    assert findings(themed) == []
    assert scrolled_sideways(themed) <= 1280
    if name in FURTHER:
        FURTHER[name](themed)
        assert findings(themed) == []


@pytest.mark.parametrize(
    ("theme", "name"), list(zip(itertools.cycle(["light", "dark"]), PAGES, strict=False)), indirect=["theme"]
)
def test_nobody_stumbles_on_a_phone(themed: Page, address: str, run: str, name: str):
    """Each page in one theme: what a phone changes is the layout."""
    themed.set_viewport_size({"width": 390, "height": 844})
    themed.goto(f"{address}/{name.removeprefix('start')}?run={run}")
    settled(themed)
    assert findings(themed) == []
    assert scrolled_sideways(themed) <= 390


def scrolled_sideways(page: Page) -> int:
    """Return how wide the page is, in pixels, where it drew itself without an error."""
    assert page.locator("[data-testid=stException]").count() == 0
    return page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")


def test_nobody_stumbles_while_a_run_goes_on(themed: Page, address: str, long_run: str):
    themed.goto(f"{address}/discover?run={long_run}")
    settled(themed)
    themed.get_by_role("button", name="Auto", exact=True).click()
    expect(themed.get_by_role("radio", name="Pause")).to_be_visible()
    expect(themed.get_by_role("progressbar")).to_be_visible()
    assert findings(themed) == []
    themed.get_by_role("radio", name="Stop").click()
    expect(themed.get_by_role("button", name="Auto", exact=True)).to_be_visible()


def test_an_image_without_words_is_found(page: Page, address: str):
    page.goto(address)
    settled(page)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"x.png\">')")
    assert any(found.startswith("image-alt") for found in findings(page))
