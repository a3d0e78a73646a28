"""The figure of the start page: a real run on the yeast data, done once per server and kept in memory."""

import streamlit as st

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.views import trajectories
from dolq_core.views.equations import panels
from pages.ui import charts, words

ITERATIONS = 3


def figure() -> None:
    """Draw the law that a run of a few iterations finds, over the measurements."""
    law, curves, problem, iterations = _found()
    dataset = problem.dataset
    with st.container(key="panel_yeast"):
        st.latex(law)
        alt = charts.trajectories_alt(curves, dataset.states, dataset.time)
        charts.show(charts.law(curves, dataset.states[0], dataset.time, "measured by Carlson, 1913"), "yeast_law", alt)
        st.caption(f"Found on this computer in {words.plural(iterations, 'iteration')}.")


@st.cache_resource(show_spinner="Fitting the yeast data ...")
def _found():  # noqa: ANN202  (LaTeX, curves, the problem and a count)
    problem = load_bundled("yeast")
    store = runs.memory_store()
    run = runs.auto(store, runs.start(store, problem), ITERATIONS)
    return panels(run)[0].latex, trajectories.curves(run), problem, run.state.iteration
