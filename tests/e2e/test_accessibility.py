"""What axe-core finds on every page, in both themes: nothing."""

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.app.scenes import PAGES
from tests.e2e.pages import DRAWN, settled

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
TAGS = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]}
BESIDES = {name: {"enabled": True} for name in ("heading-order", "page-has-heading-one", "empty-heading", "tabindex")}
"""Rules without a tag of these that a page of ours can break."""
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""The rules of these tags that a theme can break."""


def findings(page: Page, rules: Mapping[str, Any] = TAGS) -> list[str]:
    """Return what axe-core objects to, as sentences with the places; what is being drawn anew is pale until it is."""
    page.wait_for_function(DRAWN)
    if not page.evaluate("'axe' in window"):  # to read it takes a third of what it does
        page.evaluate(AXE)
    found = page.evaluate(
        "([only, also]) => axe.run(document, {runOnly: only, rules: also, resultTypes: ['violations']})",
        [rules, BESIDES],
    )
    return [f"{one['id']}: {one['help']}: {node['target']}" for one in found["violations"] for node in one["nodes"]]


def a_table_is_brought(page: Page) -> None:
    rows = b"t,x\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(9))
    page.locator("input[type=file]").set_input_files({"name": "cup.csv", "mimeType": "text/csv", "buffer": rows})
    page.get_by_text("Are the data good enough?").wait_for()
    settled(page)


def the_choices_of_a_term_are_opened(page: Page) -> None:
    page.locator('[class*="st-key-row_"] [data-testid=stPopoverButton]').first.click()
    expect(page.locator("[data-testid=stPopoverBody]").get_by_role("radio").first).to_be_visible()


def is_opened(page: Page, button: str, inside: str) -> None:
    page.get_by_role("button", name=re.compile(f"{button}$|{button} ")).first.click()
    expect(page.get_by_role("button", name=re.compile(rf"^(\w+ )?{re.escape(inside)}$"))).to_be_visible()


FURTHER = {
    "data": a_table_is_brought,
    "discover": the_choices_of_a_term_are_opened,
    "equations": partial(is_opened, button="Download", inside="Report (HTML)"),
    "history": partial(is_opened, button="Import", inside="Import the run"),
    "lessons": partial(is_opened, button="Open a lesson file", inside="Upload"),
}
"""What is looked at besides, once the page has been looked at as it comes."""


def becomes_dark(page: Page) -> None:
    """Let the machine turn to its dark theme, as it does in the evening."""
    ground = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"light => {ground} !== light", arg=light)
    settled(page)


@pytest.mark.parametrize("name", PAGES)
def test_nobody_stumbles(page: Page, address: str, glider: str, name: str):
    """Over a page as it comes, with what opens on it, in the dark, and on a phone."""
    page.goto(f"{address}/{name.removeprefix('start')}?run={glider}")
    settled(page)
    assert findings(page) == []
    assert scrolled_sideways(page) <= 1280
    if name in FURTHER:
        FURTHER[name](page)
        assert findings(page) == []
    becomes_dark(page)
    assert findings(page, COLOURS) == []
    page.set_viewport_size({"width": 390, "height": 844})
    settled(page)
    assert findings(page) == []
    assert scrolled_sideways(page) <= 390


def scrolled_sideways(page: Page) -> int:
    """Return how wide the page is, in pixels, where it drew itself without an error."""
    assert page.locator("[data-testid=stException]").count() == 0
    return page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")


def test_zoomed_in_twice_no_bar_lies_over_the_terms(page: Page, address: str, glider: str):
    page.set_viewport_size({"width": 640, "height": 360})
    page.goto(f"{address}/discover?run={glider}")
    settled(page)
    bar = page.locator(".st-key-apply")
    expect(bar).to_be_visible()
    assert bar.evaluate("bar => bar.getBoundingClientRect().top > innerHeight"), "it stands below the terms"
    assert scrolled_sideways(page) <= 640


def test_nobody_stumbles_while_a_run_goes_on(page: Page, address: str, long_run: str):
    page.goto(f"{address}/discover?run={long_run}")
    settled(page)
    goes_on(page)
    assert findings(page) == []
    page.get_by_role("radio", name="Stop").click()
    expect(page.get_by_role("button", name="Auto", exact=True)).to_be_visible()
    becomes_dark(page)
    goes_on(page)
    assert findings(page, COLOURS) == []


def goes_on(page: Page) -> None:
    page.get_by_role("button", name="Auto", exact=True).click()
    expect(page.get_by_role("radio", name="Pause")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_be_visible()


def test_an_image_without_words_and_a_pale_word_are_found(page: Page, address: str):
    page.goto(address)
    settled(page)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"x.png\">')")
    assert any(found.startswith("image-alt") for found in findings(page))
    pale = "<p style='position: fixed; top: 0; z-index: 999999; color: #888; background: #777'>pale</p>"
    page.evaluate("pale => document.body.insertAdjacentHTML('beforeend', pale)", pale)
    assert any(found.startswith("color-contrast") for found in findings(page, COLOURS))
