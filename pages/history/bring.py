"""Bring in a run that was exported elsewhere."""

import streamlit as st

from dolq_core import runs
from pages.ui import frame, session


def bring_in() -> None:
    """Draw the button under which a bundle is chosen; it becomes a run of this store and is opened."""
    with st.popover("Import", icon=":material/upload_file:"):
        with st.form("import", clear_on_submit=True, border=False):
            given = st.file_uploader("A bundle (.zip), or a recorded run (.json)", type=["zip", "json"])
            if st.form_submit_button("Import the run") and given is not None:
                frame.attempt(lambda: session.open_run(runs.import_run(session.store(), given.getvalue())))
                st.rerun()
