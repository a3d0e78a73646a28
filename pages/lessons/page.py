"""Lessons: guided demonstrations with a question before each answer; a teacher's file is one like the others."""

import streamlit as st

from dolq_core import lessons
from dolq_core.errors import DolqError
from pages.lessons import classroom, index, walk
from pages.ui import identity, session, words


def page() -> None:
    """Draw the lesson that is open, else the list of all."""
    if session.taught() and not identity.room():
        classroom.classroom(session.taught())
        return
    way = _opened()
    if way is None:
        index.index()
    else:
        walk.walk(way)


def _opened() -> lessons.Attempt | None:
    name = lessons.place_of(identity.room(), identity.place()).way if identity.room() else session.lesson_id()
    if not name:
        return None
    try:
        way = lessons.attempt(name, identity.owner())
        step = session.lesson_step(name)
        if step is not None and step != way.step and step <= way.furthest:
            way = lessons.move(way, step)
    except DolqError as error:
        session.close_lesson()
        st.warning(words.plain(str(error)), icon=":material/info:")
        return None
    session.open_lesson(name, way.step)
    return way


page()
