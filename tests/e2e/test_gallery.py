"""The gallery in a browser: a slider redraws the preview, and the run has the data that were shown."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from dolq_core import runs
from dolq_core.bundled import SamplePlan, load_bundled
from tests.e2e.pages import settled
from tests.e2e.test_accessibility import becomes_dark, findings, scrolled_sideways


def test_noise_is_chosen_seen_and_started_with(page: Page, address: str, database: Path) -> None:
    """Light and wide first, then on a phone in the dark."""
    page.goto(f"{address}/data")
    page.get_by_role("button", name=re.compile("^A reaction that feeds")).click()
    expect(page.get_by_role("heading", name="A reaction that feeds on its product")).to_be_in_viewport()
    settled(page)
    chart = page.get_by_role("figure", name=re.compile("^Measured data"))
    clean = page.get_by_role("figure", name=chart.get_attribute("aria-label") or "", exact=True)
    page.get_by_role("slider", name=re.compile("^Noise")).first.focus()
    page.keyboard.press("End")
    expect(clean).to_have_count(0)
    settled(page)
    expect(chart).to_have_count(1)
    assert findings(page) == []
    assert scrolled_sideways(page) <= 1280
    becomes_dark(page)
    page.set_viewport_size({"width": 390, "height": 900})
    settled(page)
    assert findings(page) == []
    assert scrolled_sideways(page) <= 390
    words, checks = page.get_by_label("What is this system"), page.get_by_role("heading", name="Are the data good")
    assert words.bounding_box()["y"] < checks.bounding_box()["y"]  # the checks are long
    page.get_by_role("button", name="Start discovery").click()
    expect(page.get_by_role("heading", name=re.compile("10 % noise, seed 0"))).to_be_visible()
    run = runs.list_runs(runs.open_store(database))[0]
    wanted = load_bundled("system-4", SamplePlan(noise=0.1)).dataset
    assert runs.load(runs.open_store(database), run.id).state.problem.dataset == wanted
