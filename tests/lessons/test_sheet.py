"""A lesson on paper: the worksheet tells nothing, the key all of it."""

import pytest

from dolq_core.lessons import answer_key, bundled, minutes, worksheet
from dolq_core.lessons.reading import read
from tests.lessons.test_reading import GOOD

ALL = {one.id: one for one in bundled()}


def test_a_worksheet_has_every_question_and_no_answer():
    lesson = ALL["yeast"].lesson
    text = worksheet(lesson)
    for step in lesson.steps:
        assert step.title in text
    assert "☑" not in text
    assert "Their numbers are ____ and ____" in text
    assert "663" not in text
    assert "Two things must be at work" not in text
    assert text.count("☐") == 3 + 3 + 3 + 3  # two choices, a verdict, a status


def test_a_key_has_the_figures_the_right_answers_and_what_goes_wrong():
    one = ALL["yeast"]
    text = answer_key(one.lesson, one.path.name, "{:.4g}".format)
    assert "☑ <b>In the middle</b>" in text
    assert "☑ <b>keep</b>" in text
    assert "Right: <b>663" in text
    assert "____" not in text
    assert "What learners get wrong" in text


@pytest.mark.parametrize("one", ALL.values(), ids=ALL)
def test_every_lesson_has_sources_misconceptions_and_a_class_time(one):
    assert one.lesson.sources
    assert one.lesson.wrong
    assert one.lesson.difficulty
    alone, together = minutes(one.lesson)
    assert 3 <= alone < together <= 30


def test_markup_in_a_lesson_is_printed_as_text():
    hostile = GOOD.replace('title = "One"', 'title = "<script>x</script>"').replace("Look: {limit}.", "**<b>** `x<1`")
    text = worksheet(read(hostile.encode(), "mine.toml"))
    assert "<script>" not in text
    assert "<b>&lt;b&gt;</b> <code>x&lt;1</code>" in text
