"""What a browser really draws of the evidence: grey ground, front, plane, decisions."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from dolq_core import runs
from dolq_core.bundled import load_bundled
from tests.e2e.pages import settled
from tests.every import none


def test_held_out_part_plane_and_decisions_are_drawn_with_words(page: Page, address: str, glider: str):
    page.goto(f"{address}/discover?run={glider}")
    settled(page)
    chart = page.get_by_role("figure", name="On the held-out part, grey: x0")
    expect(chart).to_be_visible()
    expect(chart.get_by_text("held out", exact=True)).to_be_visible()
    expect(chart.locator(".shapelayer path")).to_have_count(2)
    expect(page.get_by_text("Held-out part: yes")).to_be_visible()
    plane = page.get_by_role("figure", name="Phase portrait of x0 and x1")
    expect(plane).to_be_visible()
    expect(plane.get_by_text("start", exact=True)).to_be_visible()
    expect(plane.locator("path.js-line").nth(1)).to_be_attached()
    expect(page.get_by_role("figure", name="What was decided on the terms of x0")).to_be_visible()
    page.get_by_role("radiogroup", name="Equation of").get_by_text("x1").click()
    settled(page)
    expect(page.get_by_role("figure", name="What was decided on the terms of x1")).to_be_visible()


def test_the_front_stands_on_equations_and_a_click_on_it_shows_that_structure(page: Page, address: str, glider: str):
    page.goto(f"{address}/equations?run={glider}")
    settled(page)
    front = page.get_by_role("figure", name="Front of x1: least error on held-out data by size")
    expect(front).to_be_visible()
    expect(front.get_by_text("shown").first).to_be_visible()
    expect(front.locator("path.point").first).to_be_visible()
    front.locator("path.point").first.click(force=True)  # the ring of the one that is shown may lie over it
    expect(page.get_by_text("Instead.")).to_be_visible()


def test_the_slider_moves_the_grey_ground(page: Page, address: str):
    page.goto(f"{address}/data")
    settled(page)
    page.get_by_role("button", name=re.compile("Glider")).first.click()
    settled(page)
    ground = page.get_by_role("figure", name=re.compile("^Measured data")).locator(".shapelayer path").first
    before = ground.get_attribute("d") or ""
    page.get_by_role("slider", name="Held out from").press("ArrowRight")
    expect(ground).not_to_have_attribute("d", before)


def test_a_run_that_is_held_out_is_named_and_readable_on_its_tag(page: Page, address: str):
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}/data")
    settled(page)
    page.get_by_role("button", name=re.compile("^Two species")).first.click()
    settled(page)
    page.get_by_role("combobox", name="Runs to hold out").click()
    page.get_by_role("option", name="Mixture").click()
    page.keyboard.press("Escape")
    settled(page)
    expect(page.get_by_text("Mixture (held out)")).to_be_visible()
    expect(page.get_by_title("Mixture", exact=True)).to_have_css("color", "rgb(11, 15, 20)")


def test_an_editor_stays_at_its_place_with_an_error_in_it(page: Page, address: str, glider: str):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{address}/discover?run={glider}")
    settled(page)
    page.get_by_role("button", name="Try a term").click()
    settled(page)
    editor = page.get_by_test_id("stPopoverBody")
    before = editor.bounding_box()
    editor.get_by_label("Term", exact=True).fill("np.sinc(x0) + some_name_that_is_long*x1")
    page.keyboard.press("Tab")
    settled(page)
    expect(editor.get_by_text("Cannot read the term")).to_be_visible()
    after = editor.bounding_box()
    assert before is not None
    assert after is not None
    assert (after["x"], after["width"]) == (before["x"], before["width"])
    assert after["y"] + after["height"] <= 800


SCROLLED = """() => [...document.querySelectorAll('.st-key-measure, [class*="st-key-fan_"]')].map((row) => {
  const scrolls = ["auto", "scroll"].includes(getComputedStyle(row).overflowY);
  return scrolls && row.scrollHeight > row.clientHeight;
})"""


def test_no_row_of_the_rivals_and_of_the_plan_has_a_bar_to_scroll_with(page: Page, address: str, database: Path):
    store = runs.open_store(database)
    run = runs.start(store, load_bundled("coffee"), name="Coffee")
    runs.step_once(store, run)
    page.goto(f"{address}/equations?run={run}")
    settled(page)
    expect(page.get_by_role("button", name="Plan to fill in (CSV)")).to_be_visible()
    assert none(page.evaluate(SCROLLED))
