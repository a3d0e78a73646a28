"""The right column, does it fit, and below it how the run got here."""

import streamlit as st

from dolq_core import runs
from pages.ui import charts, convergence, words


def fit(run: runs.Run) -> None:
    """Draw data and model under a heading that answers in words."""
    dataset = run.state.problem.dataset
    curves = _simulated(run.id, len(run.entries), run)
    worst = charts.worst(curves, len(dataset.states))
    failures = [f"{curve.label}: {curve.failure}".removeprefix(": ") for curve in curves if curve.failure]
    st.markdown(f"**Does it fit?** {words.fits(worst, dataset.states, failures)}")
    st.caption(charts.key(curves))
    figure = charts.trajectories(curves, dataset.states, dataset.time)
    alt = charts.trajectories_alt(curves, dataset.states, dataset.time)
    charts.show(figure, f"trajectories·{run.id}", alt)
    longest = max(len(curve.t) for curve in curves)
    if charts.thinned(longest) > 1:
        st.caption(f"{longest} rows, one of {charts.thinned(longest)} drawn.")


def progress(run: runs.Run) -> None:
    """Draw the errors over the iterations."""
    with st.container(key="heading_progress", horizontal=True, vertical_alignment="center"):
        st.subheader("How the run got here", anchor=False)
    if run.state.iteration < 2:
        st.caption("Two iterations make a curve.")
        return
    names = [variable.name for variable in run.state.problem.dataset.states]
    points, marks = runs.convergence(run), runs.marks(run)
    st.markdown("**Error** (NMSE): best so far as a line, each attempt as a mark, your word as a vertical.")
    alt = convergence.convergence_alt(points, marks, names)
    charts.show(convergence.convergence(points, marks, names), f"convergence·{run.id}", alt)


@st.cache_resource(max_entries=32, show_spinner=False)
def _simulated(run: str, entries: int, _run: runs.Run) -> tuple[runs.Curve, ...]:
    """Simulate once per state of the log: a run's id and the length of its log say which."""
    return runs.curves(_run)
