"""Discover: the loop, click by click, and the person's word on every term."""

import streamlit as st

from dolq_core import runs
from pages.discover import bans, decisions, live, models, plots, room, said, stepping, table
from pages.ui import charts, frame, presenting, progress, session


def page() -> None:
    """Draw the open run, top down: where it stands, its equations, whether they fit, how they came about."""
    run = frame.opened()
    if run is None:
        frame.header("Discover", "", [])
        frame.empty("No run is open. Try it on yeast, or upload a table.")
        return
    session.no_editors()
    if presenting.is_on():
        room.discover(run)
        return
    place = stepping.header(run)
    for told in (progress.last_words, frame.last_word, models.paused, models.no_key, models.unused, models.first_word):
        with frame.part():
            told(run)
    as_table = table.wanted() and run.state.iteration > 0
    left, right = (st.container(), st.container()) if as_table else st.columns([1.62, 1], gap="medium")
    with left:
        with frame.part():
            said.conflict(run)
        decisions.decisions(run, as_table)
        with frame.part():
            live.live(run)
        charts.words_first()
        with frame.part():
            if run.state.iteration or run.state.insight or run.state.remark:
                said.insight(run)
        with frame.part():
            said.aim(run)
        if not as_table:
            _words(run)
    with right:
        _fit(run, beside=as_table)
    with frame.part():
        if run.state.iteration > 1:
            plots.progress(run)
    if as_table:
        _words(run)
    stepping.go_on(run, place)


def _words(run: runs.Run) -> None:
    """Draw what is banned, what was refused, and the description; on a phone below the charts."""
    with st.container(key="beneath"):
        bans.ban_list(run)
        with frame.part():
            said.not_taken(run)
        said.description(run)


def _fit(run: runs.Run, beside: bool) -> None:
    """Draw whether it fits, and where the law moves: below each other, or beside where there is room."""
    first, second = st.columns(2, gap="large") if beside else (st.container(), st.container())
    with first:
        plots.fit(run, attempt=True)
    with second:
        plots.plane(run)


page()
