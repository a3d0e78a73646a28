"""Equations: the best system so far, with its coefficients, against the data, and to take away."""

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import runs
from dolq_core.views import conditions, printed, summary
from dolq_core.views.constants import shared
from dolq_core.views.equations import Panel, Row, panels
from dolq_core.views.numbers import Number, numbers
from dolq_core.views.terms import unit_badge
from pages.discover import plots, room, terms
from pages.equations import ahead, by_condition, evidence, further, profile, residuals, sliders
from pages.equations.taking import taking
from pages.ui import charts, frame, kept, presenting, session, words

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
    buttons = frame.header(run.name, frame.verdict(run) if run.state.iteration else "", facts)
    if run.state.iteration == 0:
        st.markdown("No equation yet.")
        if st.button("Go to Discover", type="primary", icon=":material/science:"):
            st.switch_page("pages/discover/page.py")
        return
    with buttons:
        presenting.switch()
        taking(run)
    frame.last_word(run)
    found, every = panels(run), numbers(run)
    laws, fits, moves = _places(alone=len(found) == 1)
    with laws:
        for panel in found:
            _equation(run, panel, [one for one in every if one.key.equation == panel.equation], few=len(found) <= FEW)
        _digits(run)
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
    _examine(run, found)
    with doubt:
        further.further(run, found)


@st.fragment
def _examine(run: runs.Run, found: tuple[Panel, ...]) -> None:
    """Draw the sections below the law as tabs: each is drawn, and computed, only while it is open."""
    sections: dict[str, Callable[[], None]] = {
        "How many terms?": lambda: evidence.fronts(run, found),
        "Residuals": lambda: residuals.residuals(run),
        "Rates": lambda: residuals.rates(run),
        "Forecast": lambda: ahead.forecast(run),
        "Move coefficients": lambda: sliders.sliders(run),
        "Profiles": lambda: profile.profiles(run),
    }
    if conditions.is_possible(run):
        sections["Conditions"] = lambda: by_condition.conditions(run)
    tabs = st.tabs(list(sections), key="examine", on_change="rerun")
    for tab, draw in zip(tabs, sections.values(), strict=True):
        if tab.open:
            with tab:
                draw()


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
            _coefficients(panel.terms, every)
            evidence.tied(panel)
            with st.expander("Why these terms", key=f"why_{panel.equation}", expanded=few):
                for term in panel.terms:
                    _why(run, term)


def _why(run: runs.Run, term: Row) -> None:
    """Draw why a term is there, and what the units say against it."""
    st.markdown(f"{words.tex(term.latex)}: {words.plain(term.told if term.graded else 'not graded')}")
    badge = unit_badge(run, term.key)
    if badge is not None and badge.kind == "impossible":
        frame.fault(badge.words)


def _coefficients(rows: Sequence[Row], every: Sequence[Number]) -> None:
    """Draw a row for every number that was fitted."""
    decided = {row.key: _decided(row) for row in rows}
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
    _table(cells, HEADS)


def _decided(row: Row) -> str:
    if not row.graded:
        return "not graded"
    return f"{words.badge(row.action)}{' in another law' * row.is_of_another}"


def _table(rows: Sequence[Sequence[str]], heads: Sequence[str]) -> None:
    """Draw a table; the column of units only where there is one."""
    shown = [j for j, head in enumerate(heads) if head != "Unit" or any(row[j] for row in rows)]
    frame.table([[row[j] for j in shown] for row in rows], [heads[j] for j in shown])


def _interval(one: Number) -> str:
    interval = words.interval(one.value, one.std_error)
    if one.declared:
        return f"{interval}, {one.declared}" if one.std_error is not None else one.declared
    return f"{interval}, may be zero by its own error" if one.may_be_zero else interval


def _digits(run: runs.Run) -> None:
    """Say where the law as it is printed is not the one that was found."""
    needed = kept.once(run, "digits", lambda: printed.digits(run))
    if needed:
        st.caption(f"Rounded as shown, the law leaves its course; “Copy” gives the {needed} digits that it takes.")


def _shared(run: runs.Run) -> None:
    """Draw a row for each number that is one in several places, as declared or as found."""
    found = kept.once(run, "shared", lambda: shared(run))
    if not found:
        return
    rows = [
        (
            ", ".join(words.tex(spot.latex) for spot in one.where),
            words.coefficient(one.value, one.std_error),
            words.interval(one.value, one.std_error),
            words.plain(one.unit),
            one.why,
        )
        for one in found
    ]
    with st.container(key="equal"):
        st.markdown("**Equal constants**")
        _table(rows, ["Where", "Value", "95 % interval", "Unit", "Why"])


page()
