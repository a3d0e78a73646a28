"""A data set that comes with the app: its story, its source, its caveat, and the start of a run."""

import streamlit as st

from dolq_core import runs
from pages.data import parts
from pages.ui import session, words


def data_set(name: str) -> None:
    """Draw one bundled data set."""
    about = next((one for one in runs.bundled() if one.id == name), None)
    if about is None:
        session.choose_bundled("")
        st.rerun()
        return
    problem = runs.load_bundled(name)
    dataset = problem.dataset
    badge = ":blue-badge[:material/check: Ready to start]"
    start = parts.header(about.title, badge, dataset)
    left, right = st.columns([1.35, 1], gap="medium")
    with left:
        with st.container(key="panel_story"):
            st.subheader("What it is", anchor=False)
            st.markdown(words.plain(about.story))
            for label, text in (("Source", about.source), ("Caveat", about.caveat)):
                if text:
                    st.markdown(f"**{label}.** {words.plain(text)}")
        parts.variables(dataset)
    with right:
        held = parts.preview(dataset, about.id)
        description = parts.description(about.id, problem.description)
    if start:
        parts.start(dataset, description, about.title, held)
