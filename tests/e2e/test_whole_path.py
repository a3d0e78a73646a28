"""One person's whole way in a browser: upload, auto mode, a veto, a term, new words, elsewhere and back, export."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from dolq_core import runs
from dolq_core.records import Intervention, Iteration, TermKey
from tests.agents.llm.replies import grades, proposal
from tests.agents.llm.server import is_sampler, serving
from tests.e2e.pages import press, settled
from tests.e2e.test_jobs import button, iterations, wait_for, way
from tests.e2e.test_models import choose, fill
from tests.waiting import until

AGAIN_MS = 5000.0  # after which a person tries once more
CROWDING, CUBE = TermKey(0, "prey**2"), TermKey(1, "hunter**3")


def slowly(body: dict) -> str:
    """A model that takes its time and always says the same."""
    time.sleep(0.5)
    if is_sampler(body):
        return proposal({"prey": ["prey", "prey*hunter", "prey**2"], "hunter": ["hunter", "prey*hunter"]})
    prey = {"prey": "good", "prey*hunter": "good", "prey**2": "neutral"}
    return grades(prey=prey, hunter={"hunter": "good", "prey*hunter": "good"})


@pytest.fixture
def model() -> Iterator[str]:
    with serving(*[slowly] * 5000) as server:
        yield f"{server.url}/v1"


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    x, y, rows = 10.0, 4.0, ["t,prey,hunter"]
    for i in range(4000):
        if i % 40 == 0:
            rows.append(f"{i * 0.005:.3f},{x:.6f},{y:.6f}")
        x, y = x + 0.005 * (0.9 * x - 0.1 * x * y), y + 0.005 * (-0.7 * y + 0.06 * x * y)
    path = tmp_path / "wood.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def go(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).first.click()
    expect(page).to_have_url(re.compile(f"/{name.lower()}"))
    settled(page)


def upload(page: Page, measured: Path) -> str:
    go(page, "Data")
    page.locator("input[type=file]").set_input_files(measured)
    expect(page.get_by_text("Ready to start")).to_be_visible()
    page.get_by_label("What is this system").fill("Hunters eat prey; prey multiply; hunters starve.")
    page.keyboard.press("Control+Enter")
    settled(page)
    press(page, "Start discovery")
    expect(page).to_have_url(re.compile("/discover.*run="))
    return page.url.split("run=")[1]


def opened(page: Page, name: re.Pattern[str]) -> Locator:
    """Open an editor, again where the page was drawn anew in the very moment of the click."""
    box = page.locator("[data-testid=stPopoverBody]").first

    def is_open() -> bool:
        if not box.is_visible():
            page.get_by_role("button", name=name).first.click()
        with suppress(TimeoutError):
            box.wait_for(timeout=AGAIN_MS)
        return box.is_visible()

    until(is_open)
    return box


def apply(page: Page, database: Path, run: str, count: int) -> None:
    """Press until the word is on record, as a person would."""
    page.keyboard.press("Escape")

    def is_on_record() -> bool:
        found = len(words_of(database, run)) >= count
        if not found and button(page, "Apply now").is_visible():
            with suppress(TimeoutError):  # it went away under the hand
                button(page, "Apply now").click(timeout=AGAIN_MS)
        return found

    until(is_on_record, every=0.5)


def veto(page: Page) -> None:
    """Remove prey**2 with a reason, while the run goes on."""
    box = opened(page, re.compile(r"prey\*\*2 in d.dt prey"))
    box.get_by_label("Your reason for prey² in d/dt prey").fill("Nothing crowds here")
    page.keyboard.press("Tab")
    box.get_by_text("remove", exact=False).last.click()


def try_term(page: Page) -> None:
    box = opened(page, re.compile("^Try a term"))
    box.get_by_role("combobox").first.click()
    page.get_by_role("option", name="d/dt hunter").click()
    box.get_by_role("textbox", name="Term").fill("hunter**3")
    expect(box.get_by_text("Reads as")).to_be_visible()
    button(page, "Add to the changes").click()


def describe(page: Page) -> None:
    page.get_by_text(re.compile("^Description, meanings and units")).click()
    page.get_by_label("What is this system").fill("Hunters eat prey, and nothing else happens.")
    page.keyboard.press("Control+Enter")
    button(page, "Save the words").click()


def words_of(database: Path, run: str) -> list[Intervention]:
    log = runs.load(runs.open_store(database), run).entries
    return [entry for entry in log if isinstance(entry, Intervention)]


def test_from_a_file_to_an_equation_with_a_person_in_the_loop(
    page: Page, address: str, database: Path, model: str, measured: Path
):
    page.goto(f"{address}/settings")
    settled(page)
    choose(page, model)
    fill(page, "Iterations", "400")
    fill(page, "Patience, in iterations", "400")
    run = upload(page, measured)

    button(page, "Auto").click()
    wait_for(database, run, 1)
    veto(page)
    apply(page, database, run, 1)
    try_term(page)
    apply(page, database, run, 2)
    describe(page)
    until(lambda: len(words_of(database, run)) == 3)

    go(page, "Equations")
    go(page, "History")
    page.reload()
    other = page.context.new_page()
    page.close()
    wait_for(database, run, iterations(database, run) + 2)
    other.goto(f"{address}/discover?run={run}")
    way(other, "Pause").click()
    expect(button(other, "Auto")).to_be_visible()
    obeyed(database, run)

    go(other, "History")
    fork_without(other, database, run)
    expect(other).to_have_url(re.compile("/discover.*run="))
    until(lambda: run not in other.url)
    fork = other.url.split("run=")[1]
    assert not runs.load(runs.open_store(database), fork).state.bans.get(CROWDING)

    go(other, "Equations")
    opened(other, re.compile("^Download"))
    with other.expect_download() as got:
        button(other, "Result (JSON)").click()
    document = json.loads(Path(got.value.path()).read_text())
    assert document["dataset"] == "wood.csv"
    assert set(document["equations"]) == {"prey", "hunter"}


def fork_without(page: Page, database: Path, run: str) -> None:
    """Press at the first word of the person's, which may stand among the older entries."""
    log = runs.load(runs.open_store(database), run).entries
    number = next(n for n, entry in enumerate(log) if isinstance(entry, Intervention))
    place = page.locator(f".st-key-fork_{number}").get_by_role("button", name="Fork without it")
    while not place.count():
        page.get_by_role("button", name=re.compile("^Show older")).last.click()
        settled(page)
    place.click()


def obeyed(database: Path, run: str) -> None:
    """The person's words are on record with author, reason and the evidence of the moment, and were followed."""
    log = runs.load(runs.open_store(database), run).entries
    first, second, third = words_of(database, run)
    (override,) = first.overrides
    assert (first.by, override.key, override.choice) == ("human", CROWDING, "remove")
    assert override.reason == "Nothing crowds here"
    assert override.machine is not None
    assert override.ablation is not None
    assert [note.key for note in second.propose] == [CUBE]
    assert third.description == "Hunters eat prey, and nothing else happens."
    after = [entry for entry in log[log.index(first) :] if isinstance(entry, Iteration)]
    assert after
    for done in after:
        assert CROWDING.skeleton not in {t.skeleton for c in done.proposal.candidates for t in c.terms[0]}
    next_one = next(entry for entry in log[log.index(second) :] if isinstance(entry, Iteration))
    assert CUBE.skeleton in {t.skeleton for c in next_one.proposal.candidates for t in c.terms[1]}
