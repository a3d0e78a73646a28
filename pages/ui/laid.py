"""Several laws in one picture: over the data and on, named below it."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from dolq_core.records import Dataset
from dolq_core.views.forecast import Forecast
from pages.ui import charts, layout, words
from pages.ui.colours import colours


def laid(paths: Sequence[Forecast], names: Sequence[str], dataset: Dataset) -> go.Figure:
    """Draw one run of the data and every law from its start, past the end of the data on a grey ground."""
    palette = colours()
    figure = charts.panels(dataset.states, dataset.time, palette)
    since, end = paths[0].since, max(float(path.model_t[-1]) for path in paths)
    cut = since if end > since else None
    charts.ground(figure, dataset.states, cut, end, palette, said="beyond the data")
    for j in range(len(dataset.states)):
        charts.marks(figure, j + 1, paths[0].t, paths[0].data[:, j], 0, palette)
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
