"""Tables as people have them, walked in a browser from the upload to the law they were made from."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dolq_core import runs
from dolq_core.data import read_table, understand
from dolq_core.records import Problem, Settings
from dolq_core.views.summary import result
from tests.e2e.pages import press, settled
from tests.e2e.test_accessibility import findings
from tests.e2e.test_upload import give
from tests.six import SIX, Six, logger
from tests.stored import fitted


@pytest.mark.parametrize("one", SIX, ids=lambda one: one.name)
def test_a_table_as_people_have_it_ends_in_its_law(page: Page, address: str, database: Path, tmp_path: Path, one: Six):
    file = tmp_path / one.name
    file.write_bytes(one.write())
    give(page, address, file)
    if one.question:
        asked, answer = one.question
        expect(page.get_by_text(asked).first).to_be_visible()
        expect(page.get_by_role("button", name="Start discovery")).to_be_disabled()
        assert findings(page) == []
        page.get_by_role("radio", name=answer).click()
    expect(page.get_by_text("Ready to start")).to_be_visible()
    settled(page)
    press(page, "Start discovery")
    expect(page).to_have_url(re.compile("/discover.*run="))
    run = page.url.split("run=")[1]
    expect(page.get_by_text("Iteration 1 of")).to_be_visible()
    expect(page.get_by_role("button", name="Step", exact=True)).to_be_visible()
    settled(page)
    said = page.locator("[data-testid=stMain]").inner_text()
    assert "`" not in said
    doubled = re.findall(r"[(\[][^()\[\]]+[)\]]\s*\([^()]+\)", said)
    assert not doubled

    found = {
        name: {term["text"]: term["coefficient"] for term in equation["terms"]}
        for name, equation in result(runs.load(runs.open_store(database), run))["equations"].items()
    }
    assert found == {name: pytest.approx(terms, rel=one.within) for name, terms in one.law.items()}


def test_a_loggers_switch_and_room_keep_their_law_however_many_rows_there_are():
    """To search for it takes half a minute; that a search finds the law of a switch is seen on the oil."""
    data = understand(read_table(logger(switched=True), "logger.csv")).dataset
    (found,) = fitted(Problem(data), [["1", "T", "heater"]], Settings(held_out=0.0)).state.best
    assert found is not None
    terms = {term.skeleton: term.coefficient for term in found.fit.terms}
    assert terms == pytest.approx({"1": 64.8, "T": -3.6, "heater": 1.8}, rel=0.1)
