"""Streamlines follow the field, stay in the picture, and fill it."""

import numpy as np

from dolq_core.records import Variable
from dolq_core.views.phase import Field
from pages.ui import phase
from pages.ui.streams import CELLS, streams
from tests.every import every


def field(rate, low=-1.0, high=1.0, n=41) -> Field:
    axis = np.linspace(low, high, n)
    x, y = np.meshgrid(axis, axis)
    with np.errstate(all="ignore"):
        return Field(axis, axis, *rate(x, y))


def lines(found) -> list[np.ndarray]:
    points = np.array([found.x, found.y]).T
    cuts = np.flatnonzero(np.isnan(points[:, 0]))
    return [part[~np.isnan(part[:, 0])] for part in np.split(points, cuts)][:-1]


def test_around_a_centre_the_lines_are_circles():
    for line in lines(streams(field(lambda x, y: (-y, x)))):
        radius = np.hypot(*line.T)
        assert np.ptp(radius) < 0.02


def test_lines_reach_every_part_and_leave_none():
    found = lines(streams(field(lambda x, y: (1.0 + 0 * x, 0.3 * np.sin(3 * x)))))
    places = np.concatenate(found)
    assert np.abs(places).max() <= 1.0
    rows = np.unique(((places[:, 1] + 1) / 2 * CELLS).astype(int))
    assert len(rows) >= CELLS - 2


def test_every_line_has_one_arrow():
    found = streams(field(lambda x, y: (y, -x - 0.3 * y)))
    ends = np.flatnonzero(np.isnan(found.x))
    starts = [0, *(ends[:-1] + 1)]
    assert len(found.heads) == len(ends) > 10
    assert every(start < head < end for start, head, end in zip(starts, found.heads, ends, strict=True))


def test_only_heads_of_arrows_are_drawn_as_marks():
    """Each mark is an element of the page: one on every point of every line took half a second to draw."""
    flow = field(lambda x, y: (y, -x - 0.3 * y))
    found = streams(flow)
    figure = phase.phase([], flow, found, [Variable("x", "x0"), Variable("y", "x1")])
    marked = [trace for trace in figure.data if trace.type == "scatter" and "markers" in trace.mode]
    assert sum(len(trace.x) for trace in marked) == 2 * len(found.heads)
    (line,) = (trace for trace in figure.data if trace.name == "flow")
    assert line.mode == "lines"
    assert len(line.x) == len(found.x)


def test_where_nothing_moves_or_nothing_is_defined_nothing_is_drawn():
    assert not streams(field(lambda x, y: (0 * x, 0 * x))).x
    assert not streams(field(lambda x, y: (np.full_like(x, np.nan), y))).x
