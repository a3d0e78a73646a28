"""How well one number of the law is told: what the samples lose as it is held elsewhere and all others fitted again."""

import math

import plotly.graph_objects as go
import streamlit as st

from dolq_core import runs
from dolq_core.views.numbers import LIMIT, Number, Profile, numbers, profiled
from dolq_core.views.system import reported
from pages.equations.sliders import in_full
from pages.ui import charts, kept, words
from pages.ui.colours import colours
from pages.ui.layout import blank

FITTED = "Refitting the system at each value ..."


@st.fragment
def profiles(run: runs.Run) -> None:
    """Draw the choice of a number, its profile, and what that says."""
    every = numbers(run)
    if not reported(run.state) or not every:
        st.markdown("Nothing to profile: an equation is missing, or has no term.")
        return
    place = st.selectbox(
        "Number", range(len(every)), format_func=lambda k: words.label(in_full(every[k])), key=f"profile·{run.id}",
        width=420,
    )  # fmt: skip
    one = every[place]
    found = kept.once(run, f"profile·{place}", lambda: profiled(run, place), FITTED)
    if found is None:
        st.markdown(":orange[:material/error:] The system cannot be fitted to whole runs.")
        return
    st.markdown(_answer(one, found))
    charts.show(_drawn(one, found), f"profile·chart·{run.id}", f"{_alt(one, found)} {_answer(one, found)}")
    st.caption(
        "Loss of log-likelihood in nats with the number held, all else refitted. Grey: 95 % by the standard error, "
        f"rough where the curve is no parabola.{words.NATS}"
    )


def _answer(one: Number, found: Profile) -> str:
    unit = f" {words.plain(one.unit)}" if one.unit else ""
    low, high = (None if end is None else _end(one, end) for end in (found.low, found.high))
    if low and high:
        return f"95 % by the likelihood: **{low} to {high}**{unit}."
    if low or high:
        return f"Bounded on one side only: {'above' if low else 'below'} **{low or high}**{unit}."
    return "Not bounded on either side, as far as it was profiled."


def _end(one: Number, end: float) -> str:
    """Return an end of the interval with the digits that the table of coefficients gives its own."""
    error = one.std_error
    return words.ends(one.value, error, end)[0] if error and math.isfinite(error) else words.number(end)


def _drawn(one: Number, found: Profile) -> go.Figure:
    palette = colours()
    figure = blank(palette, 320)
    if one.std_error:
        reach = words.NORMAL * one.std_error
        figure.add_vrect(one.value - reach, one.value + reach, fillcolor=palette.held_out, line_width=0, layer="below")
    figure.add_hline(LIMIT, line={"color": palette.remove, "width": 1.4, "dash": "dot"})
    figure.add_annotation(
        x=1.0, xref="paper", xanchor="right", y=LIMIT, yanchor="bottom", text="95 %", showarrow=False,
        font={"color": palette.muted},
    )  # fmt: skip
    figure.add_scatter(
        x=found.values, y=found.nats, mode="lines+markers", marker={"size": 6}, name="profile",
        line={"color": palette.lines[0], "width": 2.2, "shape": "spline"}, hovertemplate="%{x:.4g}: %{y:.2f} nats",
    )  # fmt: skip
    figure.add_vline(one.value, line={"color": palette.muted, "width": 1})
    name = one.text if one.inner is not None else f"coefficient of {one.text}"
    title = words.chart_term(name) + (f" ({words.in_chart(one.unit)})" if one.unit else "")
    figure.update_xaxes(title_text=title, showline=True, linecolor=palette.muted, nticks=8)
    return figure.update_yaxes(title_text="nats lost", rangemode="tozero", nticks=6)


def _alt(one: Number, found: Profile) -> str:
    ends = " to ".join(words.number(float(found.values[k])) for k in (0, -1))
    return f"Likelihood profile of {in_full(one)} from {ends}; fitted {words.number(one.value)}."
