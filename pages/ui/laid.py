"""Several laws in one picture: over the data and on, each named at the end of its line."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dolq_core.records import Dataset
from dolq_core.views.forecast import Forecast
from pages.ui import charts, layout, words
from pages.ui.colours import colours

REACH = 0.5
"""How far beyond the data, in their range, a line is followed."""
LINE = 16
"""One line of text, in pixels."""


def laid(paths: Sequence[Forecast], names: Sequence[str], dataset: Dataset) -> go.Figure:
    """Draw one run of the data and every law from its start, past the end of the data on a grey ground."""
    palette = colours()
    figure = charts.panels(dataset.states, dataset.time, palette)
    since, end = paths[0].since, max(float(path.model_t[-1]) for path in paths)
    cut = since if end > since else None
    charts.ground(figure, dataset.states, cut, end, palette, said="beyond the data")
    for j in range(len(dataset.states)):
        charts.marks(figure, j + 1, paths[0].t, paths[0].data[:, j], 0, palette)
        low, high = _range(paths, j)
        layout.reach(figure, j + 1, low, high)
        for number, path in enumerate(paths):
            if path.model is not None:
                colour, dash = palette.lines[number], charts.DASHES[number]
                charts.line(figure, j + 1, path.model_t, path.model[:, j], colour, dash, name=names[number])
        _named(figure, paths, names, j, (low, high))
    return figure.update_layout(margin_r=12 + 8 * max(map(len, names)))


def _range(paths: Sequence[Forecast], j: int) -> tuple[float, float]:
    """Return the range of a panel: all of the data, and the lines as far as they stay near them."""
    data = paths[0].data[:, j]
    low, high = float(np.nanmin(data)), float(np.nanmax(data))
    room = REACH * (high - low) or 1.0
    lines = np.concatenate([path.model[:, j] for path in paths if path.model is not None] or [data])
    lines = lines[np.isfinite(lines)]
    low, high = max(float(np.min(lines, initial=low)), low - room), min(float(np.max(lines, initial=high)), high + room)
    return low - 0.06 * (high - low), high + 0.06 * (high - low)


def _named(
    figure: go.Figure, paths: Sequence[Forecast], names: Sequence[str], j: int, span: tuple[float, float]
) -> None:
    """Write each name where its line leaves the picture, from the lowest up, none over another."""
    palette, axes = colours(), layout.on(j + 1)
    ends: list[tuple[float, float, int]] = []
    for number, path in enumerate(paths):
        if path.model is not None:
            inside = np.flatnonzero((path.model[:, j] >= span[0]) & (path.model[:, j] <= span[1]))
            last = int(inside[-1]) if len(inside) else 0
            ends.append((float(path.model[last, j]), float(path.model_t[last]), number))
    pixels = _height(figure, j) / (span[1] - span[0])
    at = -np.inf
    for value, when, number in sorted(ends):
        at = max(value * pixels, at + LINE)
        figure.add_annotation(
            x=when, y=value, text=f"<b>{words.in_chart(names[number])}</b>", xanchor="left", xshift=4,
            yshift=at - value * pixels, font={"color": palette.lines[number], "size": 12}, showarrow=False,
            xref=axes["xaxis"], yref=axes["yaxis"],
        )  # fmt: skip


def _height(figure: go.Figure, j: int) -> float:
    """Return the height of a panel in pixels."""
    whole = figure.layout
    start, end = whole["yaxis" + layout.number_of(j + 1)].domain
    return (end - start) * (whole.height - whole.margin.t - whole.margin.b)


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
