"""The chart of size against error: every structure that was visited, and the front that nothing smaller beats."""

from collections.abc import Mapping, Sequence
from math import log10

import plotly.graph_objects as go

from dolq_core.records import EquationFit
from dolq_core.views.rivals import Front, front_error
from pages.ui import words
from pages.ui.colours import Colours, colours
from pages.ui.layout import blank, log_ticks, name_lines

SIZES = 200  # height of the chart of fronts, in pixels
LEAST = 1e-16  # what is smaller is drawn here: a log axis has no zero
Texts = Mapping[int, str]  # what each fit says, by its identity


def front(found: Front, current: EquationFit | None, texts: Texts, chosen: EquationFit | None = None) -> go.Figure:
    """Draw the visited structures grey, the front as a step line; knee, current and chosen one ringed and named.

    Every mark carries its terms, see `place`, so that a click can be told from any other.
    """
    palette = colours()
    figure = blank(palette, 280)
    _marks(figure, found.dominated, texts, palette.stream, "circle-open", 6)
    line = {"color": palette.lines[0], "width": 2.2, "shape": "hv"}
    figure.add_scatter(
        x=[_terms(fit) for fit in found.points], y=[_error(fit) for fit in found.points], mode="lines", line=line,
        hoverinfo="skip", name="front",
    )  # fmt: skip
    _marks(figure, found.points, texts, palette.lines[0], "circle", 7)
    knee = found.points[found.knee] if found.knee is not None else None
    same = knee is not None and current is not None and place(knee) == place(current)
    if knee is not None:
        _ring(figure, knee, "knee, shown" if same else "knee", palette.remove, palette)
    if current is not None and not same:
        _ring(figure, current, "shown", palette.lines[0], palette)
    if chosen is not None and (current is None or place(chosen) != place(current)):
        _ring(figure, chosen, "chosen", palette.text, palette, above=True)
    most = max((_terms(fit) for fit in (*found.points, *found.dominated)), default=1)
    least = min((_terms(fit) for fit in found.points), default=0)
    axis = {"title_text": "terms", "range": [least - 0.9, most + 0.5], "dtick": max(1, most // 8)}
    figure.update_xaxes(**axis, showline=True, linecolor=palette.muted)
    errors = [_error(fit) for fit in (*found.points, *found.dominated)]
    figure.update_yaxes(type="log", title_text="error", **log_ticks(errors))
    return figure.update_layout(margin={"l": 62, "t": 10})


def front_alt(found: Front, current: EquationFit | None, name: str) -> str:
    """Say what the chart shows, from the numbers."""
    steps = ", ".join(
        f"{words.plural(_terms(fit), 'term')} {words.number(front_error(fit), 2)}" for fit in found.points
    )
    knee = f" Knee: {words.plural(_terms(found.points[found.knee]), 'term')}." if found.knee is not None else ""
    shown = f" Shown: {words.plural(_terms(current), 'term')}." if current else ""
    count = words.plural(len(found.points) + len(found.dominated), "structure")
    fits = (*found.points, *found.dominated)
    where = "held-out" if any(fit.held_out is not None for fit in fits) else "left-out"
    return f"Front of {name}: least error on {where} data by size, of {count} visited: {steps}.{knee}{shown}"


def sizes(lines: Mapping[str, Sequence[tuple[int, float]]]) -> go.Figure:
    """Draw the fronts of several equations, each (terms, error) by the name of its state, while they are searched."""
    palette = colours()
    figure = blank(palette, SIZES, {"l": 62, "t": 10, "r": 90})
    every = [max(error, LEAST) for points in lines.values() for _, error in points]
    most = max((size for points in lines.values() for size, _ in points), default=1)
    ends: list[tuple[float, float, str, str]] = []
    for number, (name, points) in enumerate(lines.items()):
        colour, errors = palette.lines[number % len(palette.lines)], [max(error, LEAST) for _, error in points]
        figure.add_scatter(
            x=[size for size, _ in points], y=errors, mode="lines+markers", marker={"color": colour, "size": 7},
            line={"color": colour, "width": 2.2, "shape": "hv"}, name=words.in_chart(name), hovertemplate="%{y:.2g}",
        )  # fmt: skip
        ends.append((most, errors[-1], words.in_chart(name), colour))
    if every:
        name_lines(figure, ends, every, SIZES - 54)
    figure.update_xaxes(title_text="terms", dtick=1, showline=True, linecolor=palette.muted)
    return figure.update_yaxes(type="log", title_text="error", **log_ticks(every))


def sizes_alt(lines: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """Say what the chart shows, from the numbers."""
    said = ["Least error by size so far."]
    for name, points in lines.items():
        steps = ", ".join(f"{words.plural(size, 'term')} {words.number(error, 2)}" for size, error in points)
        said.append(f"{name}: {steps}.")
    return " ".join(said)


def _terms(fit: EquationFit) -> int:
    return len(fit.terms)


def _error(fit: EquationFit) -> float:
    return max(front_error(fit), LEAST)


def place(fit: EquationFit) -> str:
    """Return the terms of a structure as one text: the same in any order and in any iteration."""
    return " | ".join(sorted(term.skeleton for term in fit.terms))


def _marks(figure: go.Figure, fits: Sequence[EquationFit], texts: Texts, colour: str, symbol: str, size: int) -> None:
    figure.add_scatter(
        x=[_terms(fit) for fit in fits], y=[_error(fit) for fit in fits], mode="markers",
        marker={"color": colour, "symbol": symbol, "size": size}, name="",
        text=[words.in_chart(texts.get(id(fit), "")) for fit in fits], hovertemplate="%{text}<br>%{y:.3g}",
        customdata=[[place(fit)] for fit in fits], selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )  # fmt: skip


def _ring(figure: go.Figure, fit: EquationFit, said: str, colour: str, palette: Colours, above: bool = False) -> None:
    ring = {"symbol": "circle-open", "size": 16, "color": colour, "line": {"width": 2.2}}
    figure.add_scatter(x=[_terms(fit)], y=[_error(fit)], mode="markers", marker=ring, hoverinfo="skip", name=said)
    figure.add_annotation(
        x=_terms(fit), y=log10(_error(fit)), text=said, showarrow=False, xanchor="left" if above else "right",
        xshift=10 if above else -10, yshift=11 if above else -11, font={"color": palette.text},
    )  # fmt: skip
