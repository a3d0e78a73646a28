"""Equations: the best system so far, with its coefficients, against the data, and to take away."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import runs
from dolq_core.views import summary
from dolq_core.views.constants import shared
from dolq_core.views.equations import Panel, Row, panels
from dolq_core.views.numbers import Number, numbers
from dolq_core.views.terms import unit_badge
from pages.discover import plots, room, terms
from pages.equations import evidence, further
from pages.equations.examine import examine
from pages.equations.taking import taking
from pages.ui import charts, frame, kept, presenting, session, undoing, words

HEADS = ("Term", "Coefficient", "95 % interval", "Decided", "Unit")
FEW = 2  # equations beside which there is room to say why their terms are there


def page() -> None:
    """Draw the result of the open run."""
    run = frame.opened()
    if run is None:
        frame.header("Equations", "", [])
        frame.empty("No run is open. Try it on yeast, or upload a table.")
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
    found, every = panels(run), numbers(run)
    laws, fits, moves = _places(alone=len(found) == 1)
    with laws:
        for panel in found:
            _equation(run, panel, [one for one in every if one.key.equation == panel.equation], few=len(found) <= FEW)
        _shared(run)
        if known := summary.record(run):
            st.caption(known)
    charts.words_first()
    with fits:
        plots.fit(run)
    with moves:
        plots.plane(run)
    doubt = st.container()
    st.header("A closer look", anchor=False)
    examine(run, found)
    with doubt:
        further.further(run, found)


def _places(*, alone: bool) -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    """Return where the laws and the two charts stand: beside the laws, or below the only one, which is shorter."""
    if alone:
        laws = st.container()
        return laws, *st.columns(2, gap="large")
    laws, right = st.columns([1.62, 1], gap="medium")
    return laws, right, right


def _equation(run: runs.Run, panel: Panel, every: Sequence[Number], *, few: bool) -> None:
    with st.container(key=f"eq_{panel.equation}"):
        terms.heading(panel)
        evidence.scores(panel)
        if panel.terms:
            st.table(_coefficients(panel.terms, every), border="horizontal", hide_index=True)
            evidence.tied(panel)
            with st.expander("Why these terms", key=f"why_{panel.equation}", expanded=few):
                for term in panel.terms:
                    _why(run, term)


def _why(run: runs.Run, term: Row) -> None:
    """Draw why a term is there, and what the units say against it."""
    st.markdown(f"{words.tex(term.latex)}: {words.plain(term.reason or 'not graded')}")
    badge = unit_badge(run, term.key)
    if badge is not None and badge.kind == "impossible":
        st.markdown(f":orange[:material/error:] {words.plain(badge.words)}")


def _coefficients(rows: Sequence[Row], every: Sequence[Number]) -> pd.DataFrame:
    """Return a row for every number that was fitted."""
    decided = {row.key: words.badge(row.action) if row.graded else "not graded" for row in rows}
    cells = [
        (
            words.tex(one.latex) if one.inner is None else f"$p_{{{one.inner + 1}}}$ in {words.tex(one.latex)}",
            words.coefficient(one.value, one.std_error),
            _interval(one),
            decided[one.key] if one.inner is None else "",
            words.plain(one.unit),
        )
        for one in every
    ]
    table = pd.DataFrame(cells, columns=list(HEADS))
    return table if table["Unit"].any() else table.drop(columns="Unit")


def _interval(one: Number) -> str:
    interval = words.interval(one.value, one.std_error)
    if one.declared:
        return f"{interval}, {one.declared}" if one.std_error is not None else one.declared
    return f"{interval}, may be zero" if one.may_be_zero else interval


def _shared(run: runs.Run) -> None:
    """Draw a row for each number that is one in several places, as declared or as found."""
    found = kept.once(run, "shared", lambda: shared(run))
    if not found:
        return
    rows = [
        (
            ", ".join(map(words.tex, one.where)),
            words.coefficient(one.value, one.std_error),
            words.interval(one.value, one.std_error),
            words.plain(one.unit),
            "declared" if one.declared else f"equal, {words.number(one.apart, 2)} σ apart",
        )
        for one in found
    ]
    st.markdown("**Equal constants**")
    table = pd.DataFrame(rows, columns=["Where", "Value", "95 % interval", "Unit", "Why"])
    st.table(table if table["Unit"].any() else table.drop(columns="Unit"), border="horizontal", hide_index=True)


page()
