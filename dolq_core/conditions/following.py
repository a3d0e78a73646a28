"""Constants that differ from condition to condition: by which simple formula they follow a column."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import TypeAlias

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import chi2

from dolq_core.arrays import Floats

CHANCE = 0.01
"""Chance of larger deviations below which a formula does not hold."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A formula that a constant follows.

    Attributes:
        column: what it follows; formula: with its numbers, to four digits; chance: of larger deviations than these.
    """

    column: str
    formula: str
    chance: float


Numbers: TypeAlias = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Form:
    """A formula of a column u with `count` numbers: `says` writes it, `start` guesses them from u and the constant."""

    count: int
    value: Callable[[Floats, Numbers], Floats]
    says: str
    start: Callable[[Floats, Floats], Numbers]
    positive: bool = False


def _line(u: Floats, c: Floats) -> Numbers:
    slope, level = np.polyfit(u, c, 1).tolist()
    return level, slope


def _logs(u: Floats, c: Floats) -> Numbers:
    level, slope = _line(u, np.log(np.abs(c) + 1e-300))
    return float(np.sign(c[0]) * np.exp(level)), slope


FORMS = (
    _Form(1, lambda u, p: p[0] * u, "{0:.4g}*{u}", lambda u, c: (float(np.dot(u, c) / np.dot(u, u)),)),
    _Form(2, lambda u, p: p[0] + p[1] * u, "{0:.4g} + {1:.4g}*{u}", _line),
    _Form(2, lambda u, p: p[0] * np.exp(p[1] * u), "{0:.4g}*exp({1:.4g}*{u})", _logs),
    _Form(2, lambda u, p: p[0] * u ** p[1], "{0:.4g}*{u}**{1:.4g}", lambda u, c: _logs(np.log(u), c), positive=True),
    _Form(
        2, lambda u, p: p[0] * np.exp(p[1] / u), "{0:.4g}*exp({1:.4g}/{u})", lambda u, c: _logs(1.0 / u, c),
        positive=True,
    ),
    _Form(
        2, lambda u, p: p[0] * u / (p[1] + u), "{0:.4g}*{u}/({1:.4g} + {u})",
        lambda u, c: (2.0 * float(c[np.argmax(np.abs(c))]), float(np.median(u))), positive=True,
    ),
)  # fmt: skip
"""Proportional, linear, exponential, a power, Arrhenius', saturating."""


def followed(
    values: Sequence[float], errors: Sequence[float], columns: Mapping[str, Sequence[float]]
) -> tuple[Followed, ...]:
    """Return the formulas that hold, the best first: chi2 and log(c) for each number; values, errors: (c,)."""
    found: list[tuple[float, Followed]] = []
    for name, levels in columns.items():
        u, c, e = (np.asarray(v, dtype=np.float64) for v in (levels, values, errors))
        for form in FORMS if len(set(u.tolist())) > 2 else ():
            one = _fitted(form, name, u, c, e)
            if one is not None:
                found.append(one)
    return tuple(one for _, one in sorted(found, key=lambda pair: pair[0]))


def _fitted(form: _Form, name: str, u: Floats, c: Floats, errors: Floats) -> tuple[float, Followed] | None:
    free = len(c) - form.count
    if free < 1 or (form.positive and not np.all(u > 0.0)):
        return None

    def left(numbers: Floats) -> Floats:
        return (form.value(u, tuple(numbers.tolist())) - c) / errors

    with np.errstate(all="ignore"):
        start = np.array(form.start(u, c))
        if not np.isfinite(left(start)).all():
            return None
        found = least_squares(left, start, x_scale=np.maximum(np.abs(start), 1e-12))
    squares = 2.0 * float(found.cost)
    chance = float(chi2.sf(squares, free))
    if chance < CHANCE:
        return None
    return squares + form.count * log(len(c)), Followed(name, form.says.format(*found.x, u=name), chance)
