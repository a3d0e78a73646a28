"""Could it be another law? Which structures fit as well, and the run that would tell them apart."""

import numpy as np
import pandas as pd
import streamlit as st

from dolq_core import runs
from dolq_core.records import Dataset, EquationFit, TermKey
from dolq_core.views.equations import Panel
from dolq_core.views.rivals import Experiment, Ties, identifiability, next_experiment
from dolq_core.views.terms import latex_of
from pages.equations import fanned
from pages.ui import jobs, kept, session, words

TOLD = 3.0  # times the noise, from which two simulations are told apart
SEARCHED = "Looking for laws that fit as well ..."
SIMULATED = "Simulating what ties from many starts ..."
ALONE = "No other law, of those that were compared, explains the data about as well."


@st.fragment
def further(run: runs.Run, found: tuple[Panel, ...]) -> None:
    """Draw a sentence per equation; where structures tie, the search for the next experiment."""
    if not any(panel.terms for panel in found):
        return
    if jobs.is_working(run.id):
        st.caption("The run goes on, and the law may change. What else fits as well is looked for when it is paused.")
        return
    tied = {one.equation: one for one in kept.once(run, "ties", lambda: identifiability(run), SEARCHED)}
    for panel in found:
        if panel.equation in tied:
            _sentence(run, panel, tied[panel.equation])
    if any(one.count for one in tied.values()):
        fanned.fanned(run, tuple(tied.values()))
        with st.expander("Other starts are possible", key="other_starts"):
            _experiment(run)


def _sentence(run: runs.Run, panel: Panel, tied: Ties) -> None:
    st.markdown(f"**Change of {words.plain(panel.name)}.** {words.plain(tied.words) or ALONE}")
    if tied.fits:
        with st.expander(f"The best {len(tied.fits)} of {tied.count}", key=f"tied_{panel.equation}"):
            for fit in tied.fits:
                st.markdown(_structure(run, fit))


def _structure(run: runs.Run, fit: EquationFit) -> str:
    terms = [words.tex(latex_of(run, TermKey(fit.equation, term.skeleton))) for term in fit.terms]
    return f"{', '.join(terms)} · error {words.number(fit.nmse, 2)}"


def _experiment(run: runs.Run) -> None:
    """Draw the range of starts that are possible, the button, and the start that was found."""
    dataset = run.state.problem.dataset
    asked = f"experiment·{run.id}·{len(run.entries)}"
    with st.container(key="panel_experiment"):
        st.markdown("Where can a run start?")
        with st.form(f"starts·{run.id}", border=False):
            ranges = [_range(dataset, j) for j in range(len(dataset.states))]
            pressed = st.form_submit_button("Find the start", icon=":material/experiment:")
        wrong = [dataset.states[j].name for j, (low, high) in enumerate(ranges) if not low < high]
        if wrong:
            st.markdown(f":orange[:material/error:] {words.plain(', '.join(wrong))}: the first figure must be less.")
            return
        if pressed:
            session.reset(asked, tuple(ranges))
        if session.value(asked):
            low, high = zip(*session.value(asked), strict=True)
            _answer(dataset, _best_start(run, low, high))


def _range(dataset: Dataset, j: int) -> tuple[float, float]:
    state = dataset.states[j]
    values = np.concatenate([run.x[:, j] for run in dataset.trajectories])
    name, key = words.plain(state.title), f"start·{dataset.name}·{j}"
    low, high = st.columns(2)
    first = low.number_input(f"{name}, from", value=float(f"{np.nanmin(values):.3g}"), format="%g", key=f"{key}·from")
    last = high.number_input(f"{name}, to", value=float(f"{np.nanmax(values):.3g}"), format="%g", key=f"{key}·to")
    return float(first), float(last)


def _answer(dataset: Dataset, found: Experiment | None) -> None:
    if found is None:
        st.markdown("No run can tell them apart: nothing is tied.")
        return
    st.markdown(f":blue[:material/experiment:] {words.plain(found.words)}")
    if found.apart < TOLD:
        st.caption("That is hardly more than the noise. Widen the range, or measure longer or more exactly.")
    table = {
        "State": [words.plain(state.name) for state in dataset.states],
        "Start at": [
            words.plain(words.with_unit(v, s.unit, 3)) for v, s in zip(found.start, dataset.states, strict=True)
        ],
    }
    st.table(pd.DataFrame(table), border="horizontal", hide_index=True)


def _best_start(run: runs.Run, low: tuple[float, ...], high: tuple[float, ...]) -> Experiment | None:
    return kept.once(run, f"experiment {low} {high}", lambda: next_experiment(run, low, high), SIMULATED)
