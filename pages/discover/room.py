"""Discover and Equations for a room: the law above, one chart below, one button on, and a word on any term."""

from collections.abc import Sequence

import streamlit as st

from dolq_core import runs
from dolq_core.records import Intervention
from dolq_core.views.equations import Panel, Row, panels
from dolq_core.views.history import before_last_word
from pages.discover import plots, stepping, terms
from pages.ui import ahead, charts, formulas, frame, jobs, kept, presenting, progress, session, words

CHARTS = {"fit": "Fit", "plane": "Where it moves", "word": "Your word"}
NAMES = ("before your word", "after it")
REASONED = 3
"""Equations up to which a screen has room for the reasons of their verdicts."""
AHEAD = 1.0
"""How long the two laws are followed past the data, in spans of the data."""


def discover(run: runs.Run) -> None:
    """Draw the loop: the header's buttons step, and a term is spoken to in a popover."""
    place = stepping.header(run)
    progress.last_words(run)
    _screen(run, stepping=True)
    stepping.go_on(run, place)


def equations(run: runs.Run) -> None:
    """Draw the result."""
    facts = [f"after iteration {run.state.iteration}"]
    buttons = frame.header(run.name, frame.verdict(run), facts)
    with buttons:
        presenting.switch()
    _screen(run, stepping=False)


def _screen(run: runs.Run, *, stepping: bool) -> None:
    """Draw the laws at the left, with the ways to speak and to go on below them, and one chart at the right."""
    found = panels(run)
    before = before_last_word(run)
    left, right = st.columns([1, 1.3], gap="medium")
    with left, st.container(key="room_left"):
        _laws(run, found)
        with st.container(key="room_bar", horizontal=True):
            _ways(run, [row for panel in found for row in panel.rows], stepping=stepping)
        if stepping:
            frame.last_word(run)
    with right, st.container(key="stage"):
        offered = [chart for chart in CHARTS if chart != "word" or before is not None]
        chosen = st.segmented_control(
            "Chart", offered, default=offered[0], format_func=CHARTS.__getitem__, required=True, key="room.chart",
            label_visibility="collapsed",
        )  # fmt: skip
        _chart(run, chosen or offered[0], before)


def _laws(run: runs.Run, found: Sequence[Panel]) -> None:
    """Draw the laws, in smaller type where they are long; they scroll where they are longer still."""
    laws = [formulas.best(panel) for panel in found]
    small = formulas.is_long(laws)
    with st.container(key="room_laws"):
        for panel, latex in zip(found, laws, strict=True):
            with st.container(key=f"eq_room_{panel.equation}{'_plain' * small}"):
                st.markdown(formulas.room(latex, small=small))
                if run.state.iteration:
                    st.markdown(words.verdict(panel.status))
                    if panel.status != "settled" and len(found) <= REASONED:
                        with st.container(key=f"why_{panel.equation}"):
                            st.caption(words.plain(panel.status_reason))


def _ways(run: runs.Run, rows: list[Row], *, stepping: bool) -> None:
    """Draw the word on a term, and the way to the other page."""
    if stepping and rows:
        _word(run, rows)
    other, key = ("equations", presenting.ON) if stepping else ("discover", presenting.BACK)
    if st.button(other.capitalize(), key="room.other", icon=":material/swap_horiz:", shortcut=key):
        st.switch_page(f"pages/{other}/page.py", query_params={"run": run.id, "present": "1"})


def _word(run: runs.Run, rows: list[Row]) -> None:
    with frame.editor(run.id, "Your word", "room", icon=":material/person:"):
        number = st.selectbox(
            "Term", range(len(rows)), format_func=lambda at: words.label(terms.in_full(run, rows[at])),
            key=f"room.term·{len(run.entries)}",
        )  # fmt: skip
        choice = st.segmented_control(
            "Your choice", words.CHOICES, format_func=words.choice_label, key=f"room.choice·{len(run.entries)}"
        )
        reason = st.text_input("Your reason", key=f"room.reason·{len(run.entries)}")
        if st.button("Apply and continue", type="primary", disabled=not choice, key="room.go") and choice:
            said = Intervention(overrides=(runs.override(run, rows[number].key, choice, reason.strip()),))
            if frame.attempt(lambda: jobs.intervene(run, said)):
                frame.attempt(lambda: jobs.start(runs.load(session.store(), run.id), "step"))
            st.rerun()


def _chart(run: runs.Run, chosen: str, before: runs.Run | None) -> None:
    if chosen == "plane":
        plots.plane(run)
    elif chosen == "word" and before is not None:
        named = f"path {len(run.entries)}"
        paths = [kept.once(one, named, lambda one=one: ahead.path(one, AHEAD)) for one in (before, run)]
        dataset = run.state.problem.dataset
        st.markdown("**Your word.** The law before and after it, past the data.")
        charts.show(ahead.laid(paths, NAMES, dataset), f"room.word·{run.id}", ahead.laid_alt(paths, NAMES, dataset))
    else:
        plots.fit(run)
