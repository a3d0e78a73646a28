"""The right column, does it fit and where does it move; and below it how the run got here."""

from collections.abc import Sequence
from itertools import combinations

import streamlit as st

from dolq_core import runs
from dolq_core.records import Dataset
from dolq_core.views import history, summary, system, trajectories
from dolq_core.views import phase as phase_view
from dolq_core.views.history import usage
from dolq_core.views.phase import Field, phase_line
from dolq_core.views.trajectories import Curve
from pages.ui import actions as heatmap
from pages.ui import charts, choosing, compared, convergence, goodness, kept, phase, streams, words

GRID = 48  # points of the field each way
LAW, TRIED = "law", "tried now"


def fit(run: runs.Run, attempt: bool = False) -> None:
    """Draw data and model under a heading that answers in words; attempt: what was tried now too."""
    dataset = run.state.problem.dataset
    curves = _simulated(run)
    asked = attempt and None not in run.state.best
    tried = kept.once(run, "attempted", lambda: trajectories.attempted(run)) if asked else ()
    answer = goodness.of_curves(run, curves)
    also = f" {_also(tried, dataset)}" if tried else ""
    st.markdown(f"**Does it fit?** {answer}{also}" if run.state.iteration else "**The data.** No law yet.")
    both = any(curve.is_drawn for curve in tried)
    names = ("best" if run.state.iteration and summary.verdict(run.state).status == "none" else LAW), TRIED
    st.caption(f"{compared.key(curves, names) if both else charts.key(curves)}{charts.left_out(curves)}")
    if both:
        figure = kept.once(
            run,
            "both",
            lambda: compared.compared(curves, tried, names, dataset.states, dataset.time, system.driven(run)),
        )
        alt = compared.compared_alt(curves, tried, names, dataset.states, dataset.time)
    else:
        figure = kept.once(
            run, "trajectories", lambda: charts.trajectories(curves, dataset.states, dataset.time, system.driven(run))
        )
        alt = charts.trajectories_alt(curves, dataset.states, dataset.time)
    alt = f"{alt}{charts.inputs_alt(dataset.trajectories, dataset.inputs)}"
    charts.show(figure, f"trajectories·{run.id}", alt)


def _also(curves: Sequence[Curve], dataset: Dataset) -> str:
    """Say in short how what was tried now fits, or why it is not drawn."""
    failure = next((curve.failure for curve in curves if curve.failure), "")
    if failure:
        return f"What was tried now cannot be simulated: {words.plain(failure)}"
    seen, ahead = (found(curves, len(dataset.states)) for found in (charts.worst, charts.worst_ahead))
    return goodness.other("Tried now", seen, ahead, charts.held(curves))


def plane(run: runs.Run) -> None:
    """Draw where the law moves: the rate of one state, the plane of two, and a plane of choice of more."""
    states = run.state.problem.dataset.states
    field = kept.once(run, "field", lambda: _field(run))
    if len(states) == 1:
        _rates(run)
    elif len(states) > 2:
        _projected(run)
    elif field is not None:
        curves = _simulated(run)
        st.markdown(f"**Phase plane.** {phase.nullclines(field, states)}")
        figure = kept.once(run, "phase", lambda: phase.phase(curves, field, streams.streams(field), states))
        charts.show(figure, f"phase·{run.id}", phase.phase_alt(curves, field, states))


def _rates(run: runs.Run) -> None:
    """Draw the rate of the one state over it, and say where it comes to rest."""
    dataset = run.state.problem.dataset
    found = kept.once(run, "line", lambda: phase_line(run))
    if found is None or system.statuses(run.state)[0][0] == "none":
        return
    st.markdown(f"**Rate over state.** {phase.rests(found, dataset.states[0])}")
    figure, alt = phase.line(found, dataset.states[0], dataset.time), phase.line_alt(found, dataset.states[0])
    charts.show(figure, f"rates·{run.id}", alt)


@st.fragment
def _projected(run: runs.Run) -> None:
    """Draw data and model over two states of choice."""
    states = run.state.problem.dataset.states
    curves = _simulated(run)
    pairs = list(combinations(range(len(states)), 2))
    with st.container(key="heading_phase", horizontal=True, vertical_alignment="center"):
        st.markdown("**Phase**, two states", width="stretch")
        x, y = st.selectbox(
            "States", pairs, format_func=lambda pair: f"{states[pair[1]].name} against {states[pair[0]].name}",
            key="phase.pair", width=260, label_visibility="collapsed",
        )  # fmt: skip
    figure = kept.once(run, f"phase {x} {y}", lambda: phase.projected(curves, states, (x, y)))
    charts.show(figure, f"phase·{run.id}·{x}·{y}", phase.projected_alt(curves, states, (x, y)))


def progress(run: runs.Run) -> None:
    """Draw the errors over the iterations, and beside them what was decided on each term."""
    with st.container(key="heading_progress", horizontal=True, vertical_alignment="center"):
        st.header("How the run got here", anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        _errors(run)
    with right:
        actions(run)


def _errors(run: runs.Run) -> None:
    names = [variable.name for variable in run.state.problem.dataset.states]
    points, marks, tokens = history.convergence(run), history.marks(run), usage(run)
    if not tokens and none_fitted(points):
        st.markdown("**Error of the rate.** None of the equations that were tried could be fitted.")
        return
    ahead = " Dotted: the best, held out." if any(point.held_out is not None for point in points) else ""
    step = convergence.drawn_of(points)
    tried = "each attempt" if step == 1 else f"one attempt of {step}"
    with st.container(key="heading_errors", horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**Error of the rate** as first fitted: line, the best law then; marks, {tried}; vertical, you.{ahead}"
        )
    alt = convergence.convergence_alt(points, marks, names, tokens)
    figure = kept.once(run, "convergence", lambda: convergence.convergence(points, marks, names, tokens))
    charts.show(figure, f"convergence·{run.id}", alt)


def none_fitted(points: Sequence[history.Point]) -> bool:
    """Whether no iteration has an error to draw."""
    return all(point.best is None and point.attempt is None for point in points)


@st.fragment
def actions(run: runs.Run) -> None:
    """Draw the heatmap of decisions for one equation, with a switch between the equations."""
    names = [variable.name for variable in run.state.problem.dataset.states]
    with st.container(key="heading_actions", horizontal=True, vertical_alignment="center"):
        place = st.container(width="stretch")
        equation = choosing.state_of(
            names, "actions.equation", "Equation of", few=3, width=150, label_visibility="collapsed"
        )
    tracks = [
        track for track in kept.once(run, "tracks", lambda: history.tracks(run)) if track.key.equation == equation
    ]
    more = f" {heatmap.ROWS} of {len(tracks)} terms." if len(tracks) > heatmap.ROWS else ""
    place.markdown(f"**Actions.** K keep, H hold, R remove, P pin; ringed: yours.{more}")
    if not tracks:
        st.caption("No term of this equation was decided on.")
        return
    done, planned = run.state.iteration, run.state.settings.iterations
    figure = kept.once(run, f"actions {equation}", lambda: heatmap.actions(tracks, done, planned))
    charts.show(figure, f"actions·{run.id}", heatmap.actions_alt(tracks, names[equation]))


def _field(run: runs.Run) -> Field | None:
    curves = _simulated(run)
    if len(run.state.problem.dataset.states) != 2 or not curves:
        return None
    low, high = phase.bounds(curves)
    return phase_view.field(run, low, high, GRID)


def _simulated(run: runs.Run) -> tuple[Curve, ...]:
    return kept.once(run, "curves", lambda: trajectories.curves(run))
