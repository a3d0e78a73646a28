"""What the law leaves over of the data, and the rates behind it: a sentence per state, then the charts of one."""

import streamlit as st

from dolq_core import runs
from dolq_core.views import diagnostics
from dolq_core.views.diagnostics import Residuals
from pages.ui import charts, kept, words
from pages.ui import residuals as chart
from pages.ui.choosing import state_of

ICONS = {
    "noise": ":material/check:", "small": ":material/check:", "hint": ":material/help:", "few": ":material/help:",
    "drift": ":material/error:", "large": ":material/error:", "none": ":material/error:",
}  # fmt: skip


def residuals(run: runs.Run) -> None:
    """Draw the residuals of the simulated trajectories."""
    dataset = run.state.problem.dataset
    found = kept.once(run, "residuals", lambda: diagnostics.residuals(run))
    held = " The held-out part is drawn and not counted." if _is_held_out(run) else ""
    st.caption(f"Data minus simulation: noise alone where the law is right.{held}")
    for one in found:
        st.markdown(f"{ICONS[one.verdict]} **{words.plain(one.name)}.** {words.plain(one.words)}")
    for j in dataset.hidden:
        st.caption(words.plain(f"{dataset.states[j].name}: hidden, so that there is nothing to compare with."))
    if all(one.verdict == "none" for one in found):
        return
    one = found[state_of([one.name for one in found], f"residuals·{run.id}")]
    left, middle, right = st.columns([1.5, 1, 1], gap="medium")
    with left:
        st.markdown("**Against time**")
        charts.show(chart.over_time(one, dataset.time), f"residuals·time·{run.id}", chart.time_alt(one))
    with middle:
        st.markdown("**Histogram** and normal curve")
        charts.show(chart.histogram(one), f"residuals·often·{run.id}", chart.histogram_alt(one))
    with right:
        st.markdown("**Autocorrelation**")
        alt = chart.autocorrelation_alt(one)
        charts.show(chart.autocorrelation(one), f"residuals·lags·{run.id}", alt)
    st.caption(_about(one, dataset.time.unit))


def _about(one: Residuals, unit: str) -> str:
    noise = f"noise about {words.with_unit(one.noise, one.unit)}" if one.noise else "no visible noise"
    lag = f"a lag is {words.with_unit(one.lag_time, unit, 3)}" if one.lag_time is not None else "lags count samples"
    out = "; held out: grey" if any(run.held_out.any() for run in one.runs) else ""
    size = words.with_unit(one.size, one.unit)
    return words.plain(
        f"RMS {size}, {noise}; {words.plural(one.white.n, 'sample')}; {lag}. Grey: 95 % of white noise; "
        f"Ljung-Box p = {words.number(one.white.chance, 2)}{out}."
    )


def rates(run: runs.Run) -> None:
    """Draw the rate of one state as estimated and as the law has it."""
    dataset = run.state.problem.dataset
    found = kept.once(run, "rates", lambda: diagnostics.rates(run))
    one = found[state_of([state.name for state in dataset.states], f"rates·{run.id}")]
    st.markdown(words.plain(one.words))
    held = " The held-out part is not shown." if _is_held_out(run) else ""
    st.caption(words.plain(f"{one.how} Dotted: estimated. Line: the law.{held}"))
    charts.show(chart.rates(one, dataset.time), f"rates·chart·{run.id}", chart.rates_alt(one))


def _is_held_out(run: runs.Run) -> bool:
    return any(best is not None and best.fit.held_out is not None for best in run.state.best)
