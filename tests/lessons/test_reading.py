"""A lesson's file: what is wrong with it is said with its line, its place and the way out."""

import pytest

from dolq_core.errors import THIN
from dolq_core.lessons.reading import LessonError, read

GOOD = """
title = "A lesson"
question = "What is it?"
learn = "Something."

[runs.first]
data = "yeast"

[figures.limit]
figure = "rest"
low = 600

[[steps]]
title = "One"
text = "Look: {limit}."
show = ["data"]

[steps.ask]
question = "Which?"
right = 2
options = [{ text = "this" }, { text = "that" }]

[[steps]]
title = "Two"
text = "Press."
act = { button = "Step" }
"""


def problems(text: str) -> list[str]:
    with pytest.raises(LessonError) as caught:
        read(text.encode(), "mine.toml")
    return [str(problem) for problem in caught.value.problems]


def test_a_good_file_is_a_lesson():
    found = read(GOOD.encode(), "mine.toml")
    assert [step.title for step in found.steps] == ["One", "Two"]
    assert found.run_name(found.steps[1]) == "first"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "One"', 'title = "One', "mine.toml, line 14: column"),
        ("right = 2", "right = 3", "line 13: step 1, ask: right is 3, and there are 2 options. Give a number from 1"),
        ("right = 2\n", "", "it does not say which option is right. Add right = 1 (or up to 2)."),
        ('text = "Press."', 'txt = "Press."', "line 23: step 2, text: it is missing. Add it."),
        ('act = {', 'art = {', "step 2, art: there is no such key in a lesson. Correct its name"),
        ("right = 2", 'right = 2\nshow = ["fit"]', "It is a key of the step: write it above [steps.ask]"),
        ("right = 2", 'right = "2"', "step 1, ask, right: it is not a whole number"),
        ('show = ["data"]', 'show = ["graph"]', "step 1, show: 'graph' is no view. Take one of 'data', 'proposal'"),
        ('show = ["data"]', 'show = ["data of second"]', "there is no run 'second'. Take one of first."),
        ('show = ["data"]', 'show = ["truth"]', "the true law is not known. Give it: [truth]"),
        ("{limit}", "{end}", "step 1, text: {end} is no figure of the lesson. Add [figures.end], or take one: limit."),
        ('data = "yeast"', 'data = "yeats"', "there is none of that name. Did you mean 'yeast'?"),
        ('data = "yeast"', "", "runs, first: it has neither data nor without_word_of"),
        ('figure = "rest"', 'figure = "rest"\nstate = "x"', "limit: there is no state 'x'. Add state ="),
        ('figure = "rest"', 'figure = "coefficient"', "figures, limit: it needs a term."),
        ('figure = "rest"', 'figure = "machine"\nterm = "yeast +"', "Cannot read the term 'yeast +'"),
        ("act = {", 'run = "x"\nact = {', "step 2, run: there is no run 'x'. Take one of first."),
        ('act = { button = "Step" }', 'act = { button = "Step", iterations = 0 }', "step 2, act: it does nothing."),
        ("[runs.first]", "[runs.First]", "a name has small letters, digits and _ only"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place_and_the_way_out(old: str, new: str, said: str):
    assert old in GOOD
    found = problems(GOOD.replace(old, new, 1))
    assert any(said in one for one in found), found


def test_every_problem_is_told_at_once():
    text = GOOD.replace("right = 2", "right = 9").replace('button = "Step"', 'button = "Step", iterations = 0')
    assert [one.partition(": ")[0] for one in problems(text)] == ["mine.toml, line 13", "mine.toml, line 23"]


def test_a_table_that_tells_the_answer_before_the_question_is_refused():
    ask = 'ask = { kind = "verdict", term = "yeast", question = "Keep?" }\nshow = ["terms"]'
    (found,) = problems(GOOD + ask)
    assert "step 2, show: 'terms' tells the answer before it is asked for. Move it to then." in found


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a = " + b"[" * 90_000, "this is not TOML"),
        (b"a = " + b"9" * 9000, "not TOML"),
        (b"\xff\xfe\x00", "it is not UTF-8 text"),
        (b"a" * 1_300_000, f"1{THIN}300{THIN}000 bytes"),
        (b"title = 1\n" + b"a." * 400_000 + b"a = 1", "line 2: it has more than 150 dots"),
        (b"", "title: it is missing"),
    ],
)
def test_what_is_no_lesson_at_all_is_refused(content: bytes, said: str):
    with pytest.raises(LessonError, match=said):
        read(content, "mine.toml")
