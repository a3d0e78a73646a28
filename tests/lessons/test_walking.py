"""The bundled lessons are true: each is walked with the real engine, and its recordings play again."""

import pytest

from dolq_core import loop, runs
from dolq_core.lessons import acts, attempting, figures, recorded, walking
from dolq_core.lessons.bundled import bundled
from dolq_core.lessons.checking import walk
from dolq_core.lessons.format import FigureOf
from dolq_core.lessons.glossary import new_words
from dolq_core.lessons.problems import problem_of
from dolq_core.lessons.reading import LessonError, read
from dolq_core.ports import Store
from dolq_core.records import Intervention
from dolq_core.runs import play
from tests.lessons.test_reading import GOOD

COUNTS = {"n": FigureOf(figure="terms"), "k": FigureOf(figure="iterations")}
ALL = {one.id: one for one in bundled()}


def test_a_lesson_that_holds_has_nothing_to_complain_of():
    """The bundled ones are looked at in tests/app/test_lessons.py, while they are walked."""
    one = ALL["nothing"]
    found = walk(one.lesson, one.path.name)
    assert (found.problems, found.warnings) == ([], [])
    assert found.figures["status"] == "none"
    assert {name: len(log) for name, log in found.logs.items()} == {"first": 5, "again": 2}


def test_a_figure_that_is_not_what_the_lesson_relies_on_is_a_problem():
    wrong = GOOD.replace("low = 600", "low = 700").replace("act = {", 'text_ = ""\nact = {').replace('text_ = ""\n', "")
    steps = wrong.replace('text = "Press."', 'text = "Press: {limit}."')
    found = walk(read(steps.encode(), "mine.toml"), "mine.toml")
    assert any("the figure 'limit' is 663, and the lesson relies on 700 or more" in one for one in found.problems)
    assert any("the run 'first' has no rest yet" in one for one in found.problems)


@pytest.mark.parametrize("name", ["lynx-hare.pelts", "nothing.again"])
def test_a_recording_is_what_the_engine_still_does(name: str):
    """Two of nine, the quick ones, on any processor; `lab.benchmarks.machines` plays all of them under five kernels."""
    entries = runs.recorded_run(runs.open_store(), str(recorded.folder() / "recorded" / f"{name}.json"))[1]
    assert len(entries) > 1
    assert [played.likeness for played in play(entries) if played.likeness.same == "different"] == []


def test_a_run_follows_its_recording_and_leaves_it_at_another_word():
    one = ALL["nothing"]
    store, way = runs.open_store(), attempting.begin(one.path.name, one.path.read_bytes())
    way = walking.press(store, walking.move(walking.answer(way, "1"), 1))
    now = walking.stand(store, attempting.attempt(way.id), str)
    assert (now.waits, now.acted) == ("", True)
    run = walking.run_for(store, now.attempt, "first")
    assert run.entries == recorded.recording(one.lesson, one.path.name, "first")[:2]
    runs.intervene(store, run.id, Intervention(reason="Another class"))
    way = walking.press(store, walking.move(walking.answer(now.attempt, "hold"), 2))
    now = walking.stand(store, attempting.attempt(way.id), str)
    assert (now.left, now.acted) == (3, False)


def test_a_count_is_written_as_one():
    one = ALL["coffee"]
    store, found = runs.open_store(), one.lesson
    run = acts.begin(store, found, "cups", {})
    acts.go_on(store, found, one.path.name, "cups", run, found.steps[1].act)
    said = figures.filled(
        found.model_copy(update={"figures": COUNTS}), "{n} in {k}", "cups", lambda _: runs.load(store, run), str
    )
    assert said == "2 in 1"


def begun() -> tuple[Store, attempting.Attempt]:
    return runs.open_store(), attempting.begin("mine.toml", GOOD.encode())


def test_nothing_is_revealed_and_nobody_goes_on_before_the_answer():
    store, way = begun()
    now = walking.stand(store, way, str)
    assert now.asked is not None
    assert (now.asked.right, now.is_free) == (None, False)
    now = walking.stand(store, walking.answer(way, "1"), str)
    assert now.asked is not None
    assert (now.asked.right, now.asked.is_right, now.is_free) == ("2", False, True)


def test_the_first_answer_counts_and_survives():
    _, way = begun()
    walking.answer(way, "1")
    walking.answer(way, "2")
    assert attempting.attempt(way.id).answers == {0: "1"}


def test_a_button_is_pressed_once_and_its_iteration_waits_until_it_is_computed():
    store, way = begun()
    way = walking.move(walking.answer(way, "2"), 1)
    walking.press(store, way)
    way = walking.press(store, attempting.attempt(way.id))
    now = walking.stand(store, way, str)
    assert (now.left, now.acted) == (1, False)
    runs.step_once(store, now.waits)
    now = walking.stand(store, attempting.attempt(way.id), str)
    assert (now.waits, now.acted, now.is_free) == ("", True, True)
    assert len(runs.list_runs(store)) == 1
    runs.step_once(store, now.attempt.runs["first"])
    assert walking.run_for(store, now.attempt, "first").state.iteration == 1  # as it was when the step was done


def test_a_way_opens_as_it_was_begun_whatever_became_of_the_lesson(tmp_path):
    _, way = begun()
    assert attempting.attempt(way.id).lesson == read(GOOD.encode(), "mine.toml")
    assert [one.id for one in attempting.attempts(9)] == [way.id]


def test_a_way_that_an_earlier_version_began_opens_though_its_lesson_would_be_refused_today():
    one = ALL["yeast"]
    old = one.path.read_text(encoding="utf-8").replace('show = ["law"]', 'show = ["equations"]')
    with pytest.raises(LessonError, match="'equations' tells the answer before it is asked for on step 4"):
        read(old.encode(), one.path.name)
    begun = attempting.Attempt("0123456789ab", one.path.name, "", one.lesson)
    assert attempting.keep(begun, attempting.Opened(one.path.name, old)).source == old


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "0123456789ab", "nothing"])
def test_an_address_that_names_no_way_is_refused(name: str):
    with pytest.raises(attempting.StoreError, match="was not begun"):
        attempting.attempt(name)


def test_a_damaged_way_is_left_out_of_the_list_and_said_when_it_is_asked_for():
    _, way = begun()
    (attempting.folder() / "0123456789ab.jsonl").write_bytes(b"\xff")
    assert [one.id for one in attempting.attempts(9)] == [way.id]
    with pytest.raises(attempting.StoreError, match="its file is damaged"):
        attempting.attempt("0123456789ab")


def test_a_line_that_was_half_written_is_left_out():
    _, way = begun()
    with (attempting.folder() / f"{way.id}.jsonl").open("a") as file:
        file.write('{"schema":1,"type":"Ans')
    assert attempting.attempt(way.id).answers == {}


def test_words_of_the_program_are_said_where_a_lesson_first_uses_them():
    lesson = ALL["yeast"].lesson
    said = [new_words(lesson, number) for number in range(len(lesson.steps))]
    assert "keep" in said[1]
    assert "none" in said[4]
    known = [word for found in said for word in found]
    assert len(known) == len(set(known))


def test_a_run_of_a_lesson_may_be_of_derived_columns_and_of_some_terms_only():
    lesson = ALL["coffee"].lesson
    problem = problem_of(lesson, "newton")
    assert [state.title for state in problem.dataset.states] == ["above_room (K)"]
    assert problem.dataset.trajectories[0].x[0, 0] == pytest.approx(82.3 - 17)
    found = walk(lesson, "coffee.toml")
    (best,) = loop.replay(found.logs["newton"]).best
    assert best is not None
    assert len(best.fit.terms) == 1


def test_a_figure_of_a_run_that_no_step_has_begun_is_a_problem():
    one = ALL["coffee"]
    text = one.path.read_text(encoding="utf-8").replace("against {first} of", "against {before} of")
    found = walk(read(text.encode(), one.path.name), one.path.name)
    assert any("step 4, The figure 'before': the run 'silent' has no error yet" in said for said in found.problems)
