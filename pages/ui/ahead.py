"""Charts of one model or several beyond the data, and with other coefficients."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dolq_core import runs
from dolq_core.records import Dataset, Trajectory
from dolq_core.views.amounts import moment
from dolq_core.views.fan import Fan
from dolq_core.views.forecast import Forecast, MovedPath
from dolq_core.views.forecast import forecast as followed
from dolq_core.views.rivals import asked_for
from pages.ui import charts, layout, words
from pages.ui.colours import colours


def forecast(found: Forecast, dataset: Dataset) -> go.Figure:
    """Draw the model over the data, and dashed on a grey ground beyond them."""
    palette = colours()
    figure = charts.panels(dataset.states, dataset.time, palette)
    end = float(found.model_t[-1])
    cut = found.since if end > found.since else None
    charts.ground(figure, dataset.states, cut, end, palette, said="beyond the data")
    inside, beyond = found.model_t <= found.since, found.model_t >= found.since
    for j in range(len(dataset.states)):
        if found.is_own:
            _samples(figure, j, found.t, found.data, dataset)
        if found.model is None:
            continue
        if found.low is not None and found.high is not None:
            charts.band(figure, j + 1, found.model_t, found.low[:, j], found.high[:, j], palette.lines[0])
        for part, dash in ((inside, "solid"), (beyond, "dash")):
            charts.line(figure, j + 1, found.model_t[part], found.model[part, j], palette.lines[0], dash)
    return figure


def _samples(figure: go.Figure, j: int, t: np.ndarray, x: np.ndarray, dataset: Dataset) -> None:
    """Draw the samples of one state, or say that nobody measured it."""
    palette = colours()
    if j in dataset.hidden:
        charts.above(figure, j + 1, charts.HIDDEN, palette.muted, "right")
    else:
        charts.marks(figure, j + 1, t, x[:, j], 0, palette)


def forecast_alt(found: Forecast, dataset: Dataset) -> str:
    """Say what the forecast shows."""
    to = words.bare(float(found.model_t[-1]))
    start = ", ".join(
        f"{state.name} {words.number(value)}" for state, value in zip(dataset.states, found.start, strict=False)
    )
    until = words.bare(found.since)
    return f"The model from {start} to {dataset.time.name} = {to}; the data end at {until}. {arrival(found, dataset)}"


def arrival(found: Forecast, dataset: Dataset) -> str:
    """Say where the model is at the end, or why it stops before."""
    if found.words or found.model is None:
        return found.words
    each = [
        f"{state.name} {words.with_unit(value, state.unit, 4)}{_spread(found, j)}"
        for j, (state, value) in enumerate(zip(dataset.states, found.model[-1].tolist(), strict=True))
    ]
    last = float(found.model_t[-1])
    return f"At {moment(dataset.time.name, words.bare(last), last, dataset.time.unit)} the model has {', '.join(each)}."


def _spread(found: Forecast, j: int) -> str:
    if found.low is None or found.high is None:
        return ""
    return f" (±{words.number(float(found.high[-1, j] - found.low[-1, j]) / 2, 2)})"


SAMPLES = ((40, 0), (9, 6), (3, 4), (7, 3), (16, 8))  # pixels of line and gap, as charts.DASHES
PARTED = 2.0  # heights of the data beyond them up to which laws that part are drawn


def fan(found: Fan, dataset: Dataset) -> go.Figure:
    """Draw the data and every law over them and on; from a star, the same laws where they part most."""
    palette = colours()
    figure = charts.panels(dataset.states, dataset.time, palette)
    charts.ground(figure, dataset.states, found.since, float(found.times[-1]), palette, said="beyond the data")
    for j in range(len(dataset.states)):
        _samples(figure, j, found.t, found.data, dataset)
        for number in reversed(range(len(found.paths))):  # the best law on top
            path, line, dash = found.paths[number], palette.lines[number], charts.DASHES[number]
            charts.line(figure, j + 1, found.times, path.measured[:, j], line, dash, name=_law(number))
            if path.apart is not None:
                charts.line(figure, j + 1, found.apart_times, path.apart[:, j], line, dash, 1.4, _law(number))
        if found.experiment is not None:
            charts.star(figure, j + 1, float(found.apart_times[0]), found.experiment.start[j], palette)
        lines = [one[:, j] for path in found.paths for one in (path.measured, path.apart) if one is not None]
        layout.reach(figure, j + 1, *layout.near(found.data[:, j], lines, PARTED))
    return figure


def sample(number: int) -> str:
    """Return a piece of a law's line as HTML, for the key of the picture."""
    colour, (on, off) = colours().lines[number], SAMPLES[number]
    line = f"repeating-linear-gradient(90deg, {colour} 0 {on}px, transparent {on}px {on + off}px)"
    return f'<div role="img" aria-label="{_law(number)}" style="width: 40px; height: 3px; background: {line}"></div>'


def _law(number: int) -> str:
    return f"rival {number}" if number else "best"


def fan_alt(found: Fan, dataset: Dataset) -> str:
    """Say how many laws are drawn, and where they are at the end."""
    ends = [
        f"{_law(number)}: "
        + ", ".join(
            f"{state.name} {words.number(float(value))}"
            for state, value in zip(dataset.states, path.measured[-1], strict=True)
        )
        for number, path in enumerate(found.paths)
    ]
    until = words.bare(float(found.times[-1]))
    asked = found.experiment and asked_for(found.experiment, dataset)
    apart = f" A star marks a start that tells them apart: {asked}" if asked else ""
    return f"{len(found.paths)} laws over the data and on to {until}. At the end {'; '.join(ends)}.{apart}"


def laid(paths: Sequence[Forecast], names: Sequence[str], dataset: Dataset) -> go.Figure:
    """Draw one run of the data and every law from its start, past the end of the data on a grey ground."""
    palette = colours()
    figure = charts.panels(dataset.states, dataset.time, palette)
    since, end = paths[0].since, max(float(path.model_t[-1]) for path in paths)
    cut = since if end > since else None
    charts.ground(figure, dataset.states, cut, end, palette, said="beyond the data")
    for j in range(len(dataset.states)):
        _samples(figure, j, paths[0].t, paths[0].data, dataset)
        lines = [path.model[:, j] for path in paths if path.model is not None]
        layout.reach(figure, j + 1, *layout.near(paths[0].data[:, j], lines))
        for number, path in enumerate(paths):
            if path.model is not None:
                colour, dash = palette.lines[number], charts.DASHES[number]
                charts.line(figure, j + 1, path.model_t, path.model[:, j], colour, dash, name=names[number])
    named = {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0.5, "xanchor": "center"}
    figure.for_each_trace(lambda trace: trace.update(showlegend=trace.name in names and trace.yaxis in (None, "y")))
    whole: Any = figure.layout
    figure.update_xaxes(title_standoff=8)  # else it lies on the ticks where the legend has two lines
    return figure.update_layout(showlegend=True, legend=named, margin_b=88, height=whole.height + 44)


def path(run: runs.Run, spans: float) -> Forecast:
    """Follow the law of a run from the start of its first trajectory, past the data by so many of their spans."""
    t = run.state.problem.dataset.trajectories[0].t
    return followed(run, 0, spans * float(t[-1] - t[0]))


def laid_alt(paths: Sequence[Forecast], names: Sequence[str], dataset: Dataset) -> str:
    """Say where every law is at the end."""
    since, until = words.bare(paths[0].since), words.bare(float(paths[0].model_t[-1]))
    each = [f"{name}: {_end(path, dataset)}" for name, path in zip(names, paths, strict=True)]
    return " ".join([f"{len(paths)} laws over the data, which end at {since}, and on to {until}.", *each])


def _end(path: Forecast, dataset: Dataset) -> str:
    if path.model is None or path.words:
        return path.words
    ends = zip(dataset.states, path.model[-1].tolist(), strict=True)
    return ", ".join(f"{state.name} {words.number(value)}" for state, value in ends) + "."


def moved(found: MovedPath, fitted: MovedPath, measured: Trajectory, dataset: Dataset) -> go.Figure:
    """Draw the data, the fitted model as a thin grey line, and the model with the coefficients as they are now."""
    palette = colours()
    figure = charts.panels(dataset.states, dataset.time, palette)
    for j in range(len(dataset.states)):
        _samples(figure, j, measured.t, measured.x, dataset)
        if fitted.x is not None:
            charts.line(figure, j + 1, fitted.t, fitted.x[:, j], palette.muted, "dot", 1.2, "fitted")
        if found.x is not None:
            charts.line(figure, j + 1, found.t, found.x[:, j], palette.lines[0])
        whose = "this run's " if len(dataset.trajectories) > 1 else ""
        errors = f"{whose}NMSE {_error(found.nmse[j])}, fitted {_error(fitted.nmse[j])}"
        if j not in dataset.hidden:
            charts.above(figure, j + 1, errors, palette.muted, "right")
        low, high = _view([measured.x[:, j], *([] if fitted.x is None else [fitted.x[:, j]])])
        layout.reach(figure, j + 1, low, high)
    return figure


def moved_alt(found: MovedPath, fitted: MovedPath, dataset: Dataset) -> str:
    """Say how far the moved model is from the data."""
    each = [
        f"{state.name} {_error(now)}, fitted {_error(then)}"
        for j, (state, now, then) in enumerate(zip(dataset.states, found.nmse, fitted.nmse, strict=True))
        if j not in dataset.hidden
    ]
    return f"The model with these coefficients against the data. Error: {'; '.join(each)}. {found.failure}".rstrip()


def _error(value: float | None) -> str:
    return "∞" if value is None else words.number(value, 2)


def _view(columns: Sequence[np.ndarray]) -> tuple[float, float]:
    """Return the range of the data and the fitted line and half as much again: what runs away leaves the picture."""
    every = np.concatenate(columns)
    low, high = float(np.nanmin(every)), float(np.nanmax(every))
    room = 0.5 * (high - low) or 1.0
    return low - room, high + room
