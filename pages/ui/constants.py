"""Charts of constants that differ: a panel for each, its value and 95 % interval under each condition."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dolq_core.views.conditions import Constant
from pages.ui import charts, words
from pages.ui.colours import colours
from pages.ui.layout import on, stacked

NORMAL = 1.96
PANEL = 130
"""Height of a panel."""


def constants(free: Sequence[Constant], labels: Sequence[str]) -> go.Figure:
    """Draw the constants one below the other, over the conditions in their order."""
    palette = colours()
    height = 80 + PANEL * len(free)
    below = {"showline": True, "linecolor": palette.muted}
    figure = stacked(palette, height, [1.0] * len(free), 32 / height, below, {"t": 26})
    names = [words.in_chart(label) for label in labels]
    for row, one in enumerate(free, 1):
        charts.above(figure, row, one.name, palette.text, "left")
        reach = [NORMAL * (error or 0.0) for error in one.errors]
        figure.add_scatter(
            x=names, y=one.values, mode="markers", name=one.name, hovertemplate="%{x}: %{y:.4g}",
            marker={"size": 8, "color": palette.lines[0]},
            error_y={"array": reach, "color": palette.lines[0], "thickness": 1.4}, **on(row),
        )  # fmt: skip
    return figure


def constants_alt(free: Sequence[Constant], labels: Sequence[str]) -> str:
    """Say what the chart shows."""
    said = [
        f"{one.name}: " + ", ".join(f"{label} {value:.4g}" for label, value in zip(labels, one.values, strict=True))
        for one in free
    ]
    return "Constants by condition. " + "; ".join(said)
