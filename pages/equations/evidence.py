"""What speaks for an equation beside its fit: its scores, its size among all that were tried."""

import streamlit as st

from dolq_core import runs
from dolq_core.records import EquationFit, TermKey, derivative
from dolq_core.views.equations import Panel
from dolq_core.views.rivals import Front
from dolq_core.views.rivals import front as front_of
from dolq_core.views.terms import text_of
from pages.equations import instead
from pages.ui import charts, words
from pages.ui import correlation as heat
from pages.ui import front as chart

UNSEEN = " Errors and curves: of coefficients that have not seen the held-out part."
KNEE = " Right of the knee more terms bring little."
JUDGED = " The law is chosen by whole runs: a lower point can be worse."


def scores(panel: Panel) -> None:
    """Draw the errors of the equation beside each other, and say which coefficients are reported."""
    best, scored = panel.best, panel.scored
    if best is None or scored is None:
        return
    st.markdown(words.errors(scored))
    blind = (
        "" if scored.held_out is None else " Errors and curves: of coefficients that have not seen the held-out part."
    )
    st.caption(words.plain(f"Coefficients: {words.strategy(best.strategy)}.{blind}"))


def tied(panel: Panel) -> None:
    """Say which coefficients only a combination of is known; on demand, draw the correlation of all of them."""
    found = panel.correlation
    if found is None:
        return
    if found.words:
        st.markdown(f":material/link: {words.label(found.words)}")
    if len(found.texts) == 2:
        if not found.words:
            st.caption(f"Correlation of the two coefficients: {heat.said(found.values[1][0])}.")
        return
    with st.expander("Correlation of the coefficients", key=f"correlation_{panel.equation}"):
        st.caption("+1: both rise together; −1: one rises as the other falls.")
        alt = heat.correlation_alt(found, derivative(panel.name))
        charts.show(heat.correlation(found), f"correlation·{panel.equation}", alt)


@st.fragment
def fronts(run: runs.Run, found: tuple[Panel, ...]) -> None:
    """Draw the front of every equation, one or two in a row, and below them the structures chosen there."""
    held = any(panel.scored is not None and panel.scored.held_out is not None for panel in found)
    whole = any(panel.is_of_whole_runs for panel in found)
    drawn = {panel.equation: front_of(run.state, panel.equation) for panel in found}
    knee = any(front.knee is not None for front in drawn.values())
    how = "held out" if held else "cross-validated"
    st.caption(
        f"Structures that were proposed, by the error of the rate as first fitted, {how}."
        f"{KNEE if knee else ''}{JUDGED if whole else ''} Click one to see it."
    )
    for first in range(0, len(found), 2):
        pair = found[first : first + 2]
        for column, panel in zip(st.columns(len(pair), gap="large"), pair, strict=True):
            with column:
                _front(run, panel, drawn[panel.equation])
        for panel in pair:
            instead.chosen(run, panel)


def _front(run: runs.Run, panel: Panel, front: Front) -> None:
    st.markdown(words.tex(panel.lhs))
    if not front.points:
        st.caption("Nothing could be fitted yet.")
        return
    current = run.state.best[panel.equation]
    shown = current.fit if current else None
    fits = (*front.points, *front.dominated)
    texts = {id(fit): _text(run, fit) for fit in fits}
    place = st.container()
    marked = instead.choose(run, panel, fits, texts)
    alt = chart.front_alt(front, shown, panel.name)
    with place:
        figure = chart.front(front, shown, texts, marked)
        charts.show(figure, instead.click(run, panel), alt, lambda: instead.clicked(run, panel, fits))


def _text(run: runs.Run, fit: EquationFit) -> str:
    return ", ".join(text_of(run, TermKey(fit.equation, term.skeleton)) for term in fit.terms) or "no term"
