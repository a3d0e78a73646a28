"""The chart of how a run got here: best so far, each attempt, and where a person stepped in."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from dolq_core.runs import Mark, Point
from pages.ui import words
from pages.ui.charts import DASHES, SYMBOLS, base, log_ticks
from pages.ui.colours import Colours, colours

PLOT, LINE = 230, 15  # about how high the chart inside its frame is, and one line of text, in pixels


def convergence(points: Sequence[Point], marks: Sequence[Mark], names: Sequence[str]) -> go.Figure:
    """Draw the best error as a step line on a log axis, the attempts as open marks, interventions as verticals."""
    palette = colours()
    figure = base(go.Figure(), palette, 300)
    for equation, name in enumerate(names):
        mine = [point for point in points if point.equation == equation]
        _equation(figure, mine, equation, name, palette)
    _names(figure, points, names, palette)
    _marks(figure, marks, palette)
    errors = [error for point in points for error in (point.best, point.attempt) if error]
    figure.update_yaxes(type="log", **log_ticks(errors))
    last = max((point.iteration for point in points), default=1)
    figure.update_xaxes(title_text="iteration", dtick=max(1, last // 10), showline=True, linecolor=palette.muted)
    figure.update_layout(margin={"r": 70, "l": 62})
    return figure


def convergence_alt(points: Sequence[Point], marks: Sequence[Mark], names: Sequence[str]) -> str:
    """Say what the chart of convergence shows."""
    parts = []
    for equation, name in enumerate(names):
        best = [point.best for point in points if point.equation == equation and point.best is not None]
        if best:
            parts.append(f"{name}: from {words.number(best[0], 2)} to {words.number(best[-1], 2)}")
    stepped = f" You stepped in {words.plural(len(marks), 'time')}." if marks else ""
    return f"Best error of each equation over the iterations. {'; '.join(parts)}.{stepped}"


def _equation(figure: go.Figure, points: Sequence[Point], number: int, label: str, palette: Colours) -> None:
    colour = palette.lines[number % len(palette.lines)]
    best = [(point.iteration, point.best) for point in points if point.best]
    tried = [(point.iteration, point.attempt) for point in points if point.attempt]
    line = {"color": colour, "width": 2.2, "dash": DASHES[number % len(DASHES)], "shape": "hv"}
    figure.add_scatter(x=[x for x, _ in best], y=[y for _, y in best], mode="lines", line=line, name=f"{label} best")
    mark = {"symbol": SYMBOLS[number % len(SYMBOLS)], "color": colour, "size": 8, "line": {"width": 1.5}}
    figure.add_scatter(
        x=[x for x, _ in tried], y=[y for _, y in tried], mode="markers", marker=mark, name=f"{label} attempt"
    )


def _names(figure: go.Figure, points: Sequence[Point], names: Sequence[str], palette: Colours) -> None:
    """Write each name at the end of its line, and move names apart that would lie on each other."""
    ends = {point.equation: point for point in points if point.best}
    heights = {j: math.log10(point.best) for j, point in ends.items() if point.best}
    if len(names) < 2 or not heights:
        return
    pixels = PLOT / max(1.0, max(heights.values()) - min(heights.values()) + 0.4)
    lowest = -math.inf
    for j in sorted(heights, key=lambda j: heights[j]):
        place = max(heights[j] * pixels, lowest + LINE)
        lowest = place
        figure.add_annotation(
            x=ends[j].iteration, y=heights[j], text=f"<b>{words.in_chart(names[j])}</b>", xanchor="left", xshift=8,
            yshift=place - heights[j] * pixels, font={"color": palette.lines[j % len(palette.lines)]}, showarrow=False,
        )  # fmt: skip


def _marks(figure: go.Figure, marks: Sequence[Mark], palette: Colours) -> None:
    by_place: dict[int, list[str]] = {}
    for mark in marks:
        by_place.setdefault(mark.iteration, []).append(mark.words)
    for iteration, said in by_place.items():
        text = "you: " + "; ".join(said)
        figure.add_vline(x=iteration + 0.5, line={"color": palette.remove, "width": 1.6})
        figure.add_annotation(
            x=iteration + 0.5, y=1.0, yref="paper", yanchor="bottom", showarrow=False,
            text=words.chart_term(text if len(text) <= 34 else text[:32] + " …"),
            font={"color": palette.remove_text, "size": 12},
        )  # fmt: skip
