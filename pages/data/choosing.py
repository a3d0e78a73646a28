"""No table yet: upload one, or take one that comes with the app."""

import streamlit as st

from dolq_core import runs
from pages.ui import cards, frame, session


def choose() -> None:
    """Draw the uploader and the bundled data sets."""
    frame.header("Data", "", ["A table with a column of times and at least one of measured values"])
    file = st.file_uploader("Upload a table (CSV, TSV or text)", type=["csv", "tsv", "txt", "dat"], key="uploader")
    if file is not None:
        session.keep_upload(session.Upload(file.name, file.getvalue()))
        st.rerun()
    sets = runs.bundled()
    for kind, heading in (("real", "Measured"), ("generated", "Computed, from the paper")):
        found = [one for one in sets if one.kind == kind]
        if found:
            st.subheader(heading, anchor=False)
            cards.cards(found)
