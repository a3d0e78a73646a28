"""History: every run in the store, and what happened in the open one, entry by entry."""

import streamlit as st

from dolq_core import runs
from pages.discover import plots
from pages.history import compare, table, timeline
from pages.ui import charts, frame, session, words


def page() -> None:
    """Draw the runs, then the log of the open one."""
    found = runs.list_runs(session.store())
    buttons = frame.header("History", "", [words.plural(len(found), "run")])
    with buttons:
        _import()
    if not found:
        frame.opened()  # tells where the address names a run that is not there
        frame.empty("Nothing has happened yet. Try it on yeast, or upload a table.")
        return
    table.runs_table(found)
    run = frame.opened()
    if run is None:
        return
    with st.container(key="heading_run", horizontal=True, vertical_alignment="center"):
        st.header(f"What happened in {words.plain(run.name)}", anchor=False, width="content")
        table.rename(run)
        table.remove(run)
    if (twin := runs.twin_of(session.store(), run.id)) is not None:
        st.caption(f"A copy: {words.plain(twin.name)} (run {twin.id}) has the same log.")
    compare.comparison(run, found)
    chart = st.container()
    timeline.timeline(run)
    if run.state.iteration:
        charts.words_first()
        with chart:
            plots.actions(run)


def _import() -> None:
    """Draw the button under which a bundle is chosen; it becomes a run of this store and is opened."""
    with st.popover("Import", icon=":material/upload_file:"):
        with st.form("import", clear_on_submit=True, border=False):
            given = st.file_uploader("A bundle (.zip), or a recorded run (.json)", type=["zip", "json"])
            if st.form_submit_button("Import the run") and given is not None:
                frame.attempt(lambda: session.open_run(runs.import_run(session.store(), given.getvalue())))
                st.rerun()


page()
