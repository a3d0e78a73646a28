"""Curves with one number inside, alone and in pairs, beside whole sets of plain terms: each over a grid of its number.

A search that begins at a few starts of each curve sees the right one only among few: among a thousand, wrong ones
happen to lie nearer. Here the number comes first, for every curve and every set, and only the best are fitted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from dolq_core import clock
from dolq_core.agents.builtin.atoms import gain_of_two
from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.terms import Skeleton, count_params

GRID = 24
"""Values of a number, evenly spaced in its logarithm: a third apart."""
WIDER = 3.0
"""Times by which the grid goes beyond the least and the largest start of a fit."""
CLOSE = 0.01
"""Share of the highest value of a variable by which the lowest level that it is taken from lies above it."""
FINER = 8
"""Times as many frequencies of a wave as a fit would start from: a sixteenth of a turn apart."""
REFINED = 80
"""Curves of which the number is found more closely beside each set; the true one may be the fiftieth on the grid."""
ROUNDS, POINTS = 3, 7
"""Rounds of looking more closely, and points in each."""
PAIRED = 200
"""Curves of which pairs are looked at, the simplest."""
MOVED = 1e-4
"""Share of a number by which it is moved to see how its curve changes with it."""
FREE = 1e-10
"""Share of a column outside a set below which it adds nothing."""
_WAVE = re.compile(r"\b(?:sin|cos)\([^()]*params\[")
_TAKEN = re.compile(r"\(params\[0\] - (\w+)\)")

Base: TypeAlias = Sequence[tuple[Skeleton, tuple[float, ...]]]
"""Terms with their inner parameters."""
Seen: TypeAlias = tuple[Skeleton, float]
"""A curve and the number inside."""


@dataclass(frozen=True, slots=True)
class _Curve:
    """A curve at the numbers (n,) of its grid: unit columns (n, M); every `step`-th is enough for pairs."""

    skeleton: Skeleton
    numbers: Floats
    rows: Floats
    step: int


class Scan:
    """The curves of one equation on a grid.

    Attributes:
        columns: values of terms as rows of the target, on as many rows as a search needs; b: (M,) the left-hand side.
    """

    def __init__(self, bench: Workbench, equation: int, skeletons: Sequence[Skeleton]) -> None:
        self.columns, rows = bench.columns.fewer
        self.b = bench.target.b[equation][rows]
        made = (self._curve(bench, skeleton) for skeleton in skeletons if count_params(skeleton) == 1)
        self.curves = [curve for curve in made if curve is not None]

    def _curve(self, bench: Workbench, skeleton: Skeleton) -> _Curve | None:
        starts = [start[0] for start, _ in bench.trial_columns(skeleton)]
        if not starts:
            return None
        taken, step = _TAKEN.search(skeleton), FINER if _WAVE.search(skeleton) else 1
        if taken:
            numbers = levels_above(float(np.max(bench.values[bench.symbols.index(taken[1])])))
        else:
            numbers = frequencies(starts) if step > 1 else sizes(starts)
        rows = self._rows(skeleton, numbers)
        usable = np.isfinite(rows).all(axis=1)
        return _Curve(skeleton, numbers[usable], rows[usable], step) if usable.any() else None

    def _rows(self, skeleton: Skeleton, numbers: Floats) -> Floats:
        """Return columns (n, M) of unit length for numbers (n,); NaN where one is not finite, or zero."""
        with np.errstate(all="ignore"):
            rows = self.columns.stack(skeleton, numbers[:, None])
            return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def beside(self, base: Base, count: int) -> list[Seen]:
        """Return the curves that leave least beside a set, each at its best number, the best first."""
        clock.check()
        q, left = self._projected(base)
        held = {skeleton for skeleton, _ in base}
        best = [(*_best(curve.rows, q, left), curve) for curve in self.curves if curve.skeleton not in held]
        best.sort(key=lambda seen: -seen[0])
        found = sorted(self._closer(curve, at, gain, q, left) for gain, at, curve in best[:REFINED])
        return [(skeleton, number) for _, skeleton, number in found[:count]]

    def _projected(self, base: Base) -> tuple[Floats | None, Floats]:
        """Return an orthonormal base (M, k), and what it leaves of the left-hand side (M,).

        A curve of it may still move: its number is only as right as a law allows that lacks a term.
        """
        known = [row for skeleton, inner in base if (row := self.columns.one(skeleton, inner)) is not None]
        for skeleton, (number,) in ((s, inner) for s, inner in base if len(inner) == 1):
            low, high = self.columns.stack(skeleton, number * np.array([[1.0 - MOVED], [1.0 + MOVED]]))
            known += [high - low] if np.isfinite(high - low).all() and np.any(high != low) else []
        if not known:
            return None, self.b
        q = np.linalg.qr(np.array([row / np.linalg.norm(row) for row in known]).T)[0]
        return q, self.b - q @ (q.T @ self.b)

    def _closer(
        self, curve: _Curve, at: int, gain: float, q: Floats | None, left: Floats
    ) -> tuple[float, Skeleton, float]:
        """Return minus what a curve explains at its best number, the curve, and that number."""
        numbers: list[float] = curve.numbers.tolist()
        best = -gain, curve.skeleton, numbers[at]
        low, high = numbers[max(at - 1, 0)], numbers[min(at + 1, len(numbers) - 1)]
        for _ in range(ROUNDS):
            trial = np.linspace(low, high, POINTS)
            gain, k = _best(self._rows(curve.skeleton, trial), q, left)
            best = min(best, (-gain, curve.skeleton, float(trial[k])))
            low, high = float(trial[max(k - 1, 0)]), float(trial[min(k + 1, POINTS - 1)])
        return best

    def pairs(self, base: Base, count: int) -> list[tuple[Seen, Seen]]:
        """Return pairs of the first PAIRED curves that leave least beside a set, each at its best values of the grid.

        Of two curves that a law needs neither need be among the best alone.
        """
        q, left = self._projected(base)
        some = [(curve.skeleton, curve.numbers[:: curve.step], curve.rows[:: curve.step]) for curve in self.curves]
        some = [(skeleton, numbers, _beyond(rows, q)) for skeleton, numbers, rows in some[:PAIRED]]
        found: list[tuple[float, int, int]] = []
        for i, (_, _, mine) in enumerate(some[:-1]):
            clock.check()
            rest = [rows for _, _, rows in some[i + 1 :]]
            others = np.concatenate(rest)
            gains = gain_of_two(mine @ left, others @ left, mine @ others.T).max(axis=0)
            ends = np.cumsum([0, *map(len, rest[:-1])])
            found += [(-gain, i, i + 1 + k) for k, gain in enumerate(np.maximum.reduceat(gains, ends).tolist())]
        return [self._best_pair(some[i], some[j], left) for gain, i, j in sorted(found)[:count] if np.isfinite(gain)]

    @staticmethod
    def _best_pair(
        one: tuple[Skeleton, Floats, Floats], other: tuple[Skeleton, Floats, Floats], left: Floats
    ) -> tuple[Seen, Seen]:
        (mine, numbers, rows), (its, values, columns) = one, other
        gains = gain_of_two(rows @ left, columns @ left, rows @ columns.T)
        k, m = divmod(int(np.argmax(gains)), len(values))
        return (mine, float(numbers[k])), (its, float(values[m]))


def frequencies(starts: Sequence[float]) -> Floats:
    """Return the frequencies (n,) of a wave to look at, FINER times as many as a fit would start with."""
    step = min(starts) / FINER
    return step * np.arange(1.0, round(max(starts) / step) + 1.0)


def sizes(starts: Sequence[float]) -> Floats:
    """Return the values (n,) of the number inside a curve to look at, from those that a fit would start with."""
    signs = [sign for sign in (-1.0, 1.0) if any(sign * start > 0.0 for start in starts)]
    known = [abs(start) for start in starts if start]
    return np.concatenate([sign * np.geomspace(min(known) / WIDER, max(known) * WIDER, GRID) for sign in signs])


def levels_above(highest: float) -> Floats:
    """Return levels (n,) above the highest value of what is taken from them, most of them close to it."""
    return highest + (abs(highest) or 1.0) * np.geomspace(CLOSE, 1.0 / CLOSE, GRID)


def _beyond(rows: Floats, q: Floats | None) -> Floats:
    """Return what of unit columns (n, M) lies outside a base (M, k), to unit length; zero where that is nothing."""
    beyond = rows if q is None else rows - (rows @ q) @ q.T
    size = np.linalg.norm(beyond, axis=1, keepdims=True)
    return np.where(size > FREE**0.5, beyond / np.maximum(size, FREE), 0.0)


def _best(rows: Floats, q: Floats | None, left: Floats) -> tuple[float, int]:
    """Return what the best of unit columns (n, M) takes off what is left (M,) beside a base (M, k), and which it is."""
    inside = 0.0 if q is None else np.sum((rows @ q) ** 2, axis=1)
    with np.errstate(all="ignore"):
        gains = np.nan_to_num(np.where(1.0 - inside > FREE, (rows @ left) ** 2 / (1.0 - inside), -1.0), nan=-1.0)
    at = int(np.argmax(gains))
    return float(gains[at]), at
