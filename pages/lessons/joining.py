"""The way into a class: a name or none, and a fresh place."""

import plotly.graph_objects as go
import streamlit as st

from dolq_core import lessons
from dolq_core.errors import DolqError, StoreError
from pages.lessons import writing
from pages.ui import identity, words


def join() -> None:
    """Draw the way in, and end the page there; with a place the lesson opens."""
    with st.container(key="way_in"):
        try:
            room = lessons.class_of(identity.room())
            lesson = room.lesson
            if not identity.may_join():
                raise StoreError("The link", "the key of the class is not in it", "Ask for the whole link.")
        except DolqError as error:
            st.warning(words.plain(str(error)), icon=":material/info:")
            st.stop()
        with st.container(key="promise"):
            st.title(words.plain(lesson.title), anchor=False)
        with st.container(key="lead"):
            st.markdown(writing.line(lesson.question))
        name = st.text_input("Your name, or none", max_chars=40, key="class.name")
        st.caption("The teacher sees the name while the class lasts. Answers are counted and kept without it.")
        if st.button("Take a place", type="primary", icon=":material/login:", key="class.join"):
            try:
                place = lessons.join(room, name)
            except DolqError as error:
                st.warning(words.plain(str(error)), icon=":material/info:")
                st.stop()
            identity.take_place(room.id, place.id)
            st.rerun()
    with st.container(key="beforehand"):  # the browser loads what draws charts while a name is typed
        st.plotly_chart(go.Figure(), key="class.beforehand")
    st.stop()
