"""Where a law moves and where it stands still: in the plane of two states, with the data, and on the line of one."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dolq_core.records import Variable
from dolq_core.views.phase import Equilibrium, Field, PhaseLine
from dolq_core.views.trajectories import Curve
from pages.ui import words
from pages.ui.charts import DASHES, SYMBOLS, thinned
from pages.ui.colours import Colours, colours
from pages.ui.layout import blank
from pages.ui.streams import Streams

ARROWS = 9  # on the line of one state, from edge to edge
FILLS = {"stable": "circle", "unstable": "circle-open", "half-stable": "circle-open-dot"}
STEEP = 25.0  # times the median rate: beyond, there may be a pole: it has no equilibrium and flattens all else

HIGHER = "higher"  # above the start, with room for a line between
SIDES = {
    "top center": (0.0, 0.07),
    "bottom center": (0.0, -0.07),
    "middle left": (-0.1, 0.0),
    "middle right": (0.1, 0.0),
    "top left": (-0.11, 0.06),
    "top right": (0.11, 0.06),
    "bottom left": (-0.11, -0.06),
    "bottom right": (0.11, -0.06),
    HIGHER: (0.0, 0.14),
}
MARGIN = 0.1
"""Of the picture around the data, as a share of their range; none below zero where they never are."""
HALF = (0.08, 0.03)
"""Half the size of a name, as shares of the data's range."""
REACH = (0.08, 0.05)
"""How far from its middle a name may lie over other points, likewise; SIDES: where it has its middle."""


def bounds(curves: Sequence[Curve]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the corners of the picture: the data with a margin, but not below zero when they never are."""
    data = np.concatenate([curve.placed for curve in curves])
    low, high = np.nanmin(data, axis=0), np.nanmax(data, axis=0)
    margin = np.where(high > low, MARGIN * (high - low), 1.0)
    start, end = np.where(low >= 0.0, np.maximum(low - margin, 0.0), low - margin), high + margin
    return (float(start[0]), float(start[1])), (float(end[0]), float(end[1]))


def phase(curves: Sequence[Curve], field: Field, lines: Streams, states: Sequence[Variable]) -> go.Figure:
    """Draw streamlines, nullclines (dashed and dotted), the data, the model, and where each run starts."""
    palette = colours()
    figure = blank(palette, 340)
    _streams(figure, lines, palette)
    for rate, dash in ((field.dx, "dash"), (field.dy, "dot")):
        _nullcline(figure, field, rate, dash, palette)
    for number, curve in enumerate(curves):
        _run(figure, curve, number, palette)
    x, y = (words.in_chart(state.title) for state in states)
    edge = {"showline": True, "linecolor": palette.muted, "showgrid": False, "ticks": "outside", "nticks": 6}
    figure.update_xaxes(title_text=x, range=[field.x[0], field.x[-1]], **edge)
    figure.update_yaxes(title_text=y, range=[field.y[0], field.y[-1]], **edge)
    return figure.update_layout(margin={"t": 8, "l": 56})


def nullclines(field: Field, states: Sequence[Variable]) -> str:
    """Say which lines of `phase` are the nullclines of which state, of those that lie in the picture."""
    rates = zip(("dashed", "dotted"), states, (field.dx, field.dy), strict=True)
    shown = [f"{line} {words.plain(state.name)}" for line, state, rate in rates if _changes_sign(_tame(rate))]
    if not shown:
        return "No nullcline crosses it."
    return f"Nullcline{'s' * (len(shown) > 1)}: {', '.join(shown)}."


def phase_alt(curves: Sequence[Curve], field: Field, states: Sequence[Variable]) -> str:
    """Say what the picture shows, from the numbers."""
    x, y = (state.name for state in states)
    span = f"{x} from {words.number(float(field.x[0]))} to {words.number(float(field.x[-1]))}, "
    span += f"{y} from {words.number(float(field.y[0]))} to {words.number(float(field.y[-1]))}"
    return f"Phase portrait of {x} and {y} with the flow of the discovered law. {span}. {_ways(curves, (0, 1))}."


def projected(curves: Sequence[Curve], states: Sequence[Variable], pair: tuple[int, int]) -> go.Figure:
    """Draw the data, the model and where each run starts over two of the states; the others are not in the picture."""
    palette = colours()
    figure = blank(palette, 340)
    for number, curve in enumerate(curves):
        _run(figure, curve, number, palette, pair)
    x, y = (words.in_chart(states[j].title) for j in pair)
    figure.update_xaxes(title_text=x, showline=True, linecolor=palette.muted, nticks=6)
    figure.update_yaxes(title_text=y, showline=True, linecolor=palette.muted, showgrid=False, nticks=6)
    return figure.update_layout(margin={"t": 8, "l": 56})


def projected_alt(curves: Sequence[Curve], states: Sequence[Variable], pair: tuple[int, int]) -> str:
    """Say what the picture of two of the states shows, from the numbers."""
    x, y = (states[j].name for j in pair)
    beside = "Data and the discovered law" if any(curve.model is not None for curve in curves) else "Data"
    return f"{beside} in the plane of {x} and {y}. {_ways(curves, pair)}."


def _ways(curves: Sequence[Curve], pair: tuple[int, int]) -> str:
    return "; ".join(
        f"{curve.label or 'The run'} starts at {_place(curve.placed[:, pair])} and ends at "
        f"{_place(curve.placed[::-1, pair])}"
        for curve in curves[:3]
    )


def _place(data: np.ndarray) -> str:
    known = data[np.isfinite(data).all(axis=1)]
    return f"({words.number(float(known[0, 0]))}, {words.number(float(known[0, 1]))})" if len(known) else "no place"


def _streams(figure: go.Figure, lines: Streams, palette: Colours) -> None:
    """Draw the lines, and a head on each: a mark on every one of their points, most of size 0, takes half a second."""
    x, y = np.asarray(lines.x, dtype=float), np.asarray(lines.y, dtype=float)
    style = {"color": palette.stream, "width": 0.9}
    figure.add_scatter(x=x, y=y, mode="lines", line=style, hoverinfo="skip", name="flow")
    before_and_at = [place for head in lines.heads for place in (head - 1, head)]
    mark = {"symbol": "arrow", "angleref": "previous", "size": [0, 7] * len(lines.heads), "color": palette.stream}
    figure.add_scatter(
        x=x[before_and_at], y=y[before_and_at], mode="markers", marker=mark, hoverinfo="skip",
        name="way of the flow",
    )  # fmt: skip


def _tame(rate: np.ndarray) -> np.ndarray:
    """Return a rate where it is not so steep that it may be near a pole; NaN elsewhere."""
    finite = np.abs(rate[np.isfinite(rate)])
    limit = STEEP * float(np.median(finite)) if len(finite) else 0.0
    return np.where(np.isfinite(rate) & (np.abs(rate) <= (limit or np.inf)), rate, np.nan)


def _changes_sign(rate: np.ndarray) -> bool:
    known = rate[np.isfinite(rate)]
    return bool(len(known)) and bool(known.min() <= 0.0 <= known.max())


def _nullcline(figure: go.Figure, field: Field, rate: np.ndarray, dash: str, palette: Colours) -> None:
    tame = _tame(rate)
    if not _changes_sign(tame):
        return
    figure.add_contour(
        x=field.x, y=field.y, z=tame, contours={"start": 0, "end": 0, "size": 1, "coloring": "none"},
        line={"color": palette.remove, "width": 2, "dash": dash}, showscale=False, hoverinfo="skip",
    )  # fmt: skip


def _run(figure: go.Figure, curve: Curve, number: int, palette: Colours, pair: tuple[int, int] | None = None) -> None:
    """Draw one run; pair: the states where the axes are left to themselves, and do not end as `bounds` has it."""
    both = pair or (0, 1)
    if curve.model is not None:
        line = {"color": palette.lines[0], "width": 2.4, "dash": DASHES[number % len(DASHES)]}
        x, y = curve.model[:, both].T
        figure.add_scatter(x=x, y=y, mode="lines", line=line, name="model")
    data = curve.placed[:, both]
    if not any(j in curve.hidden for j in both):
        x, y = data[:: thinned(len(data))].T
        mark = {"symbol": SYMBOLS[number % len(SYMBOLS)], "size": 6, "color": palette.mark, "line": {"width": 1.2}}
        figure.add_scatter(x=x, y=y, mode="markers", marker=mark, name="data")
    known = data[np.isfinite(data).all(axis=1)]
    if len(known):
        side = _free(known, ends_at_zero=pair is None)
        said = "start<br> " if side == HIGHER else "start"
        figure.add_scatter(
            x=known[:1, 0], y=known[:1, 1], mode="markers+text", text=[said if number == 0 else ""],
            textposition="top center" if side == HIGHER else side,
            marker={"symbol": "diamond", "size": 10, "color": palette.start}, name="start",
        )  # fmt: skip


def _free(data: np.ndarray, *, ends_at_zero: bool = True) -> str:
    """Return the side of the first point where its name is in the picture and over the fewest of the others.

    ends_at_zero: whether the picture does not go below zero where the data never do, as `bounds` has it.
    """
    low, span = data.min(axis=0), np.where(np.ptp(data, axis=0) > 0, np.ptp(data, axis=0), 1.0)
    off, first = (data[1:] - data[0]) / span, (data[0] - low) / span
    room = np.where(np.ptp(data, axis=0) > 0, MARGIN, 1.0)
    least = -np.where((low >= 0.0) & ends_at_zero, np.minimum(low / span, room), room)

    def told(side: str) -> tuple[bool, int]:
        middle = first + SIDES[side]
        is_out = np.any((middle - HALF < least) | (middle + HALF > 1.0 + room))
        return bool(is_out), int((np.abs(off - SIDES[side]) < REACH).all(axis=1).sum())

    return min(SIDES, key=told)


def rests(found: PhaseLine, state: Variable) -> str:
    """Say where the state comes to rest, as Markdown."""
    name = words.plain(state.name)
    if not found.equilibria:
        return f"No equilibrium of {name} near these data."
    each = [f"{_at(one)} ({one.kind})" for one in found.equilibria]
    return f"{'Equilibrium' if len(each) == 1 else 'Equilibria'} of {name}: {', '.join(each)}."


def _at(one: Equilibrium) -> str:
    return words.number(one.x) if one.x else "0"


def line(found: PhaseLine, state: Variable, time: Variable) -> go.Figure:
    """Draw the rate, solid where the data are and dotted beyond, over a zero line with arrows and equilibria."""
    palette = colours()
    figure = blank(palette, 300)
    rate = _tame(found.rate)
    inside = (found.x >= found.low) & (found.x <= found.high)
    for part, dash, width in ((np.ones_like(inside), "dot", 1.6), (inside, "solid", 2.4)):
        style = {"color": palette.lines[0], "width": width, "dash": dash}
        figure.add_scatter(
            x=found.x, y=np.where(part, rate, np.nan), mode="lines", line=style, name="rate",
            hovertemplate="%{x:.4g}, %{y:.4g}",
        )  # fmt: skip
    figure.add_hline(y=0.0, line={"color": palette.muted, "width": 1.2})
    _arrows(figure, found, palette)
    _rests(figure, found, palette)
    spare = 0.03 * float(found.x[-1] - found.x[0])  # an equilibrium at the edge does not lie on the axis
    figure.update_xaxes(
        title_text=words.in_chart(state.title), range=[found.x[0] - spare, found.x[-1]], showline=True,
        linecolor=palette.muted, nticks=6,
    )  # fmt: skip
    unit = words.per(state.unit, time.unit or time.name)
    figure.update_yaxes(title_text=words.in_chart(f"rate ({unit})" if state.unit else "rate"), nticks=5)
    return figure.update_layout(margin={"t": 8, "l": 62})


def line_alt(found: PhaseLine, state: Variable) -> str:
    """Say what the picture shows, from the numbers."""
    rate, unit = found.rate[np.isfinite(found.rate)], state.unit
    span = f"from {words.number(float(found.x[0]))} to {words.with_unit(float(found.x[-1]), unit, 3)}"
    most = (
        f" The rate goes from {words.number(float(rate.min()))} to {words.number(float(rate.max()))}."
        if len(rate)
        else ""
    )
    each = [f"{_at(one)} ({one.kind})" for one in found.equilibria]
    where = f"Equilibria: {', '.join(each)}." if each else "No equilibrium here."
    return f"Rate of change of {state.name} over {state.name}, {span}.{most} {where}"


def _arrows(figure: go.Figure, found: PhaseLine, palette: Colours) -> None:
    """Put arrow heads on the zero line, each in the way the state moves there, none where it rests."""
    width = float(found.x[-1] - found.x[0])
    at = found.x[0] + width * (np.arange(ARROWS) + 0.5) / ARROWS
    rate = np.interp(at, found.x, np.where(np.isfinite(found.rate), found.rate, 0.0))
    near = [any(abs(x - one.x) < 0.03 * width for one in found.equilibria) for x in at]
    moving = (rate != 0.0) & ~np.array(near)
    symbols = ["triangle-right" if up else "triangle-left" for up in rate[moving] > 0.0]
    figure.add_scatter(
        x=at[moving], y=np.zeros(int(moving.sum())), mode="markers", hoverinfo="skip", name="way",
        marker={"symbol": symbols, "size": 9, "color": palette.stream},
    )  # fmt: skip


def _rests(figure: go.Figure, found: PhaseLine, palette: Colours) -> None:
    """Mark the equilibria: filled where the state returns to them, open where it leaves them."""
    for one in found.equilibria:
        edge = {"width": 2.2, "color": palette.start}
        fill = {"symbol": FILLS[one.kind], "size": 11, "color": palette.start, "line": edge}
        figure.add_scatter(x=[one.x], y=[0.0], mode="markers", marker=fill, name=one.kind, hovertemplate="%{x:.4g}")
        right = one.x > (found.x[0] + found.x[-1]) / 2
        beside = found.rate[found.x < one.x][-40:] if right else found.rate[found.x > one.x][:40]
        below = bool(len(beside)) and float(np.nanmedian(beside)) > 0.0
        figure.add_annotation(
            x=one.x, y=0.0, text=f"{one.kind}, {_at(one)}", showarrow=False, xanchor="right" if right else "left",
            yanchor="top" if below else "bottom", yshift=-8 if below else 8, font={"color": palette.text, "size": 12},
        )  # fmt: skip
