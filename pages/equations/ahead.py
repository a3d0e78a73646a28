"""Where the law goes: past the end of the data, and from another start."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dolq_core import runs
from dolq_core.records import Dataset
from dolq_core.views import forecast as forecast_view
from dolq_core.views.forecast import Forecast
from dolq_core.views.system import own_start
from pages.ui import ahead, charts, session, words
from pages.ui.choosing import run_of

IN_A_ROW = 4  # number fields


def forecast(run: runs.Run) -> None:
    """Draw the fields for how far and from where, and the model that follows from them."""
    dataset = run.state.problem.dataset
    number = run_of(dataset, f"ahead·{run.id}")
    own = own_start(run, number)
    if not own:
        st.markdown("Nothing to simulate: an equation or the start of this run is missing.")
        return
    span = float(np.ptp(dataset.trajectories[number].t))
    unit = f" ({dataset.time.unit})" if dataset.time.unit else ""
    place = f"{run.id}·{len(run.entries)}·{number}"
    columns = [column for _ in range(0, len(own) + 1, IN_A_ROW) for column in st.columns(IN_A_ROW)]
    further = columns[0].number_input(
        words.label(f"Time past the data{unit}"), min_value=0.0, value=_short(span / 4), step=_short(span / 20),
        format="%g", key=f"further·{place}",
    )  # fmt: skip
    start = _start(dataset, own, place, columns[1:])
    found = forecast_view.forecast(run, number, float(further), start)
    icon = ":orange[:material/error:] " if found.words else ""
    st.markdown(icon + words.plain(ahead.arrival(found, dataset)))
    charts.show(ahead.forecast(found, dataset), f"forecast·{run.id}", ahead.forecast_alt(found, dataset))
    st.caption(words.plain(_about(found, dataset, further > 0.0)))


def _start(dataset: Dataset, own: tuple[float, ...], place: str, columns: list[DeltaGenerator]) -> list[float] | None:
    """Draw a field per state; None while all of them show the run's own start."""
    shown = [_short(value) for value in own]
    keys = [f"begin·{place}·{j}" for j in range(len(own))]
    chosen: list[float] = []
    for column, state, value, key in zip(columns, dataset.states, shown, keys, strict=False):
        label = words.label(f"Start of {state.title}")
        chosen.append(float(column.number_input(label, value=value, format="%g", key=key)))
    if chosen == shown:
        return None
    st.button(
        "Back to the run's own start", icon=":material/undo:", on_click=session.reset_all,
        args=(dict(zip(keys, shown, strict=True)),), key=f"own·{place}",
    )  # fmt: skip
    return chosen


def _about(found: Forecast, dataset: Dataset, beyond: bool) -> str:
    band = (
        "Band: two standard errors, of coefficients and start."
        if found.low is not None
        else "A band is known for the run's own start only."
    )
    data = "" if found.is_own else " Data, from another start, not drawn."
    names = ", ".join(variable.name for variable in dataset.inputs)
    inputs = f" Beyond the data {names} stays at its last value." if names and beyond else ""
    return f"{band}{data}{inputs}"


def _short(value: float) -> float:
    return float(f"{value:.4g}")
