"""A slider for every number of the law: move one, and see what it does."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import runs
from dolq_core.fitting.held_out import names_of_runs
from dolq_core.records import derivative
from dolq_core.views.forecast import MovedPath, moved
from dolq_core.views.numbers import Number, numbers
from dolq_core.views.system import reported
from dolq_core.views.trajectories import of_measured
from pages.ui import ahead, charts, frame, kept, session, words
from pages.ui.choosing import run_of

TOGETHER = 6  # sliders that stand in one list; more are folded by equation


@st.fragment
def sliders(run: runs.Run) -> None:
    """Draw the sliders beside the model that they make. A fragment of its own: a move redraws nothing else."""
    dataset, every = run.state.problem.dataset, numbers(run)
    if not reported(run.state) or not every:
        st.markdown("Nothing to move: an equation is missing, or has no term.")
        return
    left, right = st.columns([1, 1.5], gap="large")
    with left:
        number = run_of(dataset, f"moved·{run.id}")
        values = _values(run, every)
    fitted = kept.once(run, f"fitted·{number}", lambda: moved(run, number, [one.value for one in every]))
    several = len(dataset.trajectories) if len(dataset.trajectories) > 1 else 0
    same = all(value == one.value for value, one in zip(values, every, strict=True))
    now = fitted if same else moved(run, number, values)
    with right:
        errors = [_worst(one, dataset.hidden) for one in (now, fitted)]
        st.markdown(_answer(errors[0], errors[1], same, names_of_runs(dataset)[number] if several else ""))
        if several:
            st.caption(f"Of this run alone. “Does it fit?” gives the largest error of all {several} runs.")
        if now.failure:
            frame.fault(now.failure)
        figure = ahead.moved(now, fitted, dataset.trajectories[number], dataset)
        charts.show(figure, f"moved·chart·{run.id}", ahead.moved_alt(now, fitted, dataset))
        st.caption("Line: moved. Dotted: fitted. Nothing is stored.")


def _values(run: runs.Run, every: tuple[Number, ...]) -> list[float]:
    keys = [f"slide·{run.id}·{len(run.entries)}·{one.key.equation}·{one.key.skeleton}·{one.inner}" for one in every]
    fitted = {key: one.value for key, one in zip(keys, every, strict=True)}
    for key, value in fitted.items():
        session.seed(key, value)
    st.button(
        "Reset to fitted", icon=":material/undo:", on_click=session.reset_all, args=(fitted,), key=f"fitted·{run.id}"
    )
    found: list[float] = []
    for equation in dict.fromkeys(one.key.equation for one in every):
        own = [(key, one) for key, one in zip(keys, every, strict=True) if one.key.equation == equation]
        with _group(own[0][1], folded=len(every) > TOGETHER):
            found += [_slider(key, one) for key, one in own]
    return found


def _group(first: Number, *, folded: bool) -> DeltaGenerator:
    title = words.plain(derivative(first.equation_name))
    if folded:
        return st.expander(title, expanded=first.key.equation == 0)
    st.markdown(f"**{title}**")
    return st.container()


def _slider(key: str, one: Number) -> float:
    """Draw one slider and return where it stands; the fitted value exactly while it stands there."""
    value = st.slider(words.label(in_full(one)), one.low, one.high, step=one.step, format="%.4g", key=key)
    return one.value if abs(value - one.value) < 1e-6 * one.step else float(value)


def in_full(one: Number) -> str:
    """Return the name of a number with its equation and its unit."""
    term = "the constant" if one.text == "1" else one.text
    return f"{term} in {derivative(one.equation_name)}{f' ({one.unit})' if one.unit else ''}"


def _answer(now: str, then: str, same: bool, name: str) -> str:
    """Say how far the model is off on the run that is drawn; name: of the run where there are several."""
    what = f"Error (NMSE) of run {words.plain(name)}" if name else "Error (NMSE)"
    if same:
        return f"{what} **{then}**, as fitted."
    return f"{what} **{now}**, fitted {then}."


def _worst(found: MovedPath, hidden: Sequence[int]) -> str:
    errors = of_measured(found.nmse, hidden)
    known = [error for error in errors if error is not None]
    return words.number(max(known), 2) if len(known) == len(errors) else "not known"
