"""Discover and Equations for a room: the law above, one chart below, one button on, and a word on any term."""

import streamlit as st

from dolq_core import runs
from dolq_core.records import Intervention, derivative
from dolq_core.views.equations import Row, panels
from dolq_core.views.forecast import Forecast, forecast
from dolq_core.views.history import before_last_word
from pages.discover import plots, stepping
from pages.ui import charts, formulas, frame, jobs, kept, laid, presenting, progress, session, undoing, words

CHARTS = {"fit": "Fit", "plane": "Where it moves", "word": "Your word"}
NAMES = ("before your word", "after it")
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
    _, buttons = frame.header(run.name, frame.verdict(run), facts)
    with buttons:
        presenting.switch()
    _screen(run, stepping=False)


def _screen(run: runs.Run, *, stepping: bool) -> None:
    """Draw the laws at the left, with the ways to speak and to go on below them, and one chart at the right."""
    found = panels(run)
    before = before_last_word(run)
    left, right = st.columns([1, 1.3], gap="medium")
    with left, st.container(key="room_laws"):
        for panel in found:
            with st.container(key=f"eq_room_{panel.equation}"):
                st.markdown(formulas.law(formulas.best(panel)))
                if run.state.iteration:
                    st.markdown(words.verdict(panel.status))
        with st.container(key="room_bar", horizontal=True):
            _ways(run, [row for panel in found for row in panel.rows], stepping=stepping)
        if stepping:
            undoing.last_word(run)
    with right, st.container(key="stage"):
        offered = [chart for chart in CHARTS if chart != "word" or before is not None]
        chosen = st.segmented_control(
            "Chart", offered, default=offered[0], format_func=CHARTS.__getitem__, required=True, key="room.chart",
            label_visibility="collapsed",
        )  # fmt: skip
        _chart(run, chosen or offered[0], before)


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
            "Term", range(len(rows)), format_func=lambda at: _named(run, rows[at]), key=f"room.term·{len(run.entries)}"
        )
        choice = st.segmented_control(
            "Your choice", words.CHOICES, format_func=words.choice_label, key=f"room.choice·{len(run.entries)}"
        )
        reason = st.text_input("Your reason", key=f"room.reason·{len(run.entries)}")
        if st.button("Apply and continue", type="primary", disabled=not choice, key="room.go") and choice:
            said = Intervention(overrides=(runs.override(run, rows[number].key, choice, reason.strip()),))
            if frame.attempt(lambda: jobs.intervene(run, said)):
                frame.attempt(lambda: jobs.start(runs.load(session.store(), run.id), "step"))
            st.rerun()


def _named(run: runs.Run, row: Row) -> str:
    return words.label(f"{row.text} in {derivative(run.state.problem.dataset.states[row.key.equation].name)}")


def _chart(run: runs.Run, chosen: str, before: runs.Run | None) -> None:
    if chosen == "plane":
        plots.plane(run)
    elif chosen == "word" and before is not None:
        paths = [kept.once(one, f"path {len(run.entries)}", lambda one=one: _path(one)) for one in (before, run)]
        dataset = run.state.problem.dataset
        st.markdown("**Your word.** The law before and after it, past the data.")
        charts.show(laid.laid(paths, NAMES, dataset), f"room.word·{run.id}", laid.laid_alt(paths, NAMES, dataset))
    else:
        plots.fit(run)


def _path(run: runs.Run) -> Forecast:
    t = run.state.problem.dataset.trajectories[0].t
    return forecast(run, 0, AHEAD * float(t[-1] - t[0]))
