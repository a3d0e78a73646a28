"""The rate of a law of one state over that state: which way it moves, and where it comes to rest."""

import numpy as np
import plotly.graph_objects as go

from dolq_core.records import Variable
from dolq_core.views.phase import Equilibrium, PhaseLine
from pages.ui import words
from pages.ui.colours import Colours, colours
from pages.ui.layout import blank

ARROWS = 9  # on the zero line, from edge to edge
FILLS = {"stable": "circle", "unstable": "circle-open", "half-stable": "circle-open-dot"}
STEEP = 25.0  # times the median rate: beyond, a pole would flatten everything else


def rests(found: PhaseLine, state: Variable) -> str:
    """Say where the state comes to rest, as Markdown."""
    name = words.plain(state.name)
    if not found.equilibria:
        return f"No equilibrium of {name} near these data."
    each = [f"{_place(one)} ({one.kind})" for one in found.equilibria]
    return f"{'Equilibrium' if len(each) == 1 else 'Equilibria'} of {name}: {', '.join(each)}."


def _place(one: Equilibrium) -> str:
    return words.number(one.x) if one.x else "0"


def rates(found: PhaseLine, state: Variable, time: Variable) -> go.Figure:
    """Draw the rate, solid where the data are and dotted beyond, over a zero line with arrows and equilibria."""
    palette = colours()
    figure = blank(palette, 300)
    rate = _cut(found.rate)
    inside = (found.x >= found.low) & (found.x <= found.high)
    for part, dash, width in ((np.ones_like(inside), "dot", 1.6), (inside, "solid", 2.4)):
        line = {"color": palette.lines[0], "width": width, "dash": dash}
        figure.add_scatter(
            x=found.x, y=np.where(part, rate, np.nan), mode="lines", line=line, name="rate",
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


def rates_alt(found: PhaseLine, state: Variable) -> str:
    """Say what the picture shows, from the numbers."""
    rate, unit = found.rate[np.isfinite(found.rate)], state.unit
    span = f"from {words.number(float(found.x[0]))} to {words.with_unit(float(found.x[-1]), unit, 3)}"
    most = (
        f" The rate goes from {words.number(float(rate.min()))} to {words.number(float(rate.max()))}."
        if len(rate)
        else ""
    )
    each = [f"{_place(one)} ({one.kind})" for one in found.equilibria]
    where = f"Equilibria: {', '.join(each)}." if each else "No equilibrium here."
    return f"Rate of change of {state.name} over {state.name}, {span}.{most} {where}"


def _cut(rate: np.ndarray) -> np.ndarray:
    """Leave out what is near a pole."""
    finite = np.abs(rate[np.isfinite(rate)])
    limit = STEEP * float(np.median(finite)) if len(finite) else 0.0
    return np.where(np.isfinite(rate) & (np.abs(rate) <= (limit or np.inf)), rate, np.nan)


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
            x=one.x, y=0.0, text=f"{one.kind}, {_place(one)}", showarrow=False, xanchor="right" if right else "left",
            yanchor="top" if below else "bottom", yshift=-8 if below else 8, font={"color": palette.text, "size": 12},
        )  # fmt: skip
