"""Could it be another law? Which structures fit as well, and the run that would tell them apart."""

import streamlit as st

from dolq_core import runs
from dolq_core.loop import is_narrowed
from dolq_core.records import Dataset, EquationFit, TermKey
from dolq_core.views.equations import Panel
from dolq_core.views.fan import box, experiment
from dolq_core.views.rivals import Experiment, Ties, asked_for, identifiability
from dolq_core.views.terms import latex_of
from pages.equations import fanned
from pages.ui import frame, jobs, kept, session, words

SEARCHED = "Looking for rivals ..."
SIMULATED = "Simulating the rivals from many starts ..."


@st.fragment
def further(run: runs.Run, found: tuple[Panel, ...]) -> None:
    """Draw the rivals of each law, what would tell them apart, and which laws have none."""
    laws = [panel for panel in found if panel.terms and panel.status != "none"]
    if not laws:
        return
    if jobs.is_working(run.id):
        st.caption("Rivals follow once the run is paused: the law may still change.")
        return
    tied = {one.equation: one for one in kept.once(run, "ties", lambda: identifiability(run), SEARCHED)}
    alone = [panel for panel in laws if not tied[panel.equation].count and not panel.says_alone]
    for allowed in (False, True):
        named = [panel.name for panel in alone if is_narrowed(run.state, panel.equation) == allowed]
        if named:
            whose = f"the {'law' if len(named) == 1 else 'laws'} of {words.plain(', '.join(named))}"
            st.caption(f"No rival of {whose} among the laws compared{' that you allow' * allowed}.")
    doubtful = [panel for panel in laws if tied[panel.equation].fits]
    for first in range(0, len(doubtful), 2):
        pair = doubtful[first : first + 2]
        for column, panel in zip(st.columns(len(pair), gap="large"), pair, strict=True):
            with column:
                _rivals(run, panel, tied[panel.equation])
    if any(one.count for one in tied.values()):
        fanned.fanned(run, tuple(tied.values()))
        with st.expander("Where to measure next", key="other_starts"):
            _experiment(run, tuple(tied.values()))


def _rivals(run: runs.Run, panel: Panel, tied: Ties) -> None:
    some = "" if len(tied.fits) == tied.count else f", the best {len(tied.fits)} listed"
    said = f"{words.plural(tied.count, 'rival')} of the law of {words.label(panel.name)}{some}"
    with st.expander(said, key=f"tied_{panel.equation}"):
        for fit in tied.fits:
            st.markdown(_structure(run, fit))


def _structure(run: runs.Run, fit: EquationFit) -> str:
    terms = [words.tex(latex_of(run, TermKey(fit.equation, term.skeleton))) for term in fit.terms]
    return f"{', '.join(terms)} · error {words.number(fit.nmse, 2)}"


def _experiment(run: runs.Run, tied: tuple[Ties, ...]) -> None:
    """Draw the range of starts that are possible, the button, and the start that was found."""
    dataset = run.state.problem.dataset
    asked = f"experiment·{run.id}·{len(run.entries)}"
    with st.container(key="panel_experiment"):
        st.markdown("Where can a run start?")
        with st.form(f"starts·{run.id}", border=False):
            ranges = [_range(dataset, j, *ends) for j, ends in enumerate(zip(*box(run), strict=True))]
            pressed = st.form_submit_button("Find the start", icon=":material/experiment:")
        wrong = [dataset.states[j].name for j, (low, high) in enumerate(ranges) if not low < high]
        if wrong:
            st.markdown(f":orange[:material/error:] {words.plain(', '.join(wrong))}: “from” must be below “to”.")
            return
        if pressed:
            session.reset(asked, tuple(ranges))
        if session.value(asked):
            low, high = zip(*session.value(asked), strict=True)
            found = kept.once(run, f"experiment {low} {high}", lambda: experiment(run, tied, low, high), SIMULATED)
            _answer(dataset, found)


def _range(dataset: Dataset, j: int, lowest: float, highest: float) -> tuple[float, float]:
    name, key = words.label(dataset.states[j].title), f"start·{dataset.name}·{j}"
    low, high = st.columns(2)
    first = low.number_input(f"{name}, from", value=lowest, format="%g", key=f"{key}·from")
    last = high.number_input(f"{name}, to", value=highest, format="%g", key=f"{key}·to")
    return float(first), float(last)


def _answer(dataset: Dataset, found: Experiment | None) -> None:
    if found is None:
        st.markdown("Nothing to tell apart.")
        return
    st.markdown(f":blue[:material/experiment:] {words.plain(asked_for(found, dataset))}")
    if found.apart < fanned.TOLD:
        st.caption("Hardly more than the noise: widen the range, or measure longer or more exactly.")
    starts = zip(found.start, dataset.states, strict=True)
    table = {
        "State": [words.plain(state.name) for state in dataset.states],
        "Start at": [words.plain(words.with_unit(value, state.unit, 3)) for value, state in starts],
    }
    frame.table(table)
