"""On a phone: a law with long names breaks where a reader would break it, and nothing sticks out of the page."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.records import Settings
from tests.e2e.pages import settled
from tests.every import every
from tests.stored import scripted
from tests.views.test_numbers import two_tanks

NAMES = ("temp (°C)", "glucose concentration (mmol/L)")
OUT = """() => [...document.querySelectorAll('[data-testid=stMain] :is(p, th, td, button, .base)')]
    .filter(one => !one.closest('[role=tablist]') && one.checkVisibility())
    .filter(one => one.getBoundingClientRect().right > innerWidth).map(one => one.textContent)"""
LINES = """law => { const lines = {}
    for (const part of law.querySelectorAll('.katex-html > .base')) {
        const line = Math.round(part.getBoundingClientRect().bottom / 12)
        lines[line] = (lines[line] ?? '') + part.textContent }
    return Object.values(lines) }"""


@pytest.fixture(scope="module")
def long_named(database: Path) -> str:
    """Two states with long names, and a law of the product of both in each."""
    given = load_bundled("lynx-hare")
    states = tuple(replace(one, name=name) for one, name in zip(given.dataset.states, NAMES, strict=True))
    named = replace(given, dataset=replace(given.dataset, states=states))
    both = "hare_thousands*lynx_thousands"
    law = [["hare_thousands", both], ["lynx_thousands", both]]
    return scripted(named, [law], name="Long names", place=runs.open_store(database)).id


def test_equal_constants_of_long_names_are_whole(page: Page, address: str, database: Path):
    given = two_tanks(0.4, 0.4)
    states = tuple(replace(one, name=name) for one, name in zip(given.dataset.states, NAMES, strict=True))
    named = replace(given, dataset=replace(given.dataset, states=states))
    settings = Settings(held_out=0.0)
    run = scripted(named, [[["x", "y"], ["x", "y"]]], settings=settings, place=runs.open_store(database)).id
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{address}/equations?run={run}")
    settled(page)
    table = page.locator(".st-key-equal").get_by_test_id("stTable")
    expect(table.get_by_text("apart")).to_be_visible()
    assert page.evaluate(OUT) == []
    assert table.evaluate("one => one.scrollWidth - one.clientWidth") <= 0


@pytest.mark.parametrize("name", ["discover", "equations", "history"])
def test_nothing_sticks_out_and_a_law_breaks_before_a_sign(page: Page, address: str, long_named: str, name: str):
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{address}/{name}?run={long_named}")
    settled(page)
    assert page.evaluate(OUT) == []
    law = page.locator("p:has(> .katex .mrel)").filter(has_text="glucose").first
    _, *later = law.evaluate(LINES)
    assert later
    assert any(line.startswith(("+", "−", "-")) for line in later)
    assert not [line for line in law.evaluate(LINES) if line.rstrip().endswith(("+", "−", "-"))]


def test_half_a_screen_has_room_for_what_a_column_is_and_no_bar_scrolls(page: Page, address: str, long_named: str):
    table = b"t,x\n" + b"".join(b"%d,%f\n" % (i, 0.9**i) for i in range(30))
    page.set_viewport_size({"width": 780, "height": 900})
    page.goto(f"{address}/data")
    page.locator("input[type=file]").first.set_input_files({"name": "x.csv", "mimeType": "text/csv", "buffer": table})
    expect(page.get_by_text("What is each column?")).to_be_visible()
    settled(page)
    roles = page.locator("[class*='st-key-role']").all()
    assert every((role.bounding_box() or {"width": 0})["width"] >= 80 for role in roles)
    page.goto(f"{address}/discover?run={long_named}")
    settled(page)
    assert page.locator(".st-key-calm").evaluate("one => getComputedStyle(one).overflowX") == "visible"


def test_scrolled_text_goes_under_the_header_and_is_not_read_through_it(page: Page, address: str, long_named: str):
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{address}/discover?run={long_named}")
    settled(page)
    header = page.get_by_test_id("stHeader")
    logo = page.get_by_test_id("stHeaderLogo")
    assert page.locator("h1").first.bounding_box()["y"] >= logo.bounding_box()["y"] + logo.bounding_box()["height"]
    page.get_by_test_id("stMain").evaluate("one => one.scrollTo(0, 700)")
    assert header.evaluate("one => getComputedStyle(one).backgroundColor") in ("rgb(255, 255, 255)", "rgb(18, 22, 27)")


def test_charts_and_the_logo_follow_the_system_into_the_dark(page: Page, address: str, long_named: str):
    page.emulate_media(color_scheme="light")
    page.goto(f"{address}/equations?run={long_named}")
    settled(page)
    tick, logo = page.locator(".js-plotly-plot .xtick text").first, page.get_by_test_id("stSidebarLogo")
    expect(tick).to_have_css("fill", "rgb(11, 15, 20)")
    light = logo.get_attribute("src")
    page.emulate_media(color_scheme="dark")
    expect(tick).to_have_css("fill", "rgb(241, 244, 247)")
    expect(logo).not_to_have_attribute("src", light or "")
    page.emulate_media(color_scheme="light")
    expect(tick).to_have_css("fill", "rgb(11, 15, 20)")
