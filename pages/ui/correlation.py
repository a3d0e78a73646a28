"""The heat map of correlations: half a square of coefficients, the number in every cell."""

import plotly.graph_objects as go

from dolq_core.views.equations import Correlation
from pages.ui import words
from pages.ui.colours import Colours, colours
from pages.ui.layout import blank

ROW = 30  # height, in pixels
STRONGEST = 0.6  # how much of the colour a correlation of one gets: the number on it stays readable
LONGEST = 22  # letters of a term
LETTER, WIDTH = 7, 480  # width of a letter and of all columns, in pixels


def correlation(found: Correlation) -> go.Figure:
    """Draw the half below the diagonal: blue where two coefficients rise together, orange where one falls."""
    palette = colours()
    size = len(found.texts) - 1
    letters = max(len(text) for text in found.texts)
    tilted = min(letters, LONGEST) * LETTER > WIDTH / size
    below = 26 + (3 * min(letters, LONGEST) if tilted else 0)
    figure = blank(palette, below + 8 + ROW * size)
    for row in range(size):
        for column in range(row + 1):
            _cell(figure, row, column, found.values[row + 1][column], palette)
    _numbers(figure, found, palette)
    labels = [words.chart_term(words.shortened(text, LONGEST)) for text in found.texts]
    axis = {"tickvals": list(range(size)), "showgrid": False, "ticks": "", "showline": False, "fixedrange": True}
    figure.update_yaxes(ticktext=labels[1:], range=[size - 0.5, -0.5], automargin=True, **axis)
    figure.update_xaxes(ticktext=labels[:-1], range=[-0.5, size - 0.5], tickangle=-30 if tilted else 0, **axis)
    return figure.update_layout(margin={"t": 4, "l": 20, "r": 4, "b": below})


def correlation_alt(found: Correlation, name: str) -> str:
    """Say what the heat map shows, from the numbers."""
    pairs = [
        f"{found.texts[column]} and {found.texts[row]} {said(found.values[row][column])}"
        for row in range(1, len(found.texts))
        for column in range(row)
    ]
    return f"Correlation of the coefficients of {name}: {', '.join(pairs)}."


def said(value: float | None) -> str:
    """Return a correlation in two digits, or that it is not known."""
    return "not known" if value is None else f"{value:.2f}".replace("-", words.MINUS)


def _cell(figure: go.Figure, row: int, column: int, value: float | None, palette: Colours) -> None:
    colour = palette.lines[0] if (value or 0.0) > 0 else palette.remove
    box = {"x0": column - 0.48, "x1": column + 0.48, "y0": row - 0.45, "y1": row + 0.45, "layer": "below"}
    figure.add_shape(type="rect", **box, line={"width": 0}, fillcolor=palette.panel)
    figure.add_shape(
        type="rect", **box, line={"width": 0}, fillcolor=colour, opacity=STRONGEST * abs(value or 0.0)
    )  # fmt: skip


def _numbers(figure: go.Figure, found: Correlation, palette: Colours) -> None:
    cells = [(column, row) for row in range(len(found.texts) - 1) for column in range(row + 1)]
    values = [found.values[row + 1][column] for column, row in cells]
    figure.add_scatter(
        x=[x for x, _ in cells], y=[y for _, y in cells], mode="text", textfont={"color": palette.text, "size": 12},
        text=["–" if value is None else said(value) for value in values], hoverinfo="skip", name="correlation",
    )  # fmt: skip
