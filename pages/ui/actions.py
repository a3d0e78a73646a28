"""The heatmap of decisions: terms by how often they were kept, against the iterations."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from dolq_core.views.history import Track
from pages.ui import words
from pages.ui.colours import Colours, colours
from pages.ui.layout import blank

ROWS = 7  # terms that are shown
COLUMNS = 30  # iterations that are shown, the last ones
PLANNED = 10
LETTERS = {"keep": "K", "hold": "H", "remove": "R", "pin": "P"}
ROW = 28  # height, in pixels
SPLIT = (0.71, 0.74)  # where the cells end and the bars begin, of the width


def actions(tracks: Sequence[Track], iterations: int, planned: int) -> go.Figure:
    """Draw a cell per decision with its letter, a ring where it was the person's, the share of keeps as a bar.

    There is room for the iterations that are planned, up to PLANNED.
    """
    palette = colours()
    shown, first = tracks[:ROWS], max(1, iterations - COLUMNS + 1)
    names = [words.chart_term(track.label) for track in shown]
    few = max(iterations, first + min(planned, PLANNED) - 1)
    rows: dict[str, Any] = {"range": [max(3, len(shown)) - 0.5, -0.5], "showgrid": False, "ticks": ""}
    figure = blank(
        palette, 66 + ROW * max(3, len(shown)), {"t": 6, "l": 20, "b": 44},
        xaxis={
            "anchor": "y", "domain": [0.0, SPLIT[0]], "title": {"text": "iteration"}, "ticks": "", "tickmode": "array",
            "range": [first - 0.5, few + 0.5],
            "tickvals": list(range(first, iterations + 1, max(1, (iterations - first) // 10))),
        },
        yaxis={
            **rows, "tickvals": list(range(len(shown))), "ticktext": names, "automargin": True, "ticklabelstandoff": 6,
        },
        xaxis2={
            "anchor": "y2", "domain": [SPLIT[1], 1.0], "title": {"text": "kept"}, "range": [0, 2.1], "ticks": "",
            "showticklabels": False,
        },
        yaxis2={**rows, "anchor": "x2", "matches": "y", "showticklabels": False},
    )  # fmt: skip
    _cells(figure, shown, first, iterations, palette)
    _rings(figure, shown, first, palette)
    _letters(figure, shown, first, palette)
    _bars(figure, shown, palette)
    return figure


def actions_alt(tracks: Sequence[Track], name: str) -> str:
    """Say what the heatmap shows, from the numbers."""
    said = [
        f"{track.text}: {_counted(track)}" + (f", {len(track.yours)} by you" if track.yours else "")
        for track in tracks[:ROWS]
    ]
    return f"What was decided on the terms of {name}. {'; '.join(said)}."


def _counted(track: Track) -> str:
    choices = list(track.choices.values())
    return ", ".join(f"{choices.count(choice)} {words.PAST[choice]}" for choice in LETTERS if choice in choices)


def _cells(figure: go.Figure, shown: Sequence[Track], first: int, last: int, palette: Colours) -> None:
    """Draw the grounds as one picture: a shape for each cell takes seconds where there are hundreds."""
    codes, top = {choice: code for code, choice in enumerate(LETTERS)}, len(LETTERS) - 1
    columns = list(range(first, last + 1))
    grounds = [[codes.get(track.choices.get(column, "")) for column in columns] for track in shown]
    scale = [[codes[choice] / top, palette.cells[choice][0]] for choice in LETTERS]
    figure.add_heatmap(
        x=columns, y=list(range(len(shown))), z=grounds, zmin=0, zmax=top, colorscale=scale, showscale=False, xgap=1.5,
        ygap=2.5, hoverinfo="skip", hoverongaps=False, xaxis="x", yaxis="y",
    )  # fmt: skip


def _rings(figure: go.Figure, shown: Sequence[Track], first: int, palette: Colours) -> None:
    rings = [
        {
            "type": "rect", "x0": iteration - 0.47, "x1": iteration + 0.47, "y0": row - 0.45, "y1": row + 0.45,
            "line": {"color": palette.remove, "width": 2.4}, "layer": "above", "xref": "x", "yref": "y",
        }
        for row, track in enumerate(shown)
        for iteration in track.yours
        if iteration >= first
    ]  # fmt: skip
    figure.update_layout(shapes=rings)


def _letters(figure: go.Figure, shown: Sequence[Track], first: int, palette: Colours) -> None:
    for choice, letter in LETTERS.items():
        places = [
            (iteration, row)
            for row, track in enumerate(shown)
            for iteration, said in track.choices.items()
            if said == choice and iteration >= first
        ]
        figure.add_scatter(
            x=[x for x, _ in places], y=[y for _, y in places], mode="text", text=[letter] * len(places),
            textfont={"color": palette.cells[choice][1], "size": 12}, hovertemplate=f"{choice}, iteration %{{x}}",
            name="", xaxis="x", yaxis="y",
        )  # fmt: skip


def _bars(figure: go.Figure, shown: Sequence[Track], palette: Colours) -> None:
    figure.add_bar(
        x=[track.kept for track in shown], y=list(range(len(shown))), orientation="h", width=0.5, cliponaxis=False,
        marker={"color": palette.lines[0]}, text=[f"{track.kept:.0%}" for track in shown], textposition="outside",
        textfont={"color": palette.text, "size": 12}, hoverinfo="skip", xaxis="x2", yaxis="y2",
    )  # fmt: skip
