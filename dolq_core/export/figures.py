"""Data and law as SVG pictures that a report carries inside: they can be read without a script, and printed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np

from dolq_core.arrays import Floats

MOST_POINTS: Final = 1500
"""Samples of a run that a picture shows; of more, every second or third ... is drawn."""
COLOURS: Final = 5
WIDTH, HEIGHT = 760.0, 250.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 12.0, 12.0, 40.0


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """One run as it is drawn.

    Attributes:
        t, data: (n,), (n, d) as measured, NaN where a cell was missing.
        model_t, model: (m,), (m, d) the law; None where it could not be followed, and `failure` says why.
        held_from: the time from which the run is held out; None when it is not.
    """

    label: str
    t: Floats
    data: Floats
    model_t: Floats
    model: Floats | None
    held_from: float | None = None
    failure: str = ""


@dataclass(frozen=True, slots=True)
class _Scale:
    """A value as a place on the page."""

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)


def thinned(figure: Figure) -> slice:
    """Return which samples are drawn."""
    return slice(None, None, max(1, -(-len(figure.t) // MOST_POINTS)))


def picture(figures: Sequence[Figure], state: int, name: str, time: str) -> str:
    """Return one state of all runs over time: circles are data, lines the law, grey what no fit has seen."""
    x = _scale([figure.t for figure in figures], LEFT, WIDTH - RIGHT, 0.0)
    values = [one[:, state] for f in figures for one in (f.data, f.model) if one is not None]
    y = _scale(values, HEIGHT - BOTTOM, TOP, 0.06)
    shown = [_axes(x, y, name, time)]
    for number, figure in enumerate(figures):
        parts = [_held(figure, x), _line(figure, state, x, y), _dots(figure, state, x, y)]
        shown.append(f'<g class="run c{number % COLOURS}" data-run="{number}">{"".join(parts)}</g>')
    words = escape(f"{name} over {time}: data as circles, the law as a line")
    extent = " ".join(f"{value:.6g}" for value in (x.low, x.high, y.low, y.high))
    return (
        f'<svg class="figure" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{words}" '
        f'data-state="{state}" data-extent="{extent}">{"".join(shown)}<line class="cross off" y1="{TOP:g}" '
        f'y2="{HEIGHT - BOTTOM:g}"/></svg>'
    )


def _scale(arrays: Sequence[Floats], begin: float, end: float, margin: float) -> _Scale:
    values = np.concatenate([array[np.isfinite(array)] for array in arrays])
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = margin * (high - low) or (0.0 if high > low else 0.5 * abs(high) or 0.5)
    return _Scale(low - room, high + room, begin, end)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round values between low and high: 1, 2 or 5 times a power of ten apart."""
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (factor * step) <= most)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _axes(x: _Scale, y: _Scale, name: str, time: str) -> str:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts: list[str] = []
    marks, digits = ticks(y.low, y.high, 5), _digits(ticks(y.low, y.high, 5))
    for value in marks:
        place = f"{y(value):.1f}"
        parts.append(f'<line class="grid" x1="{LEFT:g}" x2="{right:g}" y1="{place}" y2="{place}"/>')
        parts.append(f'<text class="tick end" x="{LEFT - 6:g}" y="{y(value) + 4:.1f}">{_tick(value, digits)}</text>')
    marks, digits = ticks(x.low, x.high, 8), _digits(ticks(x.low, x.high, 8))
    for value in marks:
        parts.append(f'<text class="tick middle" x="{x(value):.1f}" y="{bottom + 16:g}">{_tick(value, digits)}</text>')
    parts.append(f'<line class="axis" x1="{LEFT:g}" x2="{right:g}" y1="{bottom:g}" y2="{bottom:g}"/>')
    parts.append(f'<text class="label middle" x="{(LEFT + right) / 2:g}" y="{HEIGHT - 6:g}">{escape(time)}</text>')
    return "".join(parts)


def _digits(marks: Sequence[float]) -> int:
    """Return the significant digits that tell neighbouring marks apart."""
    apart = min((b - a for a, b in zip(marks, marks[1:], strict=False)), default=0.0)
    largest = max(map(abs, marks), default=0.0)
    return min(15, math.ceil(math.log10(largest / apart)) + 1) if 0.0 < apart < largest else 3


def _tick(value: float, digits: int) -> str:
    return f"{value:.{digits}g}".replace("-", "\N{MINUS SIGN}")


def _held(figure: Figure, x: _Scale) -> str:
    if figure.held_from is None:
        return ""
    begin, end = x(figure.held_from), x(float(figure.t[-1]))
    return (
        f'<rect class="held" x="{begin:.1f}" y="{TOP:g}" width="{end - begin:.1f}" height="{HEIGHT - BOTTOM - TOP:g}"/>'
    )


def _line(figure: Figure, state: int, x: _Scale, y: _Scale) -> str:
    if figure.model is None:
        return ""
    steps: list[str] = []
    pen = "M"
    for t, value in zip(figure.model_t.tolist(), figure.model[:, state].tolist(), strict=True):
        if math.isfinite(value):
            steps.append(f"{pen}{x(t):.1f} {y(value):.1f}")
        pen = "L" if math.isfinite(value) else "M"
    return f'<path class="law" d="{"".join(steps)}"/>'


def _dots(figure: Figure, state: int, x: _Scale, y: _Scale) -> str:
    some = thinned(figure)
    pairs = zip(figure.t[some].tolist(), figure.data[some, state].tolist(), strict=True)
    return "".join(f'<circle cx="{x(t):.1f}" cy="{y(v):.1f}" r="2.6"/>' for t, v in pairs if math.isfinite(v))
