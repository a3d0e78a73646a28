"""Runs under different conditions: one law, the constants that differ, and what they follow."""

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from dolq_core import runs
from dolq_core.errors import DolqError
from dolq_core.views import conditions as view
from dolq_core.views.conditions import Comparison, Constant
from pages.ui import charts, frame, kept, session, words
from pages.ui.colours import colours
from pages.ui.layout import on, stacked

PANEL = 130  # height of one, in pixels
COMPARED = "Looking for one law for all conditions ..."
EACH = "each run"


def conditions(run: runs.Run) -> None:
    """Draw the button, and the comparison once it is asked for."""
    st.caption("One law for all runs: which constants differ? All begin free; each is shared where that costs less.")
    columns = view.by_columns(run)
    by = ""
    if columns:
        chosen = st.selectbox("A condition is", [EACH, *columns], key=f"by·{run.id}", width=260)
        by = "" if chosen == EACH else chosen
    asked = f"conditions·{run.id}·{len(run.entries)}·{by}"
    st.button(
        "Compare the runs", icon=":material/compare_arrows:", key="compare_runs", on_click=session.reset,
        args=(asked, True),
    )  # fmt: skip
    if not session.value(asked):
        return
    try:
        found = kept.once(run, asked, lambda: view.compared(run, by), COMPARED)
    except DolqError as error:
        frame.fault(str(error))
        return
    _drawn(run, found)


def _drawn(run: runs.Run, found: Comparison) -> None:
    for text in found.equations:
        st.code(text, language=None)
    free = [one for one in found.constants if one.differs]
    _table(found)
    for one in found.constants:
        st.markdown(f"**{one.name}**: {view.verdict(one)}.{_follows(one)}")
    for text in (*view.ratios(found), view.against(found)):
        st.markdown(words.plain(text))
    if free:
        charts.show(_chart(free, found.labels), f"constants·{run.id}", _alt(free, found.labels))


def _table(found: Comparison) -> None:
    """Draw a row for each constant; one value where it is shared, one for each condition where it differs."""
    rows = [
        [one.name, *(words.coefficient(v, e) for v, e in zip(one.values, one.errors, strict=True))]
        if one.differs
        else [one.name, words.coefficient(one.values[0], one.errors[0]), *["as left"] * (len(found.labels) - 1)]
        for one in found.constants
    ]
    frame.table(rows, ["Constant", *map(words.plain, found.labels)])


def _follows(one: Constant) -> str:
    if not one.follows:
        return ""
    best = one.follows[0]
    return f" It follows {words.plain(best.column)}: `{one.name} = {best.formula}`."


def _chart(free: Sequence[Constant], labels: Sequence[str]) -> go.Figure:
    """Draw the constants one below the other, over the conditions in their order."""
    palette = colours()
    height = 80 + PANEL * len(free)
    below = {"showline": True, "linecolor": palette.muted}
    figure = stacked(palette, height, [1.0] * len(free), 32 / height, below, {"t": 26})
    names = [words.in_chart(label) for label in labels]
    for row, one in enumerate(free, 1):
        charts.above(figure, row, one.name, palette.text, "left")
        reach = [words.NORMAL * (error or 0.0) for error in one.errors]
        figure.add_scatter(
            x=names, y=one.values, mode="markers", name=one.name, hovertemplate="%{x}: %{y:.4g}",
            marker={"size": 8, "color": palette.lines[0]},
            error_y={"array": reach, "color": palette.lines[0], "thickness": 1.4}, **on(row),
        )  # fmt: skip
    return figure


def _alt(free: Sequence[Constant], labels: Sequence[str]) -> str:
    """Say what the chart shows."""
    said = [
        f"{one.name}: " + ", ".join(f"{label} {value:.4g}" for label, value in zip(labels, one.values, strict=True))
        for one in free
    ]
    return "Constants by condition. " + "; ".join(said)
