"""How every chart is laid out: ground, type, margins, and panels over one axis of time."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from pages.ui import words
from pages.ui.colours import Colours

FONT = '"Source Sans", sans-serif'
SIZE: Final = 13
"""Pixels of the letters."""
LINE = 15  # one line of text, in pixels
MARGIN = {"l": 50, "r": 12, "t": 26, "b": 44}
DECADES: Final = 8
"""Ticks of a logarithmic axis, about: more run into each other."""


def blank(
    palette: Colours, height: int, margin: Mapping[str, int] = MARGIN, **axes: dict[str, Any]
) -> go.Figure:  # fmt: skip
    """Return a figure with ground, type and margins, which keeps the reader's zoom over reruns.

    margin: those sides that are not as usual; axes: what is set of each axis ("xaxis", "yaxis2" ...) on top of what
    all have. The layout is made in one piece, which takes plotly a tenth of the time of as many updates.
    """
    letters = {"size": SIZE}  # a title of an axis is larger by itself
    alike: dict[str, dict[str, Any]] = {
        "x": {"showgrid": False, "zeroline": False, "ticks": "outside", "ticklen": 4, "title": {"font": letters}},
        "y": {"gridcolor": palette.grid, "zeroline": False, "title": {"font": letters, "standoff": 8}},
    }
    layout: dict[str, Any] = {
        "height": height,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": SIZE, "color": palette.text},
        "margin": {**MARGIN, **margin},
        "showlegend": False,
        "uirevision": "keep",
        "hoverlabel": {"bgcolor": palette.panel, "font": {"family": FONT, "color": palette.text}},
    }
    names = ("xaxis", "yaxis", *(name for name in axes if name not in ("xaxis", "yaxis")))
    for name in names:
        usual, own = alike[name[0]], axes.get(name, {})
        title = usual["title"] | own.get("title", {})
        layout[name] = {"color": palette.text, "exponentformat": "power"} | usual | own | {"title": title}
    return go.Figure(layout=layout)


def stacked(
    palette: Colours, height: int, shares: Sequence[float], gap: float, bottom: dict[str, Any],
    margin: Mapping[str, int] = MARGIN,
) -> go.Figure:  # fmt: skip
    """Return panels from top to bottom, that take these shares of the height, over one axis of time.

    gap: between two of them, of the height; bottom: what is set of the axis of time.
    """
    axes: dict[str, dict[str, Any]] = {}
    room, end = 1.0 - gap * (len(shares) - 1), 1.0
    for row, share in enumerate(shares, 1):
        start = max(0.0, end - room * share / sum(shares))
        above = {"matches": f"x{len(shares)}", "showticklabels": False, "ticks": ""} if row < len(shares) else bottom
        axes["xaxis" + number_of(row)] = {"anchor": "y" + number_of(row), "domain": [0.0, 1.0], **above}
        axes["yaxis" + number_of(row)] = {"anchor": "x" + number_of(row), "domain": [start, end], "nticks": 5}
        end = start - gap
    return blank(palette, height, margin, **axes)


def on(row: int) -> dict[str, str]:
    """Return the axes of a panel, as a trace names them."""
    return {"xaxis": "x" + number_of(row), "yaxis": "y" + number_of(row)}


def reach(figure: go.Figure, row: int, low: float, high: float) -> None:
    """Let a panel reach from `low` to `high`."""
    figure.layout["yaxis" + number_of(row)].range = [low, high]


REACH: Final = 0.5
"""How far beyond the data, in their range, a line is followed."""


def near(data: np.ndarray, lines: Sequence[np.ndarray], beyond: float = REACH) -> tuple[float, float]:
    """Return the range of a panel: all of the data, and the lines as far as they stay near them."""
    low, high = float(np.nanmin(data)), float(np.nanmax(data))
    room = beyond * (high - low) or 1.0
    drawn = np.concatenate([*lines, data])
    drawn = drawn[np.isfinite(drawn)]
    low, high = max(float(np.min(drawn, initial=low)), low - room), min(float(np.max(drawn, initial=high)), high + room)
    margin = 0.06 * (high - low or 1.0)
    return low - margin, high + margin


def number_of(row: int) -> str:
    """Return what the names of a panel's axes end in."""
    return "" if row == 1 else str(row)


def log_ticks(errors: Sequence[float]) -> dict[str, Any]:
    """Return a tick per decade or, of many, per several; at 1, 2 and 5 where there are hardly two decades."""
    if not errors or max(errors) > 100 * min(errors):
        decades = math.log10(max(errors) / min(errors)) if errors else 1
        return {"dtick": math.ceil(decades / DECADES), "exponentformat": "power"}
    low, high = math.log10(min(errors)) - 0.2, math.log10(max(errors)) + 0.2
    low, high = min(low, (low + high) / 2 - 0.5), max(high, (low + high) / 2 + 0.5)
    powers = range(math.floor(low), math.ceil(high) + 1)
    values = [step * 10.0**power for power in powers for step in (1, 2, 5)]
    return {"tickvals": values, "ticktext": [words.bare(value) for value in values], "range": [low, high]}


def name_lines(
    figure: go.Figure, ends: Iterable[tuple[float, float, str, str]], errors: Sequence[float], plot: int
) -> None:
    """Write a name at the end of each line over an axis of logarithms, and move names apart that would overlap.

    ends: (x, error, text, colour) of each; errors: all that are drawn, which the axis reaches over; plot: how high the
    chart inside its frame is, about, in pixels.
    """
    pixels, lowest = plot / max(1.0, math.log10(max(errors) / min(errors)) + 0.4), -math.inf
    for height, x, text, colour in sorted((math.log10(error), x, text, colour) for x, error, text, colour in ends):
        place = max(height * pixels, lowest + LINE)
        lowest = place
        figure.add_annotation(
            x=x, y=height, text=text, xanchor="left", xshift=8, yshift=place - height * pixels,
            font={"color": colour}, showarrow=False,
        )  # fmt: skip
