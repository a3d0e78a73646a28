"""The heatmap of decisions: terms by how often they were kept, against the iterations."""

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dolq_core.runs import Track
from pages.ui import words
from pages.ui.charts import base
from pages.ui.colours import Colours, colours

ROWS = 7  # terms that are shown
COLUMNS = 30  # iterations that are shown, the last ones
PLANNED = 10
LETTERS = {"keep": "K", "hold": "H", "remove": "R", "pin": "P"}
ROW = 28  # height, in pixels


def actions(tracks: Sequence[Track], iterations: int, planned: int) -> go.Figure:
    """Draw a cell per decision with its letter, a ring where it was the person's, the share of keeps as a bar.

    There is room for the iterations that are planned, up to PLANNED.
    """
    palette = colours()
    shown, first = tracks[:ROWS], max(1, iterations - COLUMNS + 1)
    figure = make_subplots(rows=1, cols=2, column_widths=[0.78, 0.22], shared_yaxes=True, horizontal_spacing=0.03)
    base(figure, palette, 66 + ROW * max(3, len(shown)))
    _cells(figure, shown, first, iterations, palette)
    _rings(figure, shown, first, palette)
    _letters(figure, shown, first, palette)
    _bars(figure, shown, palette)
    names = [words.chart_term(track.text if len(track.text) <= 24 else track.text[:23] + "…") for track in shown]
    figure.update_yaxes(
        tickvals=list(range(len(shown))), ticktext=names, range=[max(3, len(shown)) - 0.5, -0.5], showgrid=False,
        ticks="", automargin=True,
    )  # fmt: skip
    few = max(iterations, first + min(planned, PLANNED) - 1)
    figure.update_xaxes(
        title_text="iteration", range=[first - 0.5, few + 0.5], tickmode="array",
        tickvals=list(range(first, iterations + 1, max(1, (iterations - first) // 10))), ticks="", row=1, col=1,
    )  # fmt: skip
    figure.update_xaxes(title_text="kept", range=[0, 1.7], showticklabels=False, ticks="", row=1, col=2)
    return figure.update_layout(margin={"t": 6, "l": 20, "b": 44})


def actions_alt(tracks: Sequence[Track], name: str) -> str:
    """Say what the heatmap shows, from the numbers."""
    said = [
        f"{track.text}: {_counted(track)}" + (f", {len(track.yours)} by you" if track.yours else "")
        for track in tracks[:ROWS]
    ]
    return f"What was decided on the terms of {name}. {'; '.join(said)}."


def _counted(track: Track) -> str:
    choices = list(track.choices.values())
    past = {**words.PAST, "pin": "pinned"}
    return ", ".join(f"{choices.count(choice)} {past[choice]}" for choice in LETTERS if choice in choices)


def _cells(figure: go.Figure, shown: Sequence[Track], first: int, last: int, palette: Colours) -> None:
    """Draw the grounds as one picture: a shape for each cell takes seconds where there are hundreds."""
    codes, top = {choice: code for code, choice in enumerate(LETTERS)}, len(LETTERS) - 1
    columns = list(range(first, last + 1))
    grounds = [[codes.get(track.choices.get(column, "")) for column in columns] for track in shown]
    scale = [[codes[choice] / top, palette.cells[choice][0]] for choice in LETTERS]
    figure.add_heatmap(
        x=columns, y=list(range(len(shown))), z=grounds, zmin=0, zmax=top, colorscale=scale, showscale=False, xgap=1.5,
        ygap=2.5, hoverinfo="skip", hoverongaps=False, row=1, col=1,
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
            name="", row=1, col=1,
        )  # fmt: skip


def _bars(figure: go.Figure, shown: Sequence[Track], palette: Colours) -> None:
    figure.add_bar(
        x=[track.kept for track in shown], y=list(range(len(shown))), orientation="h", width=0.5, cliponaxis=False,
        marker={"color": palette.lines[0]}, text=[f"{track.kept:.0%}" for track in shown], textposition="outside",
        textfont={"color": palette.text, "size": 12}, hoverinfo="skip", row=1, col=2,
    )  # fmt: skip
