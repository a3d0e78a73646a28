"""Streamlines of a field of two states: evenly spread, never crossing, ready to draw."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dolq_core.views.phase import Field

CELLS = 22  # at most one line runs through each cell of this many by this many
STEP = 0.008  # of the width of the picture
LONGEST = 160  # steps each way
SHORTEST = 14  # points; what is shorter is not drawn
GAP = float("nan")

Point = tuple[float, float]
Flow = tuple[list[list[float]], list[list[float]]]  # as lists: a point at a time they are read faster than an array


@dataclass(frozen=True)
class Streams:
    """Lines in the units of the states, with a gap after each; heads: the points that carry the head of an arrow."""

    x: list[float]
    y: list[float]
    heads: list[int]


def streams(field: Field) -> Streams:
    """Follow the field from every part of the plane that no line has reached yet."""
    flow, taken = _unit_flow(field), np.full((CELLS, CELLS), -1)
    found = Streams([], [], [])
    for number, seed in enumerate(_seeds()):
        if taken[_cell(seed)] >= 0:
            continue
        back, ahead = _follow(flow, seed, -1, taken, number), _follow(flow, seed, 1, taken, number)
        line = [*reversed(back), seed, *ahead]
        if len(line) < SHORTEST:
            taken[taken == number] = -1
            continue
        taken[_cell(seed)] = number
        _add(found, line, field)
    return found


def _add(found: Streams, line: list[Point], field: Field) -> None:
    spans = (field.x[0], field.x[-1] - field.x[0]), (field.y[0], field.y[-1] - field.y[0])
    found.heads.append(len(found.x) + len(line) // 2)
    found.x.extend([*(spans[0][0] + spans[0][1] * x for x, _ in line), GAP])
    found.y.extend([*(spans[1][0] + spans[1][1] * y for _, y in line), GAP])


def _unit_flow(field: Field) -> Flow:
    """Return the directions, across and up, each (n, n), as the eye sees them: in widths and heights of the picture."""
    flow = np.stack([field.dx / np.ptp(field.x), field.dy / np.ptp(field.y)])
    speed = np.hypot(*flow)
    still = ~np.isfinite(speed) | (speed == 0.0)
    across, up = np.where(still, 0.0, flow / np.where(still, 1.0, speed)).tolist()
    return across, up


def _seeds() -> Iterator[Point]:
    """From the edge inwards: lines that cross the picture come before those that curl inside it."""
    middles = (np.arange(CELLS) + 0.5) / CELLS
    points = [(float(x), float(y)) for x in middles for y in middles]
    yield from sorted(points, key=lambda p: min(p[0], p[1], 1 - p[0], 1 - p[1]))


def _follow(flow: Flow, at: Point, way: int, taken: np.ndarray, number: int) -> list[Point]:
    line: list[Point] = []
    for _ in range(LONGEST):
        u, v = _flow_at(flow, at)
        u, v = _flow_at(flow, (at[0] + way * STEP * u / 2, at[1] + way * STEP * v / 2))
        at = (at[0] + way * STEP * u, at[1] + way * STEP * v)
        inside = 0.0 < at[0] < 1.0 and 0.0 < at[1] < 1.0
        if not inside or u * u + v * v < 0.25 or taken[_cell(at)] not in (-1, number):
            return line
        taken[_cell(at)] = number
        line.append(at)
    return line


def _cell(at: Point) -> tuple[int, int]:
    return int(at[1] * CELLS), int(at[0] * CELLS)


def _flow_at(flow: Flow, at: Point) -> Point:
    """Between four points of the grid, linearly."""
    last = len(flow[0]) - 1
    x, y = min(max(at[0], 0.0), 1.0) * last, min(max(at[1], 0.0), 1.0) * last
    i, j = min(int(x), last - 1), min(int(y), last - 1)
    a, b = x - i, y - j
    left, right = (1 - a), a
    u, v = (
        (1 - b) * (left * part[j][i] + right * part[j][i + 1])
        + b * (left * part[j + 1][i] + right * part[j + 1][i + 1])
        for part in flow
    )
    return u, v
