"""Charts from records: explicit colours for each trace, labels at the data, alt text from the numbers."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from dolq_core.records import Dataset, Trajectory, Variable
from dolq_core.views.trajectories import Curve, held, of_measured, worst, worst_ahead
from pages.ui import presenting, session, words
from pages.ui.colours import Colours, colours
from pages.ui.layout import near, number_of, on, reach, stacked

SYMBOLS = ("circle-open", "square-open", "diamond-open", "triangle-up-open", "triangle-down-open", "x-thin-open")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
GLYPHS = "○□◇△▽✕"  # what the symbols look like in text
WORDS_S = 0.1  # what a browser needs for the words of a page
SHAPES: Final[dict[str, str]] = {"linear": "linear", "nearest": "hvh", "previous": "hv", "placed": "hv", "next": "vh"}
DRAWN = 2000  # points of an input's line
DOTS = 160  # samples up to which an input is drawn as points: each is an element, and of more a step is no slope
LONG = 24  # letters of a panel's name
MODEL = ":blue[— model]"
HIDDEN = "hidden: never measured"
SHOWN = 80  # points of data per run that are drawn: more would melt into a band


def show(figure: go.Figure, key: str, alt: str, clicked: Callable[[], None] | None = None) -> None:
    """Draw the figure without Streamlit's theme, without a bar of buttons, with its words for a screen reader.

    clicked: called when a point was clicked; the widget `key` then holds which one.
    """
    large = presenting.is_on()
    st.plotly_chart(
        presenting.enlarged(figure) if large else figure, height="stretch" if large else "content", key=key, theme=None,
        config={"displayModeBar": False}, alt=alt, on_select=clicked or "ignore", selection_mode="points",
    )  # fmt: skip


def words_first() -> None:
    """Where the page takes the place of another, let the browser draw its words before the first chart.

    It draws in one go what comes while it draws what came before, and a page of charts takes it four times as long as
    the words do.
    """
    if session.is_another_page():
        time.sleep(WORDS_S)


def trajectories(
    curves: Sequence[Curve], states: Sequence[Variable], time: Variable, driven: Dataset | None = None,
    two_lines: bool = False,
) -> go.Figure:  # fmt: skip
    """One panel per state over a shared time axis: data as open marks, model as line, a mark and dash per run.

    driven: the data set whose known inputs are drawn below, as its `holds` say. two_lines: the names of the states
    stand above the errors, as they do where these are long.
    """
    inputs = driven.inputs if driven else ()
    palette = colours()
    cut = common([curve.held_from for curve in curves if not curve.is_apart])
    tested = any(curve.held_out_nmse for curve in curves)
    long = any(len(state.title) > LONG for state in states)  # its name would run into its error
    figure = panels([*states, *inputs], time, palette, two_lines=two_lines or tested or long or cut is not None)
    ground(figure, [*states, *inputs], cut, max(float(curve.t[-1]) for curve in curves), palette, lift=16)
    for number, curve in enumerate(curves):
        for j in range(len(states)):
            if j not in curve.hidden:
                marks(figure, j + 1, curve.t, curve.data[:, j], number, palette, curve.held_from)
            _model(figure, j + 1, curve, j, number, palette)
    for j in range(len(states)):
        drawn = [one[:, j] for curve in curves for one in (curve.model, curve.low, curve.high) if one is not None]
        low, high = near(np.concatenate([curve.placed[:, j] for curve in curves]), drawn)
        if any((one < low).any() or (one > high).any() for one in drawn):  # it would flatten the data
            reach(figure, j + 1, low, high)
    _errors(figure, curves, len(states), cut, palette)
    if driven:
        _inputs(figure, len(states), driven.trajectories, inputs, palette, driven.holds)
    return figure


def _errors(figure: go.Figure, curves: Sequence[Curve], count: int, cut: float | None, palette: Colours) -> None:
    """Write the errors of each state above its panel; of a hidden one there are none."""
    for j, (seen, ahead) in enumerate(zip(worst(curves, count), worst_ahead(curves, count), strict=True)):
        if j in curves[0].hidden:
            above(figure, j + 1, HIDDEN, palette.muted, "right")
            continue
        fitted, tested = (
            "up to " if sum(map(bool, errors)) > 1 else ""
            for errors in ([curve.nmse for curve in curves], [curve.held_out_nmse for curve in curves])
        )
        apart = f", held out {tested}{words.number(ahead, 2)}" if ahead is not None and cut is None else ""
        if seen is not None:
            above(figure, j + 1, f"NMSE {fitted}{words.number(seen, 2)}{apart}", palette.muted, "right", cut)
        if ahead is not None and cut is not None:
            above(figure, j + 1, words.number(ahead, 2), palette.muted, "right")


def preview(
    runs: Sequence[Trajectory],
    states: Sequence[Variable],
    time: Variable,
    since: Sequence[float | None],
    inputs: Sequence[Variable] = (),
) -> go.Figure:
    """Draw the data alone, on a grey ground what is held out; known inputs below."""
    palette = colours()
    cut = common([since for run, since in zip(runs, since, strict=True) if not is_apart(run, since)])
    figure = panels([*states, *inputs], time, palette)
    ground(figure, [*states, *inputs], cut, max(float(run.t[-1]) for run in runs), palette)
    for number, (run, held_from) in enumerate(zip(runs, since, strict=True)):
        for j in range(len(states)):
            marks(figure, j + 1, run.t, run.x[:, j], number, palette, held_from)
    _inputs(figure, len(states), runs, inputs, palette)
    return figure


def _inputs(
    figure: go.Figure,
    below: int,
    runs: Sequence[Trajectory],
    inputs: Sequence[Variable],
    palette: Colours,
    holds: Sequence[str] = (),
) -> None:
    """Draw known inputs in the panels under the first `below` ones: as the fits take them, or their samples."""
    for i in range(len(inputs)):
        above(figure, below + i + 1, "known input", palette.muted, "right")
        for number, run in enumerate(runs):
            if run.inputs is not None:
                step = thinned(len(run.t), DRAWN)
                as_line = bool(holds) or len(run.t) > DOTS
                style = {"dash": DASHES[number % len(DASHES)], "width": 1.4, "shape": SHAPES[holds[i]]} if holds else {}
                figure.add_scatter(
                    x=run.t[::step], y=run.inputs[::step, i], mode="lines" if as_line else "markers", line=style,
                    marker={"size": 3}, marker_color=palette.muted, line_color=palette.muted, name="input",
                    hovertemplate="%{x:.4g}, %{y:.4g}", **on(below + i + 1),
                )  # fmt: skip


def is_apart(run: Trajectory, since: float | None) -> bool:
    """Whether a run is held out from its first sample."""
    return since is not None and since <= run.t[0]


def common(since: Sequence[float | None]) -> float | None:
    """Return the time from which all runs are held out; None when there is no such time."""
    first = since[0] if since else None
    return first if all(one == first for one in since) else None


def data_alt(runs: Iterable[Trajectory | Curve], states: Sequence[Variable], time: Variable) -> str:
    """Say what a picture of the data shows."""
    listed = list(runs)
    hidden = listed[0].hidden if isinstance(listed[0], Curve) else ()
    columns = [np.concatenate([_values(run)[:, j] for run in listed]) for j in range(len(states))]
    starts, ends = min(float(run.t[0]) for run in listed), max(float(run.t[-1]) for run in listed)
    ranges = [
        f"{state.title} {HIDDEN}"
        if j in hidden
        else f"{state.title} between {words.number(float(np.nanmin(x)))} and {words.number(float(np.nanmax(x)))}"
        for j, (state, x) in enumerate(zip(states, columns, strict=True))
    ]
    span = f"{time.title} from {words.number(starts)} to {words.number(ends)}"
    return f"{words.plural(len(listed), 'run')}, {span}: {'; '.join(ranges)}."


def inputs_alt(runs: Sequence[Trajectory], inputs: Sequence[Variable]) -> str:
    """Say which known inputs are drawn; empty without one."""
    found: list[str] = []
    for i, variable in enumerate(inputs):
        values = np.concatenate([run.inputs[:, i] for run in runs if run.inputs is not None])
        low, high = words.number(float(values.min())), words.number(float(values.max()))
        found.append(f"{variable.title} between {low} and {high}")
    return f" Known inputs: {'; '.join(found)}." if found else ""


def key(runs: Sequence[Trajectory | Curve], since: Sequence[float | None] = ()) -> str:
    """Return what the marks and the line stand for, as Markdown; `since` says from when each trajectory is held out."""
    held = [run.held_from for run in runs if isinstance(run, Curve)] or list(since) or [None] * len(runs)
    apart = [one is not None and one <= run.t[0] for run, one in zip(runs, held, strict=True)]
    labels = [
        (words.plain(run.label) or f"run {number}") + (" (held out)" if out else "")
        for number, (run, out) in enumerate(zip(runs, apart, strict=True), 1)
    ]
    named = [f"{glyph} {label}" for glyph, label in zip(GLYPHS, labels, strict=False)]
    more = f" and {len(runs) - len(GLYPHS)} more" if len(runs) > len(GLYPHS) else ""
    marks = " · ".join(named) + more if len(runs) > 1 else "○ data"
    modelled = any(isinstance(run, Curve) and run.is_drawn for run in runs)
    ends = [one for one, out in zip(held, apart, strict=True) if not out]
    uneven = " · grey marks: held out" if any(apart) or (any(ends) and common(ends) is None) else ""
    banded = any(isinstance(run, Curve) and run.low is not None for run in runs)
    uneven += (" · band: ±2 errors" if presenting.is_on() else " · band: two standard errors") * banded
    return f"{marks} · {MODEL}{uneven}" if modelled else f"{marks}{uneven}"


def trajectories_alt(curves: Sequence[Curve], states: Sequence[Variable], time: Variable) -> str:
    """Say what the picture of data and model shows."""
    said = data_alt(curves, states, time)
    if all(curve.model is None for curve in curves):
        return f"Measured data without a model. {said}"
    hidden, count = curves[0].hidden, len(states)
    measured = of_measured(states, hidden)
    found = zip(measured, of_measured(worst(curves, count), hidden), strict=True)
    errors = ", ".join(f"{state.name} {words.number(error, 2)}" for state, error in found)
    ahead = zip(measured, of_measured(worst_ahead(curves, count), hidden), strict=True)
    later = ", ".join(f"{state.name} {words.number(error, 2)}" for state, error in ahead if error is not None)
    also = f" On the held-out {held(curves)}, grey: {later}." if later else ""
    return (
        f"Measured data and the best model simulated from its start. {said} Normalised squared error: {errors}.{also}"
    )


def thinned(count: int, most: int = SHOWN) -> int:
    """Return the step with which points are drawn so that at most `most` are."""
    return max(1, -(-count // most))


def left_out(runs: Iterable[Trajectory | Curve]) -> str:
    """Say behind a key that not every row is drawn; empty where all are."""
    step = thinned(max(len(run.t) for run in runs))
    return f" · 1 row in {step}" if step > 1 else ""


def _values(run: Trajectory | Curve) -> np.ndarray:
    return run.x if isinstance(run, Trajectory) else run.data


def panels(states: Sequence[Variable], time: Variable, palette: Colours, two_lines: bool = False) -> go.Figure:
    """Return empty panels, one per state, over a shared time axis."""
    count, line = len(states), 16 if two_lines else 0
    height = {1: 300, 2: 390}.get(count, 80 + 130 * count) + count * line
    below = {"title": {"text": words.in_chart(time.title)}, "showline": True, "linecolor": palette.muted}
    figure = stacked(palette, height, [1.0] * count, (32 + 1.5 * line) / height, below, {"t": 26 + line})
    for j, state in enumerate(states):
        above(figure, j + 1, words.in_chart(state.title), palette.text, "left", lift=line)
    return figure


def ground(
    figure: go.Figure, states: Sequence[Variable], cut: float | None, end: float, palette: Colours, lift: int = 0,
    said: str = "held out",
) -> None:  # fmt: skip
    """Lay a grey ground, with its name above the first panel, from a time to the end."""
    if cut is None:
        return
    for row in range(1, len(states) + 1):
        suffix = number_of(row)
        figure.add_shape(
            type="rect", x0=cut, x1=end, xref=f"x{suffix}", y0=0, y1=1, yref=f"y{suffix} domain", layer="below",
            fillcolor=palette.held_out, line={"width": 0},
        )  # fmt: skip
    above(figure, 1, said, palette.muted, "right", lift=lift)


def marks(
    figure: go.Figure, row: int, t: np.ndarray, x: np.ndarray, number: int, palette: Colours, since: float | None = None
) -> None:
    """Draw the samples of a run, those from `since` on in grey."""
    step = thinned(len(t))
    colour = [palette.mark if since is None or now < since else palette.stream for now in t[::step]]
    mark = {"symbol": SYMBOLS[number % len(SYMBOLS)], "size": 6, "color": colour, "line": {"width": 1.2}}
    figure.add_scatter(
        x=t[::step], y=x[::step], mode="markers", marker=mark, hovertemplate="%{x:.4g}, %{y:.4g}", name="data",
        **on(row),
    )  # fmt: skip


def line(
    figure: go.Figure, row: int, t: np.ndarray, x: np.ndarray, colour: str, dash: str = "solid", width: float = 2.2,
    name: str = "model",
) -> None:  # fmt: skip
    """Draw one state of a simulation; it is broken where it is not known."""
    style = {"color": colour, "width": width, "dash": dash}
    figure.add_scatter(
        x=t, y=x, mode="lines", line=style, name=name, hovertemplate="%{x:.4g}, %{y:.4g}", **on(row)
    )  # fmt: skip


def star(figure: go.Figure, row: int, t: float, x: float, palette: Colours) -> None:
    """Mark a start that somebody may measure from."""
    mark = {"symbol": "star", "size": 14, "color": palette.start, "line": {"width": 1, "color": palette.ground}}
    figure.add_scatter(
        x=[t], y=[x], mode="markers", marker=mark, hovertemplate="measure from %{y:.4g}", name="start", **on(row)
    )  # fmt: skip


def band(figure: go.Figure, row: int, t: np.ndarray, low: np.ndarray, high: np.ndarray, colour: str) -> None:
    """Draw what the uncertainty of the coefficients does to a line, in its colour at 15 %."""
    edge: dict[str, Any] = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "x": t, "name": "band"}
    figure.add_scatter(y=low, **edge, **on(row))
    figure.add_scatter(y=high, fill="tonexty", fillcolor=faint(colour), **edge, **on(row))


def _model(figure: go.Figure, row: int, curve: Curve, j: int, number: int, palette: Colours) -> None:
    if curve.model is None:
        return
    colour, dash = palette.lines[0], DASHES[number % len(DASHES)]
    if curve.low is not None and curve.high is not None:
        band(figure, row, curve.model_t, curve.low[:, j], curve.high[:, j], colour)
    line(figure, row, curve.model_t, curve.model[:, j], colour, dash)


def faint(colour: str) -> str:
    """Return the colour at 15 %, for grounds."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.15)"


def above(
    figure: go.Figure, row: int, text: str, colour: str, side: Literal["left", "right"], at: float | None = None,
    lift: int = 0,
) -> None:  # fmt: skip
    """Write above a panel, at one of its ends or at a time: a long name turned on its side would run into the next."""
    suffix = number_of(row)
    place = {"xref": "paper", "x": 0.0 if side == "left" else 1.0} if at is None else {"xref": f"x{suffix}", "x": at}
    figure.add_annotation(
        text=text, font={"color": colour, "size": 13 if side == "left" else 12}, yref=f"y{suffix} domain",
        yshift=3 + lift, y=1.0, xanchor=side, yanchor="bottom", showarrow=False, **place,
    )  # fmt: skip


def law(curves: Sequence[Curve], state: Variable, time: Variable, source: str) -> go.Figure:
    """Draw one state under its law, with both named at the data."""
    palette = colours()
    figure = panels([state], time, palette).update_layout(margin_t=6, height=290)
    for number, curve in enumerate(curves):
        if curve.model is not None:
            _model(figure, 1, curve, 0, number, palette)
            middle = len(curve.model_t) // 2
            _at(figure, curve.model_t[middle], curve.model[middle, 0], "<b>discovered law</b>", palette.lines[0], -1)
        marks(figure, 1, curve.t, curve.data[:, 0], number, palette)
        third = len(curve.t) // 3
        _at(figure, curve.t[third], curve.data[third, 0], source, palette.muted, 1)
    return figure


def _at(figure: go.Figure, x: float, y: float, text: str, colour: str, side: int) -> None:
    figure.add_annotation(
        x=float(x), y=float(y), text=text, font={"color": colour, "size": 13}, showarrow=False,
        xanchor="right" if side < 0 else "left", xshift=14 * side, yshift=-4 * side,
    )  # fmt: skip
