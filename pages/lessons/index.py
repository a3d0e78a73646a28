"""All lessons as cards, where the reader stands in each, and a teacher's own file."""

from collections.abc import Sequence

import streamlit as st

from dolq_core import lessons
from dolq_core.lessons import Attempt, BundledLesson, Lesson, LessonError
from pages.lessons import classroom, writing
from pages.ui import frame, identity, session, words

PER_ROW = 3
MOST, MOST_READ = 8, 200
"""Ways that were begun before: so many are listed, and so many looked at for those of this tab."""


def index() -> None:
    """Draw a card for each lesson, and below them those that were opened from files."""
    found = lessons.bundled()
    facts = [words.plural(len(found), "lesson"), "live runs", "no key needed"]
    buttons = frame.header("Lessons", "", facts)
    with buttons:
        _from_file()
    st.markdown("You answer first, then see what was found. Your place is saved.")
    ways = lessons.attempts(MOST_READ, identity.owner())
    own = tuple(way for way in ways if way.id in session.own_ways())
    _cards(found, own)
    bundled = {one.path.name for one in found}
    classroom.classes()
    _others([way for way in ways if way not in own or way.file not in bundled][:MOST])


def _cards(found: tuple[BundledLesson, ...], ways: tuple[Attempt, ...]) -> None:
    for first in range(0, len(found), PER_ROW):
        for column, one in zip(st.columns(PER_ROW), found[first : first + PER_ROW], strict=False):
            with column, st.container(key=f"card_{one.id}", gap="xsmall"):
                _card(one, next((way for way in ways if way.file == one.path.name), None))


def _card(one: BundledLesson, way: Attempt | None) -> None:
    pressed = st.button(
        words.label(one.lesson.title), key=f"open_{one.id}", type="tertiary", icon=":material/arrow_forward:",
        icon_position="right",
    )  # fmt: skip
    st.markdown(writing.line(one.lesson.question))
    st.caption(writing.line(one.lesson.learn))
    st.caption(f"{_badge(way)} {_size(one.lesson)}".strip())
    told = "One link for everybody; answers come in together"
    if st.button("Teach a class", key=f"teach_{one.id}", type="tertiary", icon=":material/groups:", help=told):
        classroom.open_class(one.path.name, one.path.read_bytes())
    if pressed:
        _open(way) if way else _begin(one.path.name, one.path.read_bytes())


def _begin(file: str, content: bytes) -> None:
    frame.attempt(lambda: session.open_lesson(lessons.begin(file, content, identity.owner()).id, 0))
    st.rerun()


def _open(way: Attempt) -> None:
    session.open_lesson(way.id, way.step)
    st.rerun()


def _badge(way: Attempt | None) -> str:
    if way is None:
        return ""
    if is_through(way):
        return ":green-badge[:material/check: done]"
    return f":blue-badge[:material/bookmark: step {way.step + 1}]"


def is_through(way: Attempt) -> bool:
    """Whether the last step was reached, and its question answered."""
    last = len(way.lesson.steps) - 1
    return way.furthest == last and (way.lesson.steps[last].ask is None or last in way.answers)


def _size(lesson: Lesson) -> str:
    asked = sum(step.ask is not None for step in lesson.steps)
    alone, together = lessons.minutes(lesson)
    said = [lesson.difficulty.capitalize()] if lesson.difficulty else []
    said += [words.plural(len(lesson.steps), "step"), words.plural(asked, "question")]
    return " · ".join([*said, f"about {alone} to {together} min"])


def _from_file() -> None:
    with st.popover("Open a lesson file", icon=":material/upload:"):
        given = st.file_uploader("A lesson file (.toml)", type=["toml"], key="lesson.file")
        st.caption("How to write one: “Lessons” in the documentation. Every lesson here can be downloaded.")
        if given is None or not st.button("Open the lesson", key="lesson.go", type="primary"):
            return
        try:
            lessons.read(given.getvalue(), given.name)
        except LessonError as error:
            for problem in error.problems:
                frame.fault(str(problem))
            return
        _begin(given.name, given.getvalue())


def _others(ways: Sequence[Attempt]) -> None:
    """Draw what was begun on this computer in another tab or at another time, and what came from files."""
    if not ways:
        return
    st.header("Begun before on this computer" if identity.is_local() else "Begun before", anchor=False)
    for way in ways:
        with st.container(key=f"run_{way.id}", horizontal=True, vertical_alignment="center", gap="small"):
            label = words.label(way.lesson.title)
            if st.button(label, key=f"open_{way.id}", type="tertiary", icon=":material/arrow_forward:"):
                _open(way)
            st.caption(f"{_badge(way)} {words.plain(way.file)}")
