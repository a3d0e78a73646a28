"""From a file as an instrument wrote it to an equation, with nothing edited but what the page asks for."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dolq_core import runs
from dolq_core.views.summary import result
from tests.e2e.pages import press, settled
from tests.e2e.test_accessibility import findings


def grown(start: float, t: float) -> float:
    """Logistic growth to 8 at a rate of 0.6."""
    rise = start * 2.718281828 ** (0.6 * t)
    return 8 * rise / (8 - start + rise)


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    """A table of a German instrument: two runs, a line above the names, units below them, decimal commas."""
    lines = ["Gerät 5, Labor 2", "Lauf;Zeit;Masse", ";h;g"]
    for label, start in (("A", 0.4), ("B", 2.5)):
        lines += [f"{label};{i / 5:.1f};{grown(start, i / 5):.5f}".replace(".", ",") for i in range(60)]
    path = tmp_path / "Hefe.csv"
    path.write_bytes("\r\n".join([*lines, ""]).encode("cp1252"))
    return path


@pytest.fixture
def thousands(tmp_path: Path) -> Path:
    """A table with commas between thousands, where every number could as well have a decimal comma."""
    path = tmp_path / "cells.txt"
    path.write_text("t;cells\n" + "".join(f"{i};{1000 * grown(1.2, i / 5):,.0f}\n" for i in range(60)))
    return path


def give(page: Page, address: str, file: Path) -> None:
    page.goto(f"{address}/data")
    settled(page)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_role("heading", name=re.compile(f"^{file.stem}"))).to_be_visible()
    settled(page)


def started(page: Page, database: Path) -> runs.Run:
    press(page, "Start discovery")
    expect(page).to_have_url(re.compile("/discover.*run="))
    return runs.load(runs.open_store(database), page.url.split("run=")[1])


def test_a_file_as_an_instrument_wrote_it_ends_in_its_law(page: Page, address: str, database: Path, measured: Path):
    give(page, address, measured)
    how = "Windows-1252 text, columns separated by semicolons, decimal commas, names in row 2, units in row 3."
    expect(page.get_by_text(how)).to_be_visible()
    expect(page.get_by_text("Ready to start")).to_be_visible()
    page.get_by_text(re.compile(r"^\d things assumed or left out$")).click()
    expect(page.get_by_text("1 line above the table, such as")).to_be_visible()
    page.get_by_role("tab", name="First rows").click()
    expect(page.get_by_role("cell", name="B").first).to_be_visible()
    assert findings(page) == []

    run = started(page, database)
    assert [len(one.t) for one in run.state.problem.dataset.trajectories] == [60, 60]
    expect(page.get_by_text("Iteration 1 of 10")).to_be_visible()
    terms = result(runs.load(runs.open_store(database), run.id))["equations"]["Masse"]["terms"]
    found = {term["text"]: term["coefficient"] for term in terms}
    assert found == pytest.approx({"Masse": 0.6, "Masse**2": -0.075}, rel=0.01)


def test_a_wrong_guess_is_put_right_on_the_page(page: Page, address: str, database: Path, thousands: Path):
    page.emulate_media(color_scheme="dark")
    give(page, address, thousands)
    expect(page.get_by_text("1.2 to ")).to_be_visible()
    page.get_by_role("button", name="Read it differently").click()
    body = page.locator("[data-testid=stPopoverBody]")
    expect(body.get_by_text("The file begins")).to_be_visible()
    settled(page)
    assert findings(page) == []
    body.get_by_role("combobox", name="Decimal marks are").click()
    page.get_by_role("option", name="points", exact=True).click()
    expect(page.get_by_text("1 200 to ")).to_be_visible()
    expect(body.get_by_role("button", name="Read it as found")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_label("Meaning of cells").fill("living cells")
    page.keyboard.press("Tab")
    settled(page)
    page.reload()
    settled(page)
    expect(page.get_by_text("1 200 to ")).to_be_visible()
    expect(page.get_by_label("Meaning of cells")).to_have_value("living cells")
    run = started(page, database)
    assert run.state.problem.dataset.trajectories[0].x[0, 0] == 1200


def test_time_that_starts_again_is_a_question_on_the_page(page: Page, address: str, database: Path, tmp_path: Path):
    file = tmp_path / "twice.csv"
    file.write_text("t,x\n" + "".join(f"{i % 20},{grown(0.4 + i // 20, i % 20):.5f}\n" for i in range(40)))
    give(page, address, file)
    expect(page.get_by_text("Time starts over in row 22.")).to_be_visible()
    expect(page.get_by_role("button", name="Start discovery")).to_be_disabled()
    assert findings(page) == []
    page.get_by_role("radio", name="separate runs").click()
    expect(page.get_by_text("Ready to start")).to_be_visible()
    assert [len(one.t) for one in started(page, database).state.problem.dataset.trajectories] == [20, 20]


def test_a_column_made_of_others_is_checked_as_it_is_typed(page: Page, address: str, tmp_path: Path):
    file = tmp_path / "boys.csv"
    file.write_text("day,in_bed\n" + "".join(f"{i},{3 + 20 * i}\n" for i in range(14)))
    give(page, address, file)
    page.locator("summary", has_text="Make or change columns").click()
    page.get_by_label("New column").fill("well")
    page.get_by_label("Formula").fill("763 - in_bedd")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Column 'well'")).to_be_visible()
    expect(page.get_by_role("button", name="Add", exact=True)).to_be_disabled()
    page.get_by_label("Formula").fill("763 - in_bed")
    page.keyboard.press("Tab")
    expect(page.get_by_text("500 to 760")).to_be_visible()
    assert findings(page) == []
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("combobox", name="Role of well")).to_be_visible()
    expect(page.get_by_role("button", name="well = 763 - in_bed")).to_be_visible()
    page.get_by_role("button", name="well = 763 - in_bed").click()
    expect(page.get_by_role("combobox", name="Role of well")).to_have_count(0)
