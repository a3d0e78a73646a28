"""Two systems beside the data: one solid, the other dashed, each named at its line's end."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dolq_core.records import Dataset, Variable
from dolq_core.views.trajectories import Curve
from pages.ui import charts, layout, presenting, words
from pages.ui.colours import Colours, colours

BEYOND = 0.35  # of the range of the data: how far out of it a line is followed
LINE = 15  # one line of text, in pixels


def compared(
    curves: Sequence[Curve], others: Sequence[Curve], names: tuple[str, str], states: Sequence[Variable],
    time: Variable, driven: Dataset | None = None,
) -> go.Figure:  # fmt: skip
    """Draw the data, `curves` solid and `others` dashed, called as `names` say; below, the inputs of `driven`."""
    palette = colours()
    figure = charts.trajectories(curves, states, time, driven, two_lines=True)
    figure.update_traces(line_dash="solid", selector={"name": "model"})
    figure.for_each_annotation(lambda one: one.update(text=one.text.replace("NMSE", f"{names[0]} NMSE", 1)))
    for j in range(len(states)):
        for curve in others:
            if curve.model is not None:
                charts.line(figure, j + 1, curve.model_t, curve.model[:, j], palette.remove, "dash", name=names[1])
        lines = [curve.model[:, j] for curve in (*curves, *others) if curve.model is not None]
        low, high = layout.near(np.concatenate([curve.placed[:, j] for curve in curves]), lines, BEYOND)
        layout.reach(figure, j + 1, low, high)
        _names(figure, (curves, others), names, j, (low, high), palette)
    times = np.concatenate([curve.t for curve in curves])
    spare = 0.03 * float(np.ptp(times))
    figure.update_xaxes(range=[float(times.min()) - spare, float(times.max()) + spare])
    return figure.update_layout(margin_r=12 + 8 * max(map(len, names)))


def key(curves: Sequence[Curve], names: tuple[str, str]) -> str:
    """Return what the marks and both lines stand for, as Markdown."""
    said, other = charts.key(curves), f":orange[- - {names[1]}]"
    both = f":blue[— {names[0]}] · {other}"
    return said.replace(charts.MODEL, both) if charts.MODEL in said else f"{said} · {other}"


def compared_alt(
    curves: Sequence[Curve], others: Sequence[Curve], names: tuple[str, str], states: Sequence[Variable],
    time: Variable,
) -> str:  # fmt: skip
    """Say what the picture shows, from the numbers."""
    said = "; ".join(f"{one} {_errors(found, states)}" for one, found in zip(names, (curves, others), strict=True))
    return (
        f"Measured data, {names[0]} (solid) and {names[1]} (dashed), simulated from their starts. "
        f"{charts.data_alt(curves, states, time)} Normalised squared error: {said}."
    )


def _errors(curves: Sequence[Curve], states: Sequence[Variable]) -> str:
    found = (states, charts.worst(curves, len(states)), charts.worst_ahead(curves, len(states)))
    each = [
        f"{state.name} {words.number(error, 2)}" + ("" if later is None else f", held out {words.number(later, 2)}")
        for j, (state, error, later) in enumerate(zip(*found, strict=True))
        if j not in curves[0].hidden
    ]
    return ", ".join(each)


def _names(
    figure: go.Figure, both: tuple[Sequence[Curve], Sequence[Curve]], names: tuple[str, str], j: int,
    span: tuple[float, float], palette: Colours,
) -> None:  # fmt: skip
    """Write each name at the end of its last line, and move the two apart that would lie on each other."""
    ends = [_end(found, j, span) for found in both]
    pixels = _height(figure, j) / (span[1] - span[0])
    apart = 0.0
    if ends[0] is not None and ends[1] is not None:
        gap = (ends[0][1] - ends[1][1]) * pixels
        apart = max(0.0, LINE - abs(gap)) / 2 * (1 if gap >= 0 else -1)
    for end, said, colour, way in zip(ends, names, (palette.lines[0], palette.remove_text), (1, -1), strict=True):
        if end is not None:
            axes = layout.on(j + 1)
            figure.add_annotation(
                x=end[0], y=end[1], text=f"<b>{said}</b>", xanchor="left", xshift=4, yshift=way * apart,
                name=presenting.END, font={"color": colour, "size": 12}, showarrow=False,
                xref=axes["xaxis"], yref=axes["yaxis"],
            )  # fmt: skip


def _end(curves: Sequence[Curve], j: int, span: tuple[float, float]) -> tuple[float, float] | None:
    """Return the last point inside the picture of the run that goes on longest."""
    found = [curve for curve in curves if curve.model is not None]
    if not found:
        return None
    curve = max(found, key=lambda one: float(one.model_t[-1]))
    assert curve.model is not None
    x = curve.model[:, j]
    inside = np.flatnonzero((x >= span[0]) & (x <= span[1]))
    return (float(curve.model_t[inside[-1]]), float(x[inside[-1]])) if len(inside) else None


def _height(figure: go.Figure, j: int) -> float:
    """Return the height of a panel in pixels."""
    layout: Any = figure.layout
    start, end = layout["yaxis" if j == 0 else f"yaxis{j + 1}"].domain
    return (end - start) * (layout.height - layout.margin.t - layout.margin.b)
