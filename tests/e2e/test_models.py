"""A run with a language model in a real browser: chosen, tested, asked, on record; the key is nowhere."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.agents.llm.replies import grades, proposal
from tests.agents.llm.server import is_sampler, serving
from tests.e2e.pages import press, settled
from tests.every import none
from tests.waiting import until

KEY = "sk-marked-0123456789"
SUM = '{"answer": "5"}'
PROPOSED = proposal({"yeast": ["yeast", "yeast**2"]}, {"yeast": ["yeast", "1"]})
GRADED = grades("It grows and it is crowded.", yeast={"yeast": "good", "yeast**2": "good", "1": "neutral"})


def model(body: dict) -> str:
    """What the model says: to a test of the connection, to the Sampler's prompt, to the Scientist's."""
    if "two plus three" in str(body["messages"]):
        return SUM
    return PROPOSED if is_sampler(body) else GRADED


def fill(page: Page, label: str, text: str) -> None:
    page.get_by_label(label, exact=True).first.fill(text)
    page.keyboard.press("Enter")
    settled(page)


def choose(page: Page, url: str) -> None:
    page.get_by_text("Language models: one proposes").click()
    settled(page)
    fill(page, "Model", "m")
    fill(page, "Address", url)
    fill(page, "Key", KEY)


def is_chosen(page, name):
    """Choose it if it is not: a click on what was drawn at this moment may not be heard."""
    choice = page.get_by_role("radio", name=name).last
    if not choice.is_checked():
        choice.click()
        settled(page)
    return choice.is_checked()


def test_a_model_proposes_and_grades(page: Page, address: str, database: Path):
    with serving(*[model] * 20) as server:
        page.goto(f"{address}/settings")
        settled(page)
        choose(page, f"{server.url}/v1")
        press(page, "Test connection")
        expect(page.get_by_text("m-2026 answers")).to_be_visible()
        page.get_by_role("link", name="Start").first.click()
        settled(page)
        press(page, "Try it on yeast")
        expect(page.get_by_text("Nothing has been sent yet")).to_be_visible()
        press(page, "Step")
        expect(page.get_by_text("It grows and it is crowded.")).to_be_visible()
    assert {headers["authorization"] for _, headers, _ in server.asked} == {f"Bearer {KEY}"}
    sources = [page.content()]
    page.get_by_role("link", name="History").first.click()
    settled(page)
    page.get_by_text("Iteration 1: ").last.click()
    settled(page)
    expect(page.get_by_text("2 calls of language models")).to_be_visible()
    until(lambda: is_chosen(page, "Call 1, sampler"))
    expect(page.get_by_text("# Your task")).to_be_visible()
    sources.append(page.content())
    page.get_by_role("link", name="Settings").first.click()
    settled(page)
    sources.append(page.content())
    stored = b"".join(path.read_bytes() for path in database.parent.rglob("*") if path.is_file())
    assert b"It grows and it is crowded." in stored
    assert KEY.encode() not in stored
    assert none(KEY in source for source in sources)
