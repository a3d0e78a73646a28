"""The chart of how a run got here: best so far, each attempt, and where a person stepped in."""

from collections import Counter
from collections.abc import Sequence

import plotly.graph_objects as go

from dolq_core.errors import THIN, grouped
from dolq_core.views.history import Mark, Point, Usage
from pages.ui import words
from pages.ui.charts import DASHES, SYMBOLS, thinned
from pages.ui.colours import Colours, colours
from pages.ui.layout import LINE, blank, log_ticks, name_lines

PLOT = 230  # about how high the chart inside its frame is, in pixels
ATTEMPTS = 150  # of an equation that are drawn as marks, the last one always: each is an element of the page
NAMED = 16
TOKENS = 70  # how much higher the chart is with the panel of tokens


def convergence(
    points: Sequence[Point],
    marks: Sequence[Mark],
    names: Sequence[str],
    tokens: Sequence[Usage] = (),
    longest: int = NAMED,
) -> go.Figure:
    """Draw the best error as a step line on a log axis, the attempts as open marks, interventions as verticals.

    Dotted in the colour of its equation: the best on the held-out part. tokens: a thin panel below. longest: letters
    of a name at the end of its line.
    """
    palette = colours()
    figure = blank(palette, 300 + (TOKENS if tokens else 0))
    for equation, name in enumerate(names):
        mine = [point for point in points if point.equation == equation]
        _equation(figure, mine, equation, name, palette)
    errors = [error for point in points for error in (point.best, point.attempt, point.held_out) if error]
    figure.update_yaxes(type="log", **log_ticks(errors))
    _names(figure, points, [words.in_chart(words.shortened(name, longest)) for name in names], errors, palette)
    _marks(figure, marks, palette)
    last = max((point.iteration for point in points), default=1)
    figure.update_xaxes(
        title_text="iteration",
        tickvals=list(range(1, last + 1, max(1, last // 10))),
        minallowed=0.5,
        showline=True,
        linecolor=palette.muted,
    )
    figure.update_layout(margin_r=70, margin_l=62)
    if tokens:
        _tokens(figure, tokens, palette)
    return figure


def _tokens(figure: go.Figure, tokens: Sequence[Usage], palette: Colours) -> None:
    """Draw what the language models used as bars in a panel of its own, below the errors."""
    figure.add_bar(
        x=[one.iteration for one in tokens], y=[one.tokens for one in tokens], yaxis="y2", width=0.5, name="tokens",
        marker={"color": palette.stream}, hovertemplate="%{y:,} tokens",
    )  # fmt: skip
    figure.update_layout(
        separators=f".{THIN}",
        yaxis={"domain": [0.34, 1.0]},
        yaxis2={"domain": [0.0, 0.2], "nticks": 3, "rangemode": "tozero", "anchor": "x", "tickformat": "~s",
                "gridcolor": palette.grid, "color": palette.text, "zeroline": False},
    )  # fmt: skip
    figure.update_xaxes(anchor="y2")
    figure.add_annotation(
        text="tokens", xref="paper", x=0.0, yref="paper", y=0.2, xanchor="left", yanchor="bottom", showarrow=False,
        font={"color": palette.muted, "size": 12},
    )  # fmt: skip


def drawn_of(points: Sequence[Point]) -> int:
    """Return of how many attempts on an equation one is drawn."""
    counts = Counter(point.equation for point in points if point.attempt)
    return max((thinned(count, ATTEMPTS) for count in counts.values()), default=1)


def convergence_alt(
    points: Sequence[Point], marks: Sequence[Mark], names: Sequence[str], tokens: Sequence[Usage] = ()
) -> str:
    """Say what the chart of convergence shows."""
    parts = []
    for equation, name in enumerate(names):
        mine = [point for point in points if point.equation == equation and point.best is not None]
        if mine:
            ahead = mine[-1].held_out
            also = "" if ahead is None else f", held out {words.number(ahead, 2)}"
            parts.append(f"{name}: from {words.number(mine[0].best, 2)} to {words.number(mine[-1].best, 2)}{also}")
    stepped = f" You stepped in {words.plural(len(marks), 'time')}." if marks else ""
    used = f" Tokens used: {grouped(sum(one.tokens for one in tokens))}." if tokens else ""
    told = "; ".join(parts) or "No iteration has one yet"
    return f"Best error of each equation over the iterations. {told}.{stepped}{used}"


def _equation(figure: go.Figure, points: Sequence[Point], number: int, label: str, palette: Colours) -> None:
    colour = palette.lines[number % len(palette.lines)]
    best = [(point.iteration, point.best) for point in points if point.best]
    tried = [(point.iteration, point.attempt) for point in points if point.attempt]
    tried = tried[:: -thinned(len(tried), ATTEMPTS)][::-1]
    line = {"color": colour, "width": 2.2, "dash": DASHES[number % len(DASHES)], "shape": "hv"}
    figure.add_scatter(x=[x for x, _ in best], y=[y for _, y in best], mode="lines", line=line, name=f"{label} best")
    ahead = [(point.iteration, point.held_out) for point in points if point.held_out]
    thin = {"color": colour, "width": 1.3, "dash": "dot", "shape": "hv"}
    figure.add_scatter(x=[x for x, _ in ahead], y=[y for _, y in ahead], mode="lines", line=thin, name="held out")
    mark = {"symbol": SYMBOLS[number % len(SYMBOLS)], "color": colour, "size": 8, "line": {"width": 1.5}}
    figure.add_scatter(
        x=[x for x, _ in tried], y=[y for _, y in tried], mode="markers", marker=mark, name=f"{label} attempt"
    )


def _names(
    figure: go.Figure, points: Sequence[Point], names: Sequence[str], errors: Sequence[float], palette: Colours
) -> None:
    """Write each name behind the last iteration, and move names apart that would lie on each other.

    No line goes through a name: one that ends earlier, of the shorter of two runs, has a thin one that leads there.
    errors: all that are drawn, which the axis reaches over.
    """
    ends = {point.equation: point for point in points if point.best}
    found = [(point.best, j, f"<b>{names[j]}</b>") for j, point in ends.items()]
    found += [(point.held_out, j, names[j]) for j, point in ends.items()]
    if len(names) > 1:
        last = max((point.iteration for point in ends.values()), default=1)
        labels = [(last, error, text, palette.lines[j % len(palette.lines)]) for error, j, text in found if error]
        for error, j, _ in found:
            if error and ends[j].iteration < last:
                leader = {"color": palette.lines[j % len(palette.lines)], "width": 0.7}
                figure.add_scatter(
                    x=[ends[j].iteration, last], y=[error, error], mode="lines", line=leader, hoverinfo="skip"
                )
        if labels:
            name_lines(figure, labels, errors, PLOT)


def _marks(figure: go.Figure, marks: Sequence[Mark], palette: Colours) -> None:
    by_place: dict[int, list[str]] = {}
    for mark in marks:
        by_place.setdefault(mark.iteration, []).append(mark.words)
    figure.update_layout(margin_t=26 if len(by_place) < 2 else 26 + LINE)
    for number, (iteration, said) in enumerate(sorted(by_place.items())):
        text = "you: " + "; ".join(said)
        figure.add_vline(x=iteration + 0.5, line={"color": palette.remove, "width": 1.6})
        figure.add_annotation(
            x=iteration + 0.5, y=1.0, yref="paper", yanchor="bottom", yshift=LINE * (number % 2), showarrow=False,
            text=words.chart_term(text if len(text) <= 34 else text[:32] + " …"),
            font={"color": palette.remove_text, "size": 12},
        )  # fmt: skip
