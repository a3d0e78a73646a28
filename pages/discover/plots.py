"""The right column, does it fit and where does it move; and below it how the run got here."""

import streamlit as st

from dolq_core import runs
from dolq_core.runs import Curve, Field
from pages.ui import actions as heatmap
from pages.ui import charts, convergence, phase, streams, words

GRID = 48  # points of the field each way


def fit(run: runs.Run) -> None:
    """Draw data and model under a heading that answers in words."""
    dataset = run.state.problem.dataset
    curves = _simulated(run.id, len(run.entries), run)
    worst = charts.worst(curves, len(dataset.states))
    failures = [f"{curve.label}: {curve.failure}".removeprefix(": ") for curve in curves if curve.failure]
    ahead = charts.worst_ahead(curves, len(dataset.states))
    st.markdown(f"**Does it fit?** {words.fits(worst, dataset.states, failures, ahead, charts.held(curves))}")
    st.caption(charts.key(curves))
    figure = charts.trajectories(curves, dataset.states, dataset.time)
    alt = charts.trajectories_alt(curves, dataset.states, dataset.time)
    charts.show(figure, f"trajectories·{run.id}", alt)
    longest = max(len(curve.t) for curve in curves)
    if charts.thinned(longest) > 1:
        st.caption(f"{longest} rows, one of {charts.thinned(longest)} drawn.")


def plane(run: runs.Run) -> None:
    """Draw the plane of two states with the flow of the law; nothing where no such plane says it all."""
    states = run.state.problem.dataset.states
    found = _flow(run.id, len(run.entries), run)
    if found is None:
        return
    curves, field, lines = found
    first, second = (words.plain(state.name) for state in states)
    st.markdown(f"**Phase.** Dashed: {first} steady. Dotted: {second} steady.")
    figure, alt = phase.phase(curves, field, lines, states), phase.phase_alt(curves, field, states)
    charts.show(figure, f"phase·{run.id}", alt)


def progress(run: runs.Run) -> None:
    """Draw the errors over the iterations, and beside them what was decided on each term."""
    with st.container(key="heading_progress", horizontal=True, vertical_alignment="center"):
        st.subheader("How the run got here", anchor=False)
    if run.state.iteration < 2:
        st.caption("Two iterations make a curve.")
        return
    left, right = st.columns(2, gap="large")
    with left:
        _errors(run)
    with right:
        actions(run)


def _errors(run: runs.Run) -> None:
    names = [variable.name for variable in run.state.problem.dataset.states]
    points, marks = runs.convergence(run), runs.marks(run)
    with st.container(key="heading_errors", horizontal=True, vertical_alignment="center"):
        st.markdown("**Error** (NMSE): best so far as a line, each attempt as a mark, your word as a vertical.")
    alt = convergence.convergence_alt(points, marks, names)
    charts.show(convergence.convergence(points, marks, names), f"convergence·{run.id}", alt)


def actions(run: runs.Run) -> None:
    """Draw the heatmap of decisions for one equation, with a switch between the equations."""
    names = [variable.name for variable in run.state.problem.dataset.states]
    with st.container(key="heading_actions", horizontal=True, vertical_alignment="center"):
        place = st.container(width="stretch")
        equation = _equation(names) if len(names) > 1 else 0
    tracks = [track for track in runs.tracks(run) if track.key.equation == equation]
    more = f" {heatmap.ROWS} of {len(tracks)} terms." if len(tracks) > heatmap.ROWS else ""
    place.markdown(f"**Actions.** K keep, H hold, R remove, P pin; ringed: yours.{more}")
    if not tracks:
        st.caption("Nothing was decided on this equation yet.")
        return
    figure = heatmap.actions(tracks, run.state.iteration, run.state.settings.iterations)
    charts.show(figure, f"actions·{run.id}", heatmap.actions_alt(tracks, names[equation]))


def _equation(names: list[str]) -> int:
    if len(names) > 3:
        return st.selectbox(
            "Equation of", range(len(names)), format_func=lambda j: names[j], key="actions.equation", width=150,
            label_visibility="collapsed",
        )  # fmt: skip
    return st.segmented_control(
        "Equation of", range(len(names)), default=0, format_func=lambda j: words.plain(names[j]), required=True,
        key="actions.equation", label_visibility="collapsed",
    )  # fmt: skip


@st.cache_resource(max_entries=32, show_spinner=False)
def _flow(run: str, entries: int, _run: runs.Run) -> tuple[tuple[Curve, ...], Field, streams.Streams] | None:
    """Follow the field once per state of the log."""
    curves = _simulated(run, entries, _run)
    if len(_run.state.problem.dataset.states) != 2 or not curves:
        return None
    low, high = phase.bounds(curves)
    field = runs.field(_run, low, high, GRID)
    return None if field is None else (curves, field, streams.streams(field))


@st.cache_resource(max_entries=32, show_spinner=False)
def _simulated(run: str, entries: int, _run: runs.Run) -> tuple[runs.Curve, ...]:
    """Simulate once per state of the log: a run's id and the length of its log say which."""
    return runs.curves(_run)
