"""The person's last word, with its way back, on the pages where words are given."""

import streamlit as st

from dolq_core import runs
from dolq_core.views.history import last_word_of
from pages.ui import frame, jobs, session, words


def last_word(run: runs.Run) -> None:
    """Draw what the person said last, as long as nothing came after it, and the button that takes it back."""
    last = last_word_of(run)
    if not last or jobs.is_working(run.id):
        return
    with st.container(key="last_word", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/person: You: {words.plain(last)}.")
        told = "Undo it; the log keeps it"
        if st.button("Undo", key="undo_word", type="tertiary", icon=":material/undo:", help=told):
            frame.attempt(lambda: runs.take_back(session.store(), run.id, at=len(run.entries)))
            st.rerun()
