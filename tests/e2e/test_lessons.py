"""The lessons in a browser: one is walked with the keyboard alone, the others are opened and looked at."""

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.ui.presenting import LEAST
from tests.e2e.pages import settled
from tests.e2e.test_accessibility import becomes_dark, findings, scrolled_sideways
from tests.e2e.walk import LARGE_ROOM, PHONE, SMALL, SMALL_ROOM, UNSEEN, looked_at, walked


def press(page: Page, name: str) -> None:
    """Press a button with the keyboard."""
    button = page.get_by_role("button", name=name, exact=True)
    expect(button).to_be_enabled()
    button.focus()
    page.keyboard.press("Enter")


def test_yeast_is_walked_with_the_keyboard_and_a_reload_loses_nothing(page: Page, address: str):
    page.goto(f"{address}/lessons")
    press(page, "What stops growth?")
    middle = page.get_by_role("radio", name="In the middle")
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page.get_by_role("radio", name="At the start").focus()
    page.keyboard.press("ArrowDown")
    expect(middle).to_be_checked()
    press(page, "Answer")
    expect(page.get_by_text("Two things must be at work")).to_be_visible()
    press(page, "Next")
    press(page, "Do one iteration")
    expect(page.get_by_role("radio", name="hold")).to_be_visible()
    expect(page.get_by_text("It is kept")).to_have_count(0)
    page.reload()
    press(page, "I do not know")
    expect(page.get_by_text("It is kept")).to_be_visible()
    settled(page)
    assert findings(page) == []
    assert scrolled_sideways(page) <= 1280
    press(page, "Next")
    expect(page.get_by_role("heading", name="Two grades for each term")).to_be_visible()
    press(page, "All lessons")
    expect(page.get_by_text("step 3")).to_be_visible()


def test_nobody_stumbles_over_a_step_before_and_after_its_answer(page: Page, address: str):
    """On a phone, in the dark; the list of lessons is looked at with all other pages."""
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}/lessons")
    page.get_by_role("button", name="Knowing when there is nothing").click()
    page.get_by_role("button", name="I do not know").click()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Do one iteration").click()
    expect(page.get_by_role("radio", name="No term at all")).to_be_visible()
    settled(page)
    assert findings(page) == []
    page.get_by_role("button", name="I do not know").click()
    expect(page.get_by_text("Each term makes the error a little smaller")).to_be_visible()
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_role("button", name="Leave")).to_be_visible()
    settled(page)
    assert findings(page) == []
    assert scrolled_sideways(page) <= 390


def test_the_browsers_back_goes_back_a_step_and_then_to_the_list(page: Page, address: str):
    page.goto(f"{address}/lessons")
    page.locator(".st-key-open_magnets button").first.click()
    page.get_by_role("button", name="I do not know").click()
    expect(page.locator(".st-key-lesson_question")).to_be_focused()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="A short law")).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", name="Two magnets")).to_be_visible()
    expect(page.get_by_text("It is:")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="A short law")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Two magnets")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Lessons")).to_be_visible()


INSIDE = "document.activeElement.closest('[data-testid=stPopoverBody]') !== null"


def test_new_words_are_one_tab_from_their_button_and_stumble_nobody_in_either_theme(page: Page, address: str):
    page.set_viewport_size(SMALL_ROOM)
    page.goto(f"{address}/lessons")
    file = page.get_by_role("button", name="Open a lesson file")
    tabbed_into(page, file)
    page.keyboard.press("Shift+Tab")
    expect(file).to_be_focused()
    page.goto(f"{address}/lessons?present=1")
    page.locator(".st-key-open_yeast button").first.click()
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("button", name="Do one iteration")).to_be_visible()
    settled(page)
    tabbed_into(page, page.get_by_role("button", name="new words"))
    expect(page.locator("[data-testid=stPopoverBody]")).to_contain_text("one round: propose terms")
    assert findings(page) == []
    assert page.evaluate(SMALL, LEAST) == []
    becomes_dark(page)
    expect(page.locator("[data-testid=stPopoverBody]")).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Tab")
    assert not page.evaluate(INSIDE)


def tabbed_into(page: Page, button: Locator) -> None:
    """Open what a button opens, and go into it, with the keyboard."""
    settled(page)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-testid=stPopoverBody]")).to_be_visible()
    settled(page)  # what it holds comes piece by piece: the first that can be reached is not the first for long
    assert not page.evaluate(INSIDE)
    page.keyboard.press("Tab")
    assert page.evaluate(INSIDE)


def test_one_key_leads_a_room_through_a_lesson_and_nothing_is_small_or_cut_off(page: Page, address: str):
    """All lessons, in every size: `python -m tests.e2e.walk`."""
    page.set_viewport_size(SMALL_ROOM)
    page.goto(f"{address}/lessons?present=1")
    page.locator(".st-key-open_lynx-hare button").first.click()
    expect(page.get_by_text("Step 1 of 5")).to_be_visible()
    key = page.locator("button:has-text('PageDown')")
    pressed = []
    while page.get_by_text("All answers were shown.").count() == 0:
        expect(key).to_have_count(1)
        settled(page)
        for size in (LARGE_ROOM, SMALL_ROOM):
            page.set_viewport_size(size)
            assert looked_at(page, room=True) == [], (size, pressed)
        assert findings(page) == [], pressed
        pressed.append(key.inner_text())
        page.keyboard.press("PageDown")
        expect(key.filter(has_text=pressed[-1].split("\n")[0])).to_have_count(0)
        settled(page)
    assert page.get_by_text("of 5 right").count() == 0
    assert sum("Show the answer" in said for said in pressed) == 5
    assert sum("iteration" in said for said in pressed) == 1


@pytest.mark.parametrize("name", ["glider", "magnets"])
def test_long_laws_and_lists_of_rivals_fit_a_small_room(name: str, page: Page, address: str):
    page.set_viewport_size(SMALL_ROOM)
    for rest in walked(page, address, name, room=True):
        assert looked_at(page, room=True) == [], rest


def test_on_a_phone_nothing_is_cut_off_and_an_answer_is_seen_although_it_reveals_pictures(page: Page, address: str):
    page.set_viewport_size(PHONE)
    rests = []
    for rest in walked(page, address, "word", room=False):
        rests.append(rest)
        assert looked_at(page, room=False) == [], rest
        assert not rest.endswith("c") or page.evaluate(UNSEEN) == [], rest
    assert rests[-1] == "4c"
