"""Where words and lines of a chart stand: inside it, apart from each other, and as the fits take what they show."""

from dataclasses import replace
from itertools import pairwise
from math import log10

import numpy as np
import pytest

from dolq_core.arrays import frozen
from dolq_core.records import Dataset, Trajectory, Variable
from dolq_core.views.history import Point
from pages.ui import charts, convergence, phase

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("low", [-0.5, 3.0])
def test_the_name_of_a_start_is_in_the_picture(first, low):
    data = np.roll(SQUARE, -first, axis=0) + low
    middle = data[0] - low + phase.SIDES[phase._free(data)]
    assert np.all(middle - phase.HALF >= -phase.MARGIN)
    assert np.all(middle + phase.HALF <= 1.0 + phase.MARGIN)


def test_it_is_not_below_zero_where_the_picture_ends_there():
    at_the_edge = np.column_stack((np.zeros(60), np.linspace(1.0, 0.0, 60)))
    assert phase._free(at_the_edge) == "middle right"
    assert phase._free(at_the_edge, ends_at_zero=False) == "top center"


def test_names_at_the_ends_of_lines_do_not_lie_on_each_other_though_an_attempt_stretches_the_axis():
    ends = [1e-3, 1.1e-3, 1.2e-3]
    points = [Point(1, j, best=error, attempt=1e3) for j, error in enumerate(ends)]
    figure = convergence.convergence(points, [], ["x", "y", "z"])
    pixels = convergence.PLOT / (log10(1e3 / 1e-3) + 0.4)
    places = sorted(one.y * pixels + one.yshift for one in figure.layout.annotations if one.text.startswith("<b>"))
    assert len(places) == 3
    assert min(b - a for a, b in pairwise(places)) == pytest.approx(convergence.LINE)


def test_a_name_stands_behind_the_last_iteration_where_a_line_ends_earlier():
    points = [Point(i, j, best=10.0**-j, attempt=None) for j, last in enumerate((2, 6)) for i in range(1, last + 1)]
    figure = convergence.convergence(points, [], ["x, this run", "x, the other"])
    assert {one.x for one in figure.layout.annotations} == {6}
    (leader,) = (trace for trace in figure.data if trace.hoverinfo == "skip")
    assert (leader.x, leader.y) == ((2, 6), (1.0, 1.0))


def test_an_input_is_drawn_as_the_fits_take_it_and_as_samples_before_anything_was_fitted():
    t, u = np.arange(5.0), np.array([[0.0], [1.0], [1.0], [0.0], [0.0]])
    run = Trajectory(frozen(t), frozen(t[:, None]), inputs=frozen(u))
    x, heat, time = Variable("x", "x"), Variable("heat", "heat"), Variable("t", "t")
    dataset = Dataset("driven", time, (x,), (run,), inputs=(heat,))
    (drawn,) = charts.preview([run], [x], time, [None], [heat]).select_traces({"name": "input"})
    assert drawn.mode == "markers"
    many = np.linspace(0.0, 1.0, charts.DOTS + 1)
    long = Trajectory(frozen(many), frozen(many[:, None]), inputs=frozen(many[:, None]))
    (drawn,) = charts.preview([long], [x], time, [None], [heat]).select_traces({"name": "input"})
    assert drawn.mode == "lines", "each mark is an element of the page"
    for hold, shape in charts.SHAPES.items():
        curve = charts.Curve("", t, run.x, t, None)
        figure = charts.trajectories([curve], [x], time, replace(dataset, holds=(hold,)))
        (drawn,) = figure.select_traces({"name": "input"})
        assert (drawn.mode, drawn.line.shape) == ("lines", shape)
