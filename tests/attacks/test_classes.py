"""The key of a class lets a browser into a place of that class, and nowhere else."""

import pytest
from playwright.sync_api import expect

from dolq_core import lessons, runs
from dolq_core.bundled import load_bundled
from tests.attacks.test_sites import asked, browser
from tests.e2e.pages import LISTENING, press, settled
from tests.e2e.server import served
from tests.lessons.test_reading import GOOD

__all__ = ["browser"]


@pytest.fixture
def beyond(tmp_path, monkeypatch):
    """The app as it listens beyond this machine, with a class and a run of the teacher's; its name and the class."""
    database = tmp_path / "runs.db"
    monkeypatch.setenv("DOLQ_DB", str(database))
    room = lessons.open_class("mine.toml", GOOD.encode())
    run = runs.start(runs.open_store(), load_bundled("yeast"), name="The teacher's own")
    with served(database, profile={"STREAMLIT_SERVER_ADDRESS": "0.0.0.0"}) as url:
        yield url.removeprefix("http://"), room, run


def test_the_key_of_a_class_opens_a_place_and_nothing_of_the_teachers(beyond, browser):
    host, room, run = beyond
    other = lessons.open_class("mine.toml", GOOD.encode())
    for query in ("", f"class={room.id}", f"class={room.id}&key=x", f"class={room.id}&key={other.key}", "class=&key="):
        assert asked(host, f"/lessons?{query}").status == 403
    answer = asked(host, f"/lessons?class={room.id}&key={room.key}")
    assert (answer.status, answer.headers["location"]) == (303, f"/lessons?class={room.id}")
    assert "HttpOnly" in answer.headers["set-cookie"]

    context = browser.new_context()
    context.add_init_script(LISTENING)
    page = context.new_page()
    page.goto(f"http://{host}/lessons?class={room.id}&key={room.key}")
    settled(page)
    press(page, "Take a place")
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    for path in (f"discover?run={run}", "history", f"lessons?teach={room.id}"):
        page.goto(f"http://{host}/{path}")
        settled(page)
        expect(page.get_by_text("The teacher's own")).to_have_count(0)
        expect(page.get_by_role("button", name="End the class and clear it")).to_have_count(0)
    page.goto(f"http://{host}/lessons?class={other.id}")
    settled(page)
    expect(page.get_by_role("button", name="Take a place")).to_be_visible()
    press(page, "Take a place")
    assert len(lessons.ways(other)) == 0, "the cookie's class is the only one"
    lessons.clear(room)
    assert asked(host, "/", Cookie=f"dolq_class={room.id}.{room.key}").status == 403
    context.close()
