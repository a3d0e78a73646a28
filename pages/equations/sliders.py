"""A slider for every number of the law: move one, and see what it does."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import runs
from dolq_core.views.forecast import Knob, MovedPath, knobs, moved
from pages.equations.choosing import run_of
from pages.ui import ahead, charts, kept, session, words

TOGETHER = 6  # sliders that stand in one list; more are folded by equation


@st.fragment
def sliders(run: runs.Run) -> None:
    """Draw the sliders beside the model that they make. A fragment of its own: a move redraws nothing else."""
    dataset, every = run.state.problem.dataset, knobs(run)
    if not every:
        st.markdown("There is nothing to move: an equation is missing, or no law has a term.")
        return
    left, right = st.columns([1, 1.5], gap="large")
    with left:
        number = run_of(dataset, f"moved·{run.id}")
        values = _values(run, every)
    fitted = kept.once(run, f"fitted·{number}", lambda: moved(run, number, [knob.fitted for knob in every]))
    same = all(value == knob.fitted for value, knob in zip(values, every, strict=True))
    now = fitted if same else moved(run, number, values)
    with right:
        st.markdown(_answer(now, fitted, same))
        if now.failure:
            st.markdown(f":orange[:material/error:] {words.plain(now.failure)}")
        figure = ahead.moved(now, fitted, dataset.trajectories[number], dataset)
        charts.show(figure, f"moved·chart·{run.id}", ahead.moved_alt(now, fitted, dataset))
        st.caption(
            "Line: with these coefficients. Dotted: fitted. Circles: data. Error: on the whole run. Nothing is stored."
        )


def _values(run: runs.Run, every: tuple[Knob, ...]) -> list[float]:
    keys = [f"slide·{run.id}·{len(run.entries)}·{knob.key.equation}·{knob.key.skeleton}·{knob.inner}" for knob in every]
    for key, knob in zip(keys, every, strict=True):
        session.seed(key, knob.fitted)
    fitted = {key: knob.fitted for key, knob in zip(keys, every, strict=True)}
    st.button(
        "Reset to fitted", icon=":material/undo:", on_click=session.reset_all, args=(fitted,), key=f"fitted·{run.id}"
    )
    found: list[float] = []
    for equation in dict.fromkeys(knob.key.equation for knob in every):
        own = [(key, knob) for key, knob in zip(keys, every, strict=True) if knob.key.equation == equation]
        with _group(own[0][1], folded=len(every) > TOGETHER):
            found += [_slider(key, knob) for key, knob in own]
    return found


def _group(first: Knob, *, folded: bool) -> DeltaGenerator:
    title = f"Change of {words.plain(first.equation_name)}"
    if folded:
        return st.expander(title, expanded=first.key.equation == 0)
    st.markdown(f"**{title}**")
    return st.container()


def _slider(key: str, knob: Knob) -> float:
    """Draw one slider and return where it stands; the fitted value exactly while it stands there."""
    term = "the constant" if knob.text == "1" else knob.text
    if knob.inner is not None:
        term = f"{words.number(knob.fitted)} inside {term}"
    value = st.slider(
        words.label(f"{term} in the change of {knob.equation_name}"), knob.low, knob.high,
        step=knob.step, format="%.4g", key=key,
    )  # fmt: skip
    return knob.fitted if abs(value - knob.fitted) < 1e-6 * knob.step else float(value)


def _answer(now: MovedPath, fitted: MovedPath, same: bool) -> str:
    then = _worst(fitted)
    if same:
        return f"Error (NMSE) **{then}**, as fitted. Move a coefficient to see what it does."
    return f"Error (NMSE) **{_worst(now)}**, fitted {then}."


def _worst(found: MovedPath) -> str:
    known = [error for error in found.nmse if error is not None]
    return words.number(max(known), 2) if len(known) == len(found.nmse) else "not known"
