"""Lessons: guided demonstrations with a question before each answer; a teacher's file is one like the others."""

import streamlit as st

from dolq_core import lessons
from dolq_core.errors import DolqError
from pages.lessons import index, walk
from pages.ui import identity, session, words


def page() -> None:
    """Draw the lesson that is open, else the list of all."""
    way = _opened()
    if way is None:
        index.index()
    else:
        walk.walk(way)


def _opened() -> lessons.Attempt | None:
    name = session.lesson_id()
    if not name:
        return None
    try:
        way = lessons.attempt(name, identity.owner())
        lesson = way.lesson
    except DolqError as error:
        session.close_lesson()
        st.warning(words.plain(str(error)), icon=":material/info:")
        return None
    assert lesson.steps
    session.open_lesson(name)
    return way


page()
