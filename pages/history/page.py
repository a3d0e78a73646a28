"""History: every run in the store, and what happened in the open one, entry by entry."""

import streamlit as st

from dolq_core import runs
from pages.discover import plots
from pages.history import bring, compare, table, timeline
from pages.ui import charts, frame, session, words


def page() -> None:
    """Draw the runs, then the log of the open one."""
    found = runs.list_runs(session.store())
    _, buttons = frame.header("History", "", [f"{words.plural(len(found), 'run')} in this store"])
    with buttons:
        bring.bring_in()
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
    compare.comparison(run, found)
    chart = st.container()
    timeline.timeline(run)
    if run.state.iteration:
        charts.words_first()
        with chart:
            plots.actions(run)


page()
