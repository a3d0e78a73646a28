"""Equations: the best system so far, with its coefficients, against the data, and to take away."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dolq_core import runs
from dolq_core.views import summary
from dolq_core.views.equations import Panel, Row, panels, shared
from dolq_core.views.terms import unit_badge
from pages.discover import plots, room
from pages.equations import evidence, further
from pages.equations.examine import examine
from pages.equations.taking import taking
from pages.ui import charts, frame, presenting, session, undoing, words


def page() -> None:
    """Draw the result of the open run."""
    run = frame.opened()
    if run is None:
        frame.header("Equations", "", [])
        frame.empty("No run is open, so there is no equation yet. Try it on yeast, or upload a table.")
        return
    if presenting.is_on() and run.state.iteration:
        session.no_editors()
        room.equations(run)
        return
    facts = [f"after iteration {run.state.iteration}"]
    _, buttons = frame.header(run.name, frame.verdict(run) if run.state.iteration else "", facts)
    if run.state.iteration == 0:
        st.markdown("No equation yet.")
        if st.button("Go to Discover", type="primary", icon=":material/science:"):
            st.switch_page("pages/discover/page.py")
        return
    with buttons:
        presenting.switch()
        taking(run)
    undoing.last_word(run)
    found = panels(run)
    left, right = st.columns([1.62, 1], gap="medium")
    with left:
        for panel in found:
            _equation(run, panel)
        _shared(run)
        if known := summary.record(run):
            st.caption(known)
        doubt = st.container()
    charts.words_first()
    with right:
        plots.fit(run)
        plots.plane(run)
    st.subheader("A closer look", anchor=False)
    examine(run, found)
    with doubt:
        further.further(run, found)


def _equation(run: runs.Run, panel: Panel) -> None:
    with st.container(key=f"eq_{panel.equation}"):
        with st.container(key=f"title_{panel.equation}", horizontal=True, vertical_alignment="center", wrap=False):
            st.markdown(words.tex(rf"\displaystyle {panel.latex or panel.awaited or panel.lhs}"), width="stretch")
            st.markdown(f"{frame.standing(panel)} {words.rivals(panel.rivals)}", width="content")
        st.caption(words.plain(panel.status_reason))
        evidence.scores(panel)
        if panel.terms:
            st.table(_coefficients(run, panel.terms), border="horizontal", hide_index=True)
            evidence.tied(panel)
            with st.expander("Why these terms", key=f"why_{panel.equation}"):
                for term in panel.terms:
                    _why(run, term)


def _why(run: runs.Run, term: Row) -> None:
    """Draw why a term is there, and what the units say against it."""
    st.markdown(f"{words.tex(term.latex)}: {words.plain(term.reason or 'not graded')}")
    badge = unit_badge(run, term.key)
    if badge is not None and badge.kind == "impossible":
        st.markdown(f":orange[:material/error:] {words.plain(badge.words)}")


def _coefficients(run: runs.Run, terms: Sequence[Row]) -> pd.DataFrame:
    """Return a row for every number that was fitted: the coefficient of each term, then the numbers inside it."""
    rows: list[tuple[str, ...]] = []
    for term in terms:
        badge = unit_badge(run, term.key)
        decided = words.badge(term.action) if term.graded else "not graded"
        unit = words.plain(badge.coefficient) if badge else ""
        value, interval = _told(term.coefficient, term.std_error)
        told = f"{interval}, {term.declared}" if term.std_error is not None else term.declared
        rows.append((words.tex(term.latex), value, told if term.declared else interval, decided, unit))
        for k, (value, error) in enumerate(term.inner, 1):
            unit = words.plain(badge.inside.get(k - 1, "")) if badge else ""
            rows.append((words.tex(rf"p_{{{k}}} \text{{ in }} {term.shape}"), *_told(value, error), "", unit))
    table = pd.DataFrame(rows, columns=["Term", "Coefficient", "95 % interval", "Decided", "Unit"])
    return table if table["Unit"].any() else table.drop(columns="Unit")


def _shared(run: runs.Run) -> None:
    """Draw a row for each number that is one in several places, as declared of the building blocks."""
    found = shared(run)
    if found:
        rows = [(words.tex(one.where), *_told(one.value, one.std_error)) for one in found]
        st.markdown("**One number in several places, fitted once**")
        st.table(pd.DataFrame(rows, columns=["Where", "Value", "95 % interval"]), border="horizontal", hide_index=True)


def _told(value: float, error: float | None) -> tuple[str, str]:
    return words.coefficient(value, error), words.interval(value, error)


page()
