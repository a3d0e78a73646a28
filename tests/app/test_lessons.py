"""The lessons page: a card opens a lesson, and the lesson is walked from its first step to its last."""

from functools import partial

import pytest
import streamlit as st
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from dolq_core import lessons, runs
from dolq_core.cli import main
from dolq_core.lessons import BundledLesson, attempting
from dolq_core.lessons.checking import Walked, look
from dolq_core.views import trajectories
from pages.ui import jobs
from pages.ui.words import number
from tests.app.scenes import app, press, read, shown
from tests.lessons.test_reading import GOOD
from tests.waiting import until

ALL = {one.id: one for one in lessons.bundled()}
ASKING = """
title = "A lesson"
question = "What is it?"
learn = "Something."

[runs.first]
data = "yeast"
recorded = true

[figures.limit]
figure = "rest"
low = 500
high = 700

[[steps]]
title = "One"
text = "Press."
act = { button = "Find a law" }
show = ["law"]

[steps.ask]
kind = "number"
question = "Where does it end?"
answer = "limit"
reveal = "At {limit}."
"""


def standing() -> lessons.Standing:
    """Where the last way that was gone on with stands, as the page has it."""
    return lessons.stand(runs.open_store(), lessons.attempts(1)[0], number)


def computed(at: AppTest) -> AppTest:
    """Wait until nothing of the open step is left to compute."""

    def done() -> bool:
        now = standing()
        job = jobs.board().snapshot(now.waits)
        if now.waits and (job is None or job.ended):
            at.run()
        return not now.waits

    until(done)
    return at.run()


def answered(at: AppTest, now: lessons.Standing) -> AppTest:
    """Give the first answer that can be given; the question is told then."""
    assert now.asked is not None
    if now.asked.kind == "number":
        at.number_input[0].set_value(1.0).run()
    else:
        at.radio[0].set_value(now.asked.options[0][0]).run()
    return press(at, "Answer")


@pytest.mark.parametrize("one", ALL.values(), ids=ALL)
def test_a_lesson_is_walked_to_its_end(one: BundledLesson):
    """What its words rely on is looked at on the way, so that the engine works once for both."""
    at = app("lessons")
    at.button(key=f"open_{one.id}").click().run()
    found = Walked()
    for step in one.lesson.steps:
        assert not at.exception
        if step.act is not None:
            at = computed(press(at, step.act.button))
        now = standing()
        assert now.acted
        look(one.lesson, now.number, partial(lessons.run_for, runs.open_store(), now.attempt), found)
        if now.asked is not None:
            assert at.button(key="lesson.next").disabled if now.number + 1 < now.count else True
            at = answered(at, now)
        if step is not one.lesson.steps[-1]:
            at = at.button(key="lesson.next").click().run()
    assert not at.exception
    assert (found.problems, found.warnings) == ([], [])
    asked = sum(step.ask is not None for step in one.lesson.steps)
    assert f"of {asked} right." in shown(at)
    press(at, "All lessons")
    assert "done" in read(at)


def test_a_reload_and_another_page_lose_nothing():
    at = app("lessons")
    at.button(key="open_yeast").click().run()
    at.radio[0].set_value("1").run()
    at = press(press(at, "Answer"), "Next")
    way = at.query_params["lesson"]
    at.switch_page("pages/data/page.py").run()
    at.switch_page("pages/lessons/page.py").run()
    assert "Step 2 of" in shown(at)
    fresh = app("lessons")
    fresh.query_params["lesson"] = way
    fresh.run()
    assert "Step 2 of" in shown(fresh)
    press(fresh, "Back")
    assert "You said: At the start" in read(fresh)


def test_a_teachers_file_is_opened_and_one_with_a_mistake_is_told_where():
    at = app("lessons")
    bad = GOOD.replace("right = 2", "right = 3").encode()
    at.file_uploader[0].set_value(("mine.toml", bad, "application/toml")).run()
    press(at, "Open the lesson")
    assert "mine.toml, line 13: step 1, ask: right is 3, and there are 2 options." in read(at)
    at.file_uploader[0].set_value(("mine.toml", GOOD.encode(), "application/toml")).run()
    press(at, "Open the lesson")
    assert "Step 1 of 2" in shown(at)
    press(at, "All lessons")
    assert "mine.toml" in read(at)


def test_a_lesson_is_written_checked_handed_over_as_a_file_opened_and_played(tmp_path):
    def said(*command: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["lesson", *command])
        return done.exit_code, done.output

    file = tmp_path / "mine.toml"
    file.write_text(ASKING.replace("high = 700", "high = 600"), encoding="utf-8")
    code, told = said("check", str(file))
    assert (code, "the figure 'limit' is 663, and the lesson relies on 500 to 600" in told) == (1, True)
    file.write_text(ASKING, encoding="utf-8")
    assert said("record", str(file), "--inside")[0] == 0
    assert said("check", str(file))[0] == 0
    at = app("lessons")
    at.file_uploader[0].set_value(("handed over.toml", file.read_bytes(), "application/toml")).run()
    press(at, "Open the lesson")
    press(at, "Find a law")
    assert standing().acted, "it came with its recording: nothing is left to compute"
    at.number_input[0].set_value(500.0).run()
    press(at, "Answer")
    assert "It is: 663" in read(at).replace("**", "")
    assert "0 of 1 right." in shown(at)
    press(at, "Begin it anew")
    press(at, "Find a law")
    at.number_input[0].set_value(660.0).run()
    assert "1 of 1 right." in shown(press(at, "Answer"))


def test_a_teacher_who_shows_every_answer_has_no_score_on_the_projector():
    one = next(one for one in lessons.bundled() if one.id == "yeast")
    at = app("lessons")
    at.query_params["present"] = "1"
    at.run()
    at.button(key="open_yeast").click().run()
    for step in one.lesson.steps:
        at = computed(press(at, step.act.button)) if step.act is not None else at
        at = press(at, "Show the answer") if step.ask is not None else at
        if step.title == "Where it ends":
            assert "×10⁻⁴" in read(at)
            assert "0.00082" not in read(at)
        if step is not one.lesson.steps[-1]:
            at = at.button(key="lesson.next").click().run()
    assert "All answers were shown." in shown(at)
    assert "right.**" not in shown(at)


def test_two_learners_of_one_computer_have_a_way_each():
    first = app("lessons")
    first.button(key="open_yeast").click().run()
    first.radio[0].set_value("1").run()
    press(press(first, "Answer"), "Next")
    second = app("lessons")
    assert "Begun before on this computer" in shown(second)
    second.button(key="open_yeast").click().run()
    assert "Step 1 of" in shown(second)
    assert "You said" not in read(second)
    second = app("lessons")
    second.button(key=f"open_{first.query_params['lesson']}").click().run()
    assert "Step 2 of" in shown(second)


def test_a_lesson_whose_run_is_gone_says_so_and_can_be_begun_anew():
    way = lessons.begin("mine.toml", GOOD.encode())
    attempting.keep(way, attempting.Ran("first", "0123456789ab"))
    at = app("lessons")
    at.query_params["lesson"] = way.id
    at.run()
    assert "there is no such run in this store" in read(at)
    press(at, "Begin it anew")
    assert "Step 1 of 2" in shown(at)


def test_markup_in_a_lesson_is_shown_as_text():
    hostile = GOOD.replace('text = "Look: {limit}."', "text = '<b>x</b> [a](http://b) :red[y] $z$ **bold** `x**2`'")
    lessons.begin("mine.toml", hostile.encode())
    at = app("lessons")
    at.query_params["lesson"] = lessons.attempts(1)[0].id
    at.run()
    said = next(element.value for element in at.markdown if "bold" in element.value)
    assert "\\<b\\>x" in said
    assert "\\[a\\]" in said
    assert "**bold**" in said
    assert "`x**2`" in said


def test_a_computed_set_is_drawn_as_a_lesson_draws_it():
    """Clean, it is solved at the first step; as in the lesson, other laws are left to choose from."""
    at = app("data")
    at.button(key="open_system-5").click().run()
    at.button(key="as·system-5·One run is not enough: from one run").click().run()
    assert not at.exception
    drawn = ALL["magnets"].lesson.runs["one"].drawn
    assert drawn is not None
    sliders = {one.key: one.value for one in at.select_slider}
    assert (sliders["noise·system-5"], sliders["points·system-5"]) == (100 * drawn.noise, drawn.points)


def test_what_is_made_of_a_run_is_made_once_for_a_class(monkeypatch):
    made: list[str] = []
    real = trajectories.curves
    monkeypatch.setattr(trajectories, "curves", lambda run: made.append(run.state.problem.dataset.name) or real(run))
    st.cache_resource.clear()
    for _ in range(2):
        at = app("lessons")
        at.button(key="open_coffee").click().run()
        at = press(answered(at, standing()), "Next")
        at = computed(press(at, "Find a law"))
        assert not at.exception
        assert "Does it fit?" in read(at)
    assert len(runs.list_runs(runs.open_store())) == 2
    assert made.count("Two cups of coffee") == 1
