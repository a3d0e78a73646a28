"""The lessons in a browser: one is walked with the keyboard alone, the others are opened and looked at."""

from playwright.sync_api import Browser, Page, expect

from tests.e2e.pages import opened, settled
from tests.e2e.test_accessibility import findings, scrolled_sideways


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


def test_nobody_stumbles_over_a_step_before_and_after_its_answer(browser: Browser, address: str):
    """On a phone, in the dark; the list of lessons is looked at with all other pages."""
    size = {"width": 390, "height": 844}
    with opened(browser, viewport=size, color_scheme="dark", bypass_csp=True) as page:
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
