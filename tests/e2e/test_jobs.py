"""Auto mode in a real browser: it goes on through clicks, page changes, a reload and a closed tab; a veto counts."""

import time
from pathlib import Path

from playwright.sync_api import Page, expect

from dolq_core import runs
from tests.e2e.pages import press, settled
from tests.waiting import until


def iterations(database: Path, run: str) -> int:
    return runs.load(runs.open_store(database), run).state.iteration


def wait_for(database: Path, run: str, at_least: int) -> None:
    until(lambda: iterations(database, run) >= at_least, every=0.1)


def button(page: Page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def way(page: Page, name: str):
    return page.get_by_role("radio", name=name)


def pause(page: Page, database: Path, run: str) -> int:
    way(page, "Pause").click()
    expect(button(page, "Auto")).to_be_visible()
    return iterations(database, run)


def test_auto_goes_on_while_the_person_is_elsewhere(page: Page, address: str, database: Path, long_run: str):
    page.goto(f"{address}/discover?run={long_run}")
    settled(page)
    button(page, "Auto").click()
    expect(way(page, "Pause")).to_be_visible()
    page.get_by_role("link", name="History").click()
    expect(page.locator("[data-testid=stSidebar]").get_by_text("Iteration").last).to_be_visible()
    wait_for(database, long_run, iterations(database, long_run) + 1)
    page.reload()
    page.get_by_role("link", name="Discover").click()
    expect(way(page, "Pause")).to_be_visible()
    other = page.context.new_page()
    page.close()
    wait_for(database, long_run, iterations(database, long_run) + 1)
    other.goto(f"{address}/discover?run={long_run}")
    expect(way(other, "Pause")).to_be_visible()
    done = pause(other, database, long_run)
    expect(other.get_by_text(f"Iteration {done} of 400")).to_be_visible()
    assert other.locator("[data-testid=stException]").count() == 0
    time.sleep(1.0)
    assert iterations(database, long_run) == done


def test_a_veto_in_the_middle_counts_from_then_on_and_stop_keeps_what_is_finished(
    page: Page, address: str, database: Path, long_run: str
):
    page.set_viewport_size({"width": 1280, "height": 2000})  # the popover opens near the end of the page
    page.goto(f"{address}/discover?run={long_run}")
    settled(page)
    button(page, "Auto").click()
    expect(way(page, "Pause")).to_be_visible()
    page.get_by_role("button", name="Ban or unban").click()
    box = page.locator("[data-testid=stPopoverBody]")
    box.get_by_role("textbox").first.fill("x1")
    page.keyboard.press("Enter")
    expect(box.get_by_text("Reads as")).to_be_visible()
    page.get_by_role("button", name="Ban this term").click()
    until(lambda: runs.load(runs.open_store(database), long_run).state.bans, every=0.1)
    wait_for(database, long_run, iterations(database, long_run) + 2)
    pause(page, database, long_run)
    state = runs.load(runs.open_store(database), long_run).state
    banned = {key for key, ban in state.bans.items() if ban.by == "human"}
    proposed = state.last.proposal.candidates
    assert banned
    assert not {(j, t.skeleton) for c in proposed for j, terms in enumerate(c.terms) for t in terms} & {
        (key.equation, key.skeleton) for key in banned
    }
    button(page, "Auto").click()
    way(page, "Stop").click()
    expect(page.get_by_text("every finished one is kept")).to_be_visible()
    expect(button(page, "Auto")).to_be_visible()
    done = iterations(database, long_run)
    expect(page.get_by_text(f"Iteration {done} of 400")).to_be_visible()


def test_two_tabs_on_one_run_agree(page: Page, address: str, database: Path, long_run: str):
    page.goto(f"{address}/discover?run={long_run}")
    settled(page)
    other = page.context.new_page()
    other.goto(f"{address}/discover?run={long_run}")
    settled(other)
    press(page, "Step")
    expect(page.get_by_text("Iteration 2 of 400")).to_be_visible()
    other.reload()
    expect(other.get_by_text("Iteration 2 of 400")).to_be_visible()
    assert iterations(database, long_run) == 2
