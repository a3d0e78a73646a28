"""Discover: the loop, click by click, and the person's word on every term."""

import streamlit as st

from pages.discover import bans, decisions, models, plots, said, stepping
from pages.ui import frame, progress


def page() -> None:
    """Draw the open run, top down: where it stands, its equations, whether they fit, how they came about."""
    run = frame.opened()
    if run is None:
        frame.header("Discover", "", [])
        frame.empty("No run is open. Try it on yeast, or upload a table.")
        return
    place = stepping.header(run)
    decisions.never_applied(run)
    progress.last_words(run)
    models.paused(run)
    models.first_word(run)
    left, right = st.columns([1.62, 1], gap="medium")
    with left:
        said.conflict(run)
        decisions.decisions(run)
        said.insight(run)
        said.aim(run)
    with right:
        plots.fit(run)
        plots.plane(run)
    plots.progress(run)
    bans.ban_list(run)
    said.not_taken(run)
    said.description(run)
    stepping.go_on(run, place)


page()
