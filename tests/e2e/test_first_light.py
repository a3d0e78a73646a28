"""The whole path in a real browser: upload, start, step, veto, step, reload, find the run again."""

import re
from dataclasses import replace
from math import exp
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dolq_core import runs
from dolq_core.bundled import generate, load_bundled
from dolq_core.records import Settings
from tests.e2e.pages import press, settled
from tests.e2e.server import served
from tests.stored import scripted


def test_a_bookmark_opens_its_page_on_a_server_that_has_just_started(page: Page, tmp_path: Path):
    """Streamlit would lay 'Page not found' over the first page of a server that is not the start page."""
    with served(tmp_path / "runs.db") as address:
        page.goto(f"{address}/history")
        page.wait_for_function("performance.getEntriesByType('navigation')[0].type === 'reload'")
        settled(page)
        expect(page.get_by_role("heading", name="History")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_one_back_leads_to_the_page_before(page: Page, address: str, glider: str):
    page.goto(f"{address}/history?run={glider}")
    settled(page)
    page.get_by_role("link", name="Equations", exact=True).click()
    page.wait_for_url(f"{address}/equations?run={glider}")
    settled(page)
    page.go_back()
    page.wait_for_url(f"{address}/history?run={glider}")
    settled(page)
    expect(page.get_by_role("heading", name="History")).to_be_visible()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Prey that become hunters one for one, so that each law can be said in two ways; the names look like markup."""
    prey = [10 * exp(-0.1 * i) for i in range(40)]
    path = tmp_path / "hunters.csv"
    rows = (f"{i / 5:.1f},{one:.5f},{20 - one:.5f}\n" for i, one in enumerate(prey))
    path.write_text("t,prey $a$,hunter <b>\n" + "".join(rows))
    return path


@pytest.fixture(scope="module")
def stepped(database: Path) -> str:
    """A run of two iterations on lynx and hare, in the database of the app."""
    both = "hare_thousands*lynx_thousands"
    law = [["hare_thousands", both], ["lynx_thousands", both]]
    return scripted(load_bundled("lynx-hare"), [law], [law], place=runs.open_store(database)).id


def start(page: Page, address: str, table: Path) -> str:
    page.goto(f"{address}/data")
    settled(page)
    page.locator("input[type=file]").set_input_files(table)
    expect(page.get_by_text("Ready to start")).to_be_visible()
    settled(page)
    page.get_by_label("What is this system").fill("Prey become hunters, and nothing else happens.")
    page.keyboard.press("Control+Enter")
    settled(page)
    press(page, "Start discovery")
    expect(page).to_have_url(re.compile("/discover.*run="))
    return page.url.split("run=")[1]


def test_upload_step_veto_step_reload(page: Page, address: str, table: Path):
    run = start(page, address, table)
    expect(page.get_by_text("Iteration 1 of 10")).to_be_visible()  # the first one begins by itself
    settled(page)
    body = page.locator("[data-testid=stMain]")
    expect(body).to_contain_text("prey $a$")  # strange names are shown as they are
    expect(body).to_contain_text("hunter <b>")
    assert page.locator(".katex-error").count() == 0

    quiet = page.locator('[class*="st-key-row_0_"]').first
    quiet.get_by_role("button").first.click()
    group = page.locator("[data-testid=stPopoverBody]")
    group.get_by_label("Your reason for").fill("I do not believe it")
    page.keyboard.press("Tab")
    settled(page)
    vetoed = group.get_by_label("Your reason for").get_attribute("aria-label")
    group.get_by_text("remove", exact=False).last.click()
    settled(page)
    page.keyboard.press("Escape")
    expect(page.get_by_text("1 change.")).to_be_visible()
    page.get_by_role("button", name="Apply and continue").click()
    expect(page.get_by_text("Iteration 2 of 10")).to_be_visible()
    settled(page)

    banned = page.locator("[data-testid=stTable]").filter(has_text="I do not believe it")
    expect(banned).to_be_visible()
    expect(banned).to_contain_text("you")
    assert vetoed
    assert page.get_by_label(vetoed, exact=True).count() == 0

    page.reload()
    settled(page)
    expect(page.get_by_text("Iteration 2 of 10")).to_be_visible()
    expect(banned).to_be_visible()

    page.goto(address)
    settled(page)
    page.get_by_role("button", name="Continue hunters · iteration 2").click()
    expect(page).to_have_url(re.compile(f"/discover.*run={run}"))
    expect(page.get_by_text("Iteration 2 of 10")).to_be_visible()


def test_what_the_keyboard_reaches_is_not_behind_the_bar(page: Page, address: str, stepped: str):
    page.set_viewport_size({"width": 1280, "height": 560})
    page.goto(f"{address}/discover?run={stepped}")
    settled(page)
    bar = page.locator(".st-key-apply")
    rows = page.locator('[class*="st-key-row_"] [data-testid=stPopoverButton]')
    assert rows.count() > 3
    for row in rows.all():
        row.focus()
        mine, other = row.bounding_box(), bar.bounding_box()
        assert mine
        assert other
        assert mine["y"] + mine["height"] <= other["y"] or mine["y"] >= other["y"] + other["height"]


def test_a_choice_tells_its_term_and_once_withdrawn_does_not_come_back_with_the_next(
    page: Page, address: str, stepped: str
):
    page.goto(f"{address}/discover?run={stepped}")
    settled(page)
    quiet = page.locator('[class*="st-key-row_"] [data-testid=stPopoverButton]')
    names = quiet.evaluate_all("all => all.map(one => one.textContent)")  # as a screen reader says them
    assert len(set(names)) == len(names) > 3
    for row in (0, 1):
        quiet.nth(row).click()
        page.locator("[data-testid=stPopoverBody]").get_by_role("radio", checked=False).last.click()
        page.keyboard.press("Escape")
        expect(page.get_by_text("1 change.")).to_be_visible()
        page.get_by_role("button", name="Withdraw").click()
        expect(page.get_by_role("button", name="Withdraw")).to_have_count(0)
        settled(page)


def test_for_a_room_the_chart_ends_on_the_screen_however_much_is_said_of_the_run(
    page: Page, address: str, database: Path
):
    words = "Prey meet predators and are hunted for food."
    odd = replace(generate(2, noise=0.01, points=100, seed=2), description=words)
    one_too_many = [["sin(x1)", "x0**2", "x0"], ["cos(x1)/x0", "x0", "x1"]]
    place = runs.open_store(database)
    run = scripted(odd, [one_too_many], settings=Settings(), name="A glider in other words", place=place).id
    page.goto(f"{address}/discover?run={run}")
    settled(page)
    expect(page.locator(".st-key-head")).to_contain_text("Waiting for you")
    press(page, "Present")
    stage = page.locator(".st-key-stage").bounding_box()
    assert stage
    assert stage["y"] + stage["height"] <= 900


@pytest.fixture
def grown(database: Path) -> str:
    """A run with one iteration, on yeast, whose next iteration takes a second."""
    law = [["yeast", "yeast**2"]]
    return scripted(load_bundled("yeast"), [law], place=runs.open_store(database)).id


def choose(page: Page, word: str) -> None:
    """Say it of the first term."""
    page.locator('[class*="st-key-row_"] [data-testid=stPopoverButton]').first.click()
    page.locator("[data-testid=stPopoverBody]").get_by_text(word, exact=False).last.click()
    page.keyboard.press("Escape")
    expect(page.get_by_text("1 change.")).to_be_visible()


def test_a_word_without_a_step_is_seen_at_once_and_before_another_tab_goes_on(
    page: Page, address: str, database: Path, grown: str
):
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(f"{address}/discover?run={grown}")
        settled(tab)
    choose(page, "remove")
    press(page, "Apply")
    for tab in (page, other):
        expect(tab.get_by_text("1 term banned")).to_be_visible()
        expect(tab.get_by_text("You: remove")).to_be_visible()
        if tab is page:
            press(other, "Continue")
    assert [type(one).__name__ for one in runs.load(runs.open_store(database), grown).entries] == [
        "Start", "Iteration", "Intervention"
    ]  # fmt: skip


def test_what_still_waits_is_said_until_it_is_withdrawn(page: Page, address: str, database: Path, grown: str):
    page.goto(f"{address}/discover?run={grown}")
    settled(page)
    choose(page, "pin")
    runs.step_once(runs.open_store(database), grown)
    page.get_by_role("button", name="Step", exact=True).click()
    waits = page.get_by_text("Still to be applied")
    expect(waits).to_be_visible()
    press(page, "Withdraw")
    expect(page.get_by_text("1 change.")).to_have_count(0)
    expect(waits).to_have_count(0)


def test_what_waits_is_applied_before_the_step_that_was_asked_for(page: Page, address: str, database: Path, grown: str):
    page.goto(f"{address}/discover?run={grown}")
    settled(page)
    choose(page, "remove")
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.get_by_text("Go on with your 1 change, or without?")).to_be_visible()
    page.get_by_role("button", name="Apply and go on").click()
    expect(page.get_by_text("Iteration 2 of 10")).to_be_visible()
    expect(page.get_by_text("1 change.")).to_have_count(0)
    assert [type(one).__name__ for one in runs.load(runs.open_store(database), grown).entries] == [
        "Start", "Iteration", "Intervention", "Iteration"
    ]  # fmt: skip


def test_two_clicks_on_step_are_one_iteration(page: Page, address: str):
    page.goto(address)
    settled(page)
    press(page, "Try it on yeast")
    expect(page.get_by_text("Iteration 1 of 10")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Step", exact=True).dblclick()
    expect(page.get_by_text("Iteration 2 of 10")).to_be_visible()
    settled(page)
    assert page.get_by_text("Iteration 3 of 10").count() == 0
    assert page.locator("[data-testid=stException]").count() == 0


def test_a_step_goes_on_when_the_page_is_left(page: Page, address: str, database: Path, long_run: str):
    page.goto(f"{address}/discover?run={long_run}")
    settled(page)
    page.get_by_role("button", name="Step", exact=True).click()
    page.get_by_role("link", name="History").click()
    expect(page.get_by_text("Iteration 2:")).to_be_visible()
    page.get_by_role("link", name="Discover").click()
    expect(page.get_by_text("Iteration 2 of 400")).to_be_visible()
    assert page.locator("[data-testid=stException]").count() == 0
    assert runs.load(runs.open_store(database), long_run).state.iteration == 2
