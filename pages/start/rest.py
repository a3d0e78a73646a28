"""What the start page shows of the core: the last run, other data, a law; and where its buttons lead."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import runs
from dolq_core.bundled import bundled
from pages.start import yeast
from pages.ui import cards, frame, new_run, session, words

OTHERS = ("lynx-hare", "coffee", "system-2", "noise")  # measured, computed, and nothing at all


def draw(way: str, top: DeltaGenerator, others: DeltaGenerator, picture: DeltaGenerator) -> None:
    """Go the way that was chosen, or fill the places of the page; only the top where no database can be used."""
    with top:
        if not frame.database():
            st.stop()
        _go(way)
        frame.message()
        frame.unstored()
        _continue()
    with others:
        cards.cards([one for one in bundled() if one.id in OTHERS])
        if st.button(f"All {len(bundled())} data sets", type="tertiary", icon=":material/apps:", key="all_sets"):
            new_run.choose_bundled("")
            st.switch_page("pages/data/page.py")
    with picture:  # last: the first time on a server it takes a moment, and the rest of the page is there already
        yeast.figure()


def _go(way: str) -> None:
    if way == "yeast":
        frame.start_yeast()
    if way == "own":
        new_run.choose_bundled("")
        st.switch_page("pages/data/page.py")
    if way == "lessons":
        session.close_lesson()
        st.switch_page("pages/lessons/page.py")


def _continue() -> None:
    found = runs.list_runs(session.store())
    if not found:
        return
    last = found[0]
    label = f"Continue {words.plain(last.name)} · iteration {last.iterations}"
    if st.button(label, type="tertiary", icon=":material/history:", key="continue"):
        frame.enter(lambda: last.id)
