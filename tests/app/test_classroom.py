"""A class on the pages: a learner takes a place and waits for the reveal; the teacher sees the answers and tells."""

import pytest
from streamlit.testing.v1 import AppTest

from dolq_core import lessons, runs
from dolq_core.bundled import load_bundled
from dolq_core.lessons import Class
from dolq_core.ports import LOCAL
from tests.app.scenes import ROOT, app, press, read, shown
from tests.lessons.test_reading import GOOD
from tests.waiting import LONGEST_S


@pytest.fixture
def room() -> Class:
    return lessons.open_class("mine.toml", GOOD.encode())


def learner(room: Class, name: str = "") -> AppTest:
    """Follow the link and take a place."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_S)
    at.query_params["class"], at.query_params["key"] = room.id, room.key
    at.run()
    if name:
        at.text_input(key="class.name").set_value(name).run()
    press(at, "Take a place")
    at.switch_page("pages/lessons/page.py").run()
    return at


def test_a_learner_answers_and_sees_the_answer_when_the_teacher_tells_it(room):
    at = learner(room, "Ada")
    assert "Step 1 of 2" in shown(at)
    at.radio[0].set_value("1").run()
    press(at, "Answer")
    assert "Your answer is in" in read(at)
    assert "It is:" not in read(at)
    assert at.button(key="lesson.next").disabled
    lessons.reveal(room, 0)
    at.run()
    assert "You said" in read(at)
    assert not at.button(key="lesson.next").disabled


def test_two_learners_share_nothing_and_the_teachers_runs_are_not_theirs(room):
    runs.start(runs.open_store(), load_bundled("yeast"), name="The teacher's")
    first, second = learner(room), learner(room)
    first.radio[0].set_value("1").run()
    press(first, "Answer")
    second.run()
    assert "Your answer is in" not in read(second)
    second.switch_page("pages/history/page.py").run()
    assert "The teacher's" not in shown(second)


def test_the_teacher_sees_the_answers_reveals_and_clears(room):
    for said in ("1", "2", "2"):
        at = learner(room, "Ada" if said == "1" else "")
        at.radio[0].set_value(said).run()
        press(at, "Answer")
    at = app("lessons")
    at.button(key=f"class_{room.id}").click().run()
    assert not at.exception
    assert "3 places, 3 answered" in shown(at)
    assert "Ada\\, 2 without a name" in shown(at)
    (chart,) = at.get("plotly_chart")
    assert chart.proto.alt == "this: 1; that: 2; I do not know: 0"
    at.button(key="class.reveal·0").click().run()
    assert lessons.class_of(room.id).revealed == (0,)
    assert "**3 places** with all answers and runs, for good" in shown(at)
    assert len([one for one in at.get("download_button") if one.proto.label in ("Answers", "Runs")]) == 4
    (ending,) = (one for one in at.get("popover") if one.proto.popover.label == "End the class and clear it")
    assert at.button(key="class.clear") in [*ending.button]
    at.button(key="class.clear").click().run()
    assert not at.exception
    assert "Your classes" not in shown(at)
    late = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_S)
    late.query_params["class"], late.query_params["key"] = room.id, room.key
    late.run()
    assert "it is over" in read(late)


def test_no_name_of_a_learner_is_on_a_screen_for_the_room(room):
    learner(room, "Ada")
    at = app("lessons")
    at.button(key=f"class_{room.id}").click().run()
    (names,) = (one for one in at.expander if one.label == "Names, for you alone")
    assert not names.proto.expanded
    at.query_params["present"] = "1"
    at.run()
    assert "Here: 1" in shown(at)
    assert "Ada" not in shown(at)


def test_a_class_begins_with_one_press_on_the_list_of_lessons():
    at = app("lessons")
    at.button(key="teach_yeast").click().run()
    assert not at.exception
    (room,) = lessons.taught_by(LOCAL)
    assert room.file == "yeast.toml"
    assert f"/lessons?class={room.id}&key={room.key}" in shown(at) + "".join(code.value for code in at.code)


def test_the_page_of_somebody_elses_class_is_not_there():
    room = lessons.open_class("mine.toml", GOOD.encode(), "another teacher")
    at = app("lessons")
    at.query_params["teach"] = room.id
    at.run()
    assert "There is no such class" in read(at)


def test_without_its_key_a_class_has_no_way_in(room):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_S)
    at.query_params["class"] = room.id
    at.run()
    assert "the key of the class is not in it" in read(at)
    assert not [field for field in at.text_input if field.key == "class.name"]
