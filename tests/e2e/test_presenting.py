"""On a room's screen: laws stay within their cards, and what leads on is in sight."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dolq_core import runs
from dolq_core.bundled import load_bundled
from pages.ui.presenting import LEAST
from tests.e2e.pages import settled
from tests.e2e.walk import SMALL, SMALL_ROOM
from tests.stored import scripted

NAMES = ("algae density", "rotifers per ml")
PAST = """() => [...document.querySelectorAll('[class*=st-key-eq_room_]')].flatMap(card =>
    [...card.querySelectorAll('.katex-html > .base')]
        .filter(part => part.getBoundingClientRect().right > card.getBoundingClientRect().right - 4)
        .map(part => part.textContent))"""
SCROLLED = """() => {
    const main = document.querySelector('[data-testid=stMain]')
    return main.scrollHeight - main.clientHeight }"""


def stored_laws(database: Path, *laws: list[str]) -> str:
    """A run of two states with long names, and these laws."""
    given = load_bundled("lynx-hare")
    states = tuple(replace(one, name=name) for one, name in zip(given.dataset.states, NAMES, strict=True))
    named = replace(given, dataset=replace(given.dataset, states=states))
    return scripted(named, [list(laws)], name="Plankton", place=runs.open_store(database)).id


@pytest.mark.parametrize(
    "laws",
    [
        (["hare_thousands", "hare_thousands*lynx_thousands/(p1 + hare_thousands)"], ["lynx_thousands"]),
        (
            ["hare_thousands", "hare_thousands*lynx_thousands/(p1 + p2*lynx_thousands + hare_thousands)",
             "hare_thousands**2", "sin(p1*t + p2)*hare_thousands", "lynx_thousands**2"],
            ["lynx_thousands", "1", "hare_thousands*sin(p1*t)", "hare_thousands**2", "hare_thousands*lynx_thousands"],
        ),
    ],
)  # fmt: skip
def test_no_law_runs_past_its_card_and_the_ways_on_are_in_sight(page: Page, address: str, database: Path, laws):
    page.set_viewport_size(SMALL_ROOM)
    page.goto(f"{address}/discover?run={stored_laws(database, *laws)}&present=1")
    settled(page)
    assert page.evaluate(PAST) == []
    assert page.evaluate(SCROLLED) <= 0
    expect(page.get_by_role("button", name="Your word")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Equations")).to_be_in_viewport(ratio=1)
    assert page.evaluate(SMALL, LEAST) == []
