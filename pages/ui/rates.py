"""The chart of a rate: as the data show it, as the law has it, and the difference."""

import numpy as np
import plotly.graph_objects as go

from dolq_core.records import Variable
from dolq_core.views.diagnostics import Rates
from pages.ui import charts, layout, words
from pages.ui.colours import colours

DRAWN = 600  # points of a run


def rates(found: Rates, time: Variable) -> go.Figure:
    """Draw estimate and law above, their difference below."""
    palette = colours()
    below = {"title": {"text": words.in_chart(time.title)}, "showline": True, "linecolor": palette.muted}
    figure = layout.stacked(palette, 390, [0.68, 0.32], 0.1, below)
    for number, run in enumerate(found.runs):
        step = charts.thinned(len(run.t), DRAWN)
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
