"""Charts of what a law leaves over: against time, as a histogram, how it hangs together; and of the rates behind it."""

import numpy as np
import plotly.graph_objects as go

from dolq_core.records import Variable
from dolq_core.views.diagnostics import Rates, Residuals
from pages.ui import charts, layout, words
from pages.ui.colours import Colours, colours

HEIGHT = 260
DRAWN = 400  # points of a run: more would melt into a band
DRAWN_RATES = 600  # likewise, as lines


def over_time(found: Residuals, time: Variable) -> go.Figure:
    """Draw the residuals of every run against time, with twice the noise of the samples as dotted lines."""
    palette = colours()
    figure = layout.blank(palette, HEIGHT)
    for number, run in enumerate(found.runs):
        step = charts.thinned(len(run.t), DRAWN)
        colour = [palette.stream if out else palette.mark for out in run.held_out[::step]]
        mark = {"symbol": charts.SYMBOLS[number % len(charts.SYMBOLS)], "size": 5, "color": colour}
        figure.add_scatter(
            x=run.t[::step], y=run.left[::step], mode="markers", marker=mark, name=run.label or "residual",
            customdata=run.left[::step] / (run.noise[::step] if found.noise else 1.0),
            hovertemplate="%{x:.4g}, %{y:.3g}" + (", %{customdata:.2g} × noise" if found.noise else ""),
        )  # fmt: skip
    _level(figure, 0.0, palette, "solid")
    if found.noise:
        for side in (-2.0, 2.0):
            _at_noise(figure, side, found, palette)
        _beside(figure, 2.0 * float(found.runs[-1].noise[-1]), "2 × noise", palette)
    figure.update_xaxes(title_text=words.in_chart(time.title), showline=True, linecolor=palette.muted)
    return figure.update_yaxes(title_text=words.in_chart(_unit(found)), nticks=6).update_layout(
        margin={"l": 64, "t": 8}
    )


def histogram(found: Residuals) -> go.Figure:
    """Draw how often which residual occurs, beside the normal curve of the same spread."""
    palette = colours()
    figure = layout.blank(palette, HEIGHT)
    middle, width = (found.edges[1:] + found.edges[:-1]) / 2, np.diff(found.edges)
    figure.add_bar(
        x=middle, y=found.density, width=width, name="residuals", hovertemplate="%{x:.3g}: %{y:.3g}",
        marker={"color": palette.grid, "line": {"color": palette.stream, "width": 1}},
    )  # fmt: skip
    line = {"color": palette.lines[0], "width": 2.2}
    figure.add_scatter(x=found.normal_at, y=found.normal, mode="lines", line=line, hoverinfo="skip", name="normal")
    title = "residual / noise" if found.noise else _unit(found)
    figure.update_xaxes(title_text=words.in_chart(title), showline=True, linecolor=palette.muted, nticks=6)
    return figure.update_yaxes(showticklabels=False, showgrid=False).update_layout(margin={"l": 12, "t": 8}, bargap=0)


def autocorrelation(found: Residuals) -> go.Figure:
    """Draw the autocorrelation by lag as stems, on the ground in which white noise lies."""
    palette = colours()
    figure = layout.blank(palette, HEIGHT)
    white, count = found.white, len(found.white.r)
    figure.add_hrect(y0=-white.band, y1=white.band, fillcolor=palette.held_out, line_width=0, layer="below")
    lags = np.arange(1, count + 1)
    stems = np.full(3 * count, np.nan)
    stems[::3], stems[1::3] = 0.0, white.r
    line = {"color": palette.lines[0], "width": 1.6}
    figure.add_scatter(x=np.repeat(lags, 3), y=stems, mode="lines", line=line, hoverinfo="skip", name="")
    figure.add_scatter(
        x=lags, y=white.r, mode="markers", marker={"color": palette.lines[0], "size": 7}, name="",
        hovertemplate="lag %{x}: %{y:.2f}",
    )  # fmt: skip
    _level(figure, 0.0, palette, "solid")
    _beside(figure, white.band, "white noise", palette)
    figure.update_xaxes(
        title_text="lag in samples", range=[0.3, count + 0.7], dtick=max(1, count // 5), showline=True,
        linecolor=palette.muted,
    )  # fmt: skip
    return figure.update_yaxes(range=[-1.05, 1.05], dtick=0.5).update_layout(margin={"l": 40, "t": 8})


def time_alt(found: Residuals) -> str:
    """Say what the residuals against time show."""
    noise = f" The noise of a sample is {words.with_unit(found.noise, found.unit)}." if found.noise else ""
    size = words.with_unit(found.size, found.unit)
    return f"Residuals of {found.name} against time, root mean square {size}.{noise} {found.words}"


def histogram_alt(found: Residuals) -> str:
    """Say what the histogram shows."""
    if not len(found.edges):
        return f"No histogram of the residuals of {found.name}: they do not differ."
    low, high = words.number(float(found.edges[0]), 2), words.number(float(found.edges[-1]), 2)
    top = int(np.argmax(found.density))
    most = words.number(float(found.edges[top] + found.edges[top + 1]) / 2, 2)
    of = " times the noise" if found.noise else f" {found.unit}".rstrip()
    return f"Histogram of the residuals of {found.name} from {low} to {high}{of}, most often near {most}."


def autocorrelation_alt(found: Residuals) -> str:
    """Say what the autocorrelation shows."""
    each = ", ".join(words.number(r, 2) for r in found.white.r[:5].tolist())
    band = words.number(found.white.band, 2)
    out = int(np.sum(np.abs(found.white.r) > found.white.band))
    return (
        f"Autocorrelation of the residuals of {found.name}, lags 1 to {min(5, len(found.white.r))}: {each}. "
        f"{out} of {len(found.white.r)} lags lie outside of ±{band}, the band of white noise."
    )


def rates(found: Rates, time: Variable) -> go.Figure:
    """Draw estimate and law above, their difference below."""
    palette = colours()
    below = {"title": {"text": words.in_chart(time.title)}, "showline": True, "linecolor": palette.muted}
    figure = layout.stacked(palette, 390, [0.68, 0.32], 0.1, below)
    for number, run in enumerate(found.runs):
        step = charts.thinned(len(run.t), DRAWN_RATES)
        t, estimated, law = run.t[::step], run.estimated[::step], run.law[::step]
        charts.line(figure, 1, t, estimated, palette.mark, "dot", 1.6, "estimated")
        charts.line(figure, 1, t, law, palette.lines[0], charts.DASHES[number % len(charts.DASHES)], 2.2, "law")
        charts.line(figure, 2, t, estimated - law, palette.mark, "solid", 1.2, "difference")
    rate = Variable(found.name, "", words.per(found.unit, time.unit))
    charts.above(figure, 1, words.in_chart(rate.title), palette.text, "left")
    charts.above(figure, 2, "estimate − law", palette.text, "left")
    ends = [found.runs[0].t[0], max(run.t[-1] for run in found.runs)]
    charts.line(figure, 2, np.array(ends), np.zeros(2), palette.muted, "solid", 1.0, "none")
    return figure


def rates_alt(found: Rates) -> str:
    """Say what the chart shows, from the numbers."""
    estimated = np.concatenate([run.estimated for run in found.runs])
    span = words.span(estimated)
    return f"Rate of change of {found.name} as estimated from the data, {span}, beside that of the law. {found.words}"


def _unit(found: Residuals) -> str:
    return f"data − model ({found.unit})" if found.unit else "data − model"


def _at_noise(figure: go.Figure, times: float, found: Residuals, palette: Colours) -> None:
    """Draw a line at so many times the noise; where it grows with the value, along each run."""
    if not any(np.ptp(run.noise) > 0.0 for run in found.runs):
        _level(figure, times * found.noise, palette, "dot")
        return
    line = {"color": palette.muted, "width": 1, "dash": "dot"}
    for run in found.runs:
        figure.add_scatter(x=run.t, y=times * run.noise, mode="lines", line=line, hoverinfo="skip", name="noise")


def _level(figure: go.Figure, y: float, palette: Colours, dash: str) -> None:
    figure.add_hline(y=y, line={"color": palette.muted, "width": 1, "dash": dash})


def _beside(figure: go.Figure, y: float, text: str, palette: Colours) -> None:
    figure.add_annotation(
        text=text, x=1.0, xref="paper", xanchor="right", y=y, yanchor="bottom", showarrow=False,
        font={"color": palette.muted, "size": 12}, bgcolor=palette.ground,
    )  # fmt: skip
