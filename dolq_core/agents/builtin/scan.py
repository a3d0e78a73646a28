"""Curves with one number inside, alone and in pairs, beside whole sets of plain terms: each over a grid of its number.

A search that begins at a few starts of each curve sees the right one only among few: among a thousand, wrong ones
happen to lie nearer. Here the number comes first, for every curve and every set, and only the best are fitted.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import log
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from dolq_core import clock
from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.numerics.least_squares import gain_of_two
from dolq_core.terms import Skeleton, count_params, parse_term

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
ALIKE = 1e5
"""Condition of a set from which products with it are too inexact."""
CLEAR = 1e-8
"""Share of a column outside such a set below which these products do not tell it."""
DIGITS = 9
"""Of what a curve explains: the others are rounding."""
_WAVE = re.compile(r"\b(?:sin|cos)\([^()]*params\[")
_TAKEN = re.compile(r"\(params\[0\] - (\w+)\)")

Base: TypeAlias = Sequence[tuple[Skeleton, tuple[float, ...]]]
"""Terms with their inner parameters."""
Seen: TypeAlias = tuple[Skeleton, tuple[float, ...]]
"""A term and the number inside, if it has one."""


@dataclass(frozen=True, slots=True)
class _Curve:
    """A term at the numbers (n, p) of its grid: unit columns (n, M); every `step`-th is enough for pairs.

    One without a number inside has a single column (1, M), p = 0.
    """

    skeleton: Skeleton
    numbers: Floats
    rows: Floats
    step: int


@dataclass(frozen=True, slots=True)
class _Met:
    """The directions (k, M) of a term, and their products (n, k) with all columns."""

    rows: Floats
    products: Floats


class Scan:
    """The curves of one equation on a grid.

    Attributes:
        columns: values of terms as rows of the target, on as many rows as a search needs; b: (M,) the left-hand side.
    """

    def __init__(
        self,
        bench: Workbench,
        equation: int,
        skeletons: Sequence[Skeleton],
        costs: Mapping[Skeleton, float] = MappingProxyType({}),
        grid: int = GRID,
        finer: int = FINER,
    ) -> None:
        self.columns, rows = bench.columns.fewer
        self.b = bench.target.b[equation][rows]
        self.effective = bench.target.effective
        self.costs = costs
        self.grid, self.finer = grid, finer
        self._met: dict[Seen, _Met] = {}
        self._with_b: Floats | None = None
        grids = [(skeleton, *found) for skeleton in skeletons if (found := self._grid(bench, skeleton))]
        space, end = np.empty((sum(len(numbers) for _, numbers, _ in grids), len(self.b))), 0
        self.curves: list[_Curve] = []
        for skeleton, numbers, step in grids:
            made = self._rows(skeleton, numbers)
            usable = np.isfinite(made).all(axis=1)
            start, end = end, end + int(np.count_nonzero(usable))
            space[start:end] = made[usable]
            if end > start:
                self.curves.append(_Curve(skeleton, numbers[usable], space[start:end], step))
        self.rows = space[:end]
        self.first = np.cumsum([0, *(len(curve.rows) for curve in self.curves)])

    def _grid(self, bench: Workbench, skeleton: Skeleton) -> tuple[Floats, int] | None:
        """Return the numbers (n, p) that a term is looked at with, and the step in them that is enough for pairs."""
        if not count_params(skeleton):
            return np.empty((1, 0)), 1
        starts = np.array([start for start, _ in bench.trial_columns(skeleton)])
        if not len(starts) or count_params(skeleton) > 1:
            return (starts, 1) if len(starts) else None
        first: list[float] = starts[:, 0].tolist()
        if taken := _TAKEN.search(skeleton):
            return levels_above(float(np.max(bench.values[bench.symbols.index(taken[1])])))[:, None], 1
        if _WAVE.search(skeleton):
            return frequencies(first, self.finer)[:, None], self.finer
        return sizes(first, self.grid)[:, None], 1

    def _rows(self, skeleton: Skeleton, numbers: Floats) -> Floats:
        """Return columns (n, M) of unit length for numbers (n, p); NaN where one is not finite, or zero."""
        with np.errstate(all="ignore"):
            rows = self.columns.stack(skeleton, numbers)
            return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def beside(self, base: Base, count: int, refined: int = REFINED) -> list[Seen]:
        """Return the terms that leave least beside a set, each at its best number, the best first.

        What a term costs counts where that is given: nats of the description. refined: terms whose number is found
        more closely than on the grid.
        """
        clock.check()
        if not self.curves:
            return []
        q, left = self._projected(base)
        held = {skeleton for skeleton, _ in base}
        power = float(left @ left)
        gains = self._gains(base, q, left)
        best: list[float] = np.maximum.reduceat(gains, self.first[:-1]).tolist()
        ranked = sorted(
            (self._length(curve.skeleton, gain, power), i)
            for i, (gain, curve) in enumerate(zip(best, self.curves, strict=True))
            if curve.skeleton not in held
        )
        found: list[tuple[Skeleton, float, tuple[float, ...]]] = []
        for _, i in ranked[:refined]:
            at = int(np.argmax(gains[self.first[i] : self.first[i + 1]]))
            found.append((self.curves[i].skeleton, *self._closer(self.curves[i], at, best[i], q, left)))
        found.sort(key=lambda seen: (_rounded(self._length(seen[0], seen[1], power)), _is_left(seen[0]), seen[0]))
        return [(skeleton, inner) for skeleton, _, inner in found[:count]]

    def starts(self, base: Base, skeletons: Iterable[Skeleton], count: int) -> list[Seen]:
        """Return some of the terms, each with the values of its grid that leave least beside a set, the best first."""
        clock.check()
        gains, wanted = self._gains(base, *self._projected(base)), set(skeletons)
        found: list[Seen] = []
        for curve, i, j in zip(self.curves, self.first[:-1], self.first[1:], strict=True):
            if curve.skeleton in wanted:
                order = np.argsort(-gains[i:j], kind="stable")[:count]
                found += [(curve.skeleton, tuple(numbers)) for numbers in curve.numbers[order].tolist()]
        return found

    def _gains(self, base: Base, q: Floats | None, left: Floats) -> Floats:
        """Return what each column takes off what is left; of clean samples curve by curve, to the last digit."""
        roughly = self._roughly(base) if self.costs else None
        return np.concatenate([_gains(curve.rows, q, left) for curve in self.curves]) if roughly is None else roughly

    def _length(self, skeleton: Skeleton, gain: float, power: float) -> float:
        """Return what a set is better or worse by with a term: minus what it explains, or nats where it costs some."""
        if skeleton not in self.costs:
            return -gain
        return 0.5 * self.effective * log(max(1.0 - gain / power, FREE)) + self.costs[skeleton]

    def _projected(self, base: Base) -> tuple[Floats | None, Floats]:
        """Return an orthonormal base (M, k), and what it leaves of the left-hand side (M,).

        A curve of it may still move: its number is only as right as a law allows that lacks a term.
        """
        known = [row for term in base for row in self._directions(term)]
        if not known:
            return None, self.b
        q = np.linalg.qr(np.array(known).T)[0]
        return q, self.b - q @ (q.T @ self.b)

    def _directions(self, term: Seen) -> list[Floats]:
        """Return unit columns (M,) of a term, and of what it changes by as its number moves."""
        skeleton, inner = term
        row = self.columns.one(skeleton, inner)
        known = [] if row is None else [row]
        if len(inner) == 1:
            low, high = self.columns.stack(skeleton, inner[0] * np.array([[1.0 - MOVED], [1.0 + MOVED]]))
            known += [high - low] if np.isfinite(high - low).all() and np.any(high != low) else []
        return [row / np.linalg.norm(row) for row in known]

    def meet(self, terms: Iterable[Seen]) -> None:
        """Multiply these with every column at once: what is looked at beside one of them then costs little."""
        new = [term for term in dict.fromkeys(terms) if term not in self._met]
        if not new:
            return
        directions = [self._directions(term) for term in new]
        ends = np.cumsum([len(own) for own in directions])[:-1]
        rows = np.array([row for own in directions for row in own]).reshape(-1, len(self.b))
        products = np.split(self.rows @ rows.T, ends, axis=1)
        self._met.update({term: _Met(*one) for term, *one in zip(new, np.split(rows, ends), products, strict=True)})

    def forget(self, terms: Iterable[Seen]) -> None:
        """Free the products with some terms: of all that are looked at they would take gigabytes."""
        for term in terms:
            self._met.pop(term, None)

    def _roughly(self, base: Base) -> Floats | None:
        """Return what each column takes off what is left beside a set, from products; None where they are inexact."""
        self.meet(base)
        known = [self._met[term] for term in base]
        if self._with_b is None:
            self._with_b = self.rows @ self.b
        rows = np.concatenate([one.rows for one in known] or [np.empty((0, len(self.b)))])
        q, r = np.linalg.qr(rows.T)
        if len(r) and np.linalg.cond(r) > ALIKE:
            return None
        products = [one.products for one in known] or [np.empty((len(self.rows), 0))]
        inside = np.concatenate(products, axis=1) @ np.linalg.inv(r)
        left = self._with_b - inside @ (q.T @ self.b)
        free = 1.0 - np.sum(inside**2, axis=1)
        return np.where(free > CLEAR, left**2 / np.maximum(free, FREE), 0.0)

    def _closer(
        self, curve: _Curve, at: int, gain: float, q: Floats | None, left: Floats
    ) -> tuple[float, tuple[float, ...]]:
        """Return what a curve explains at its best number, and that number."""
        if curve.numbers.shape[1] != 1:
            return gain, tuple(curve.numbers[at].tolist())
        numbers: list[float] = curve.numbers[:, 0].tolist()
        best = -gain, numbers[at]
        low, high = numbers[max(at - 1, 0)], numbers[min(at + 1, len(numbers) - 1)]
        for _ in range(ROUNDS):
            trial = np.linspace(low, high, POINTS)
            gain, k = _best(self._rows(curve.skeleton, trial[:, None]), q, left)
            best = min(best, (-gain, float(trial[k])))
            low, high = float(trial[max(k - 1, 0)]), float(trial[min(k + 1, POINTS - 1)])
        return -best[0], (best[1],)

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
        return (mine, tuple(numbers[k].tolist())), (its, tuple(values[m].tolist()))


def plain_sets(symbols: Sequence[str], equation: int) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Return small sets (none, the constant, the state) and laws of first and second order, and of angles."""
    linear = ("1", *symbols)
    squares = (f"{a}*{b}" for a, b in combinations_with_replacement(symbols, 2))
    quadratic = (*linear, *(parse_term(text, symbols).skeleton for text in squares))
    angles = [f"{function}({symbol})" for symbol in symbols for function in ("sin", "cos")]
    return [(), ("1",), (symbols[equation],)], [linear, quadratic, (*linear, *angles)]


def split(terms: Base) -> tuple[list[Skeleton], list[tuple[float, ...]]]:
    """Return terms in their order, as skeletons and the numbers inside them."""
    ranked = sorted(terms)
    return [skeleton for skeleton, _ in ranked], [inner for _, inner in ranked]


def _rounded(length: float) -> float:
    """Return a length to the digits that mean something: beside the constant x/(p + x) and 1/(p + x) are one curve."""
    return float(f"{length:.{DIGITS}g}")


def _is_left(skeleton: Skeleton) -> bool:
    """Whether a term is there with none of what it holds, as 1/(p + x) is without x: of equals others lead."""
    return skeleton.startswith("1/")


def frequencies(starts: Sequence[float], finer: int = FINER) -> Floats:
    """Return the frequencies (n,) of a wave to look at, so many times as many as a fit would start with."""
    step = min(starts) / finer
    return step * np.arange(1.0, round(max(starts) / step) + 1.0)


def sizes(starts: Sequence[float], grid: int = GRID) -> Floats:
    """Return the values (n,) of the number inside a curve to look at, from those that a fit would start with."""
    signs = [sign for sign in (-1.0, 1.0) if any(sign * start > 0.0 for start in starts)]
    known = [abs(start) for start in starts if start]
    return np.concatenate([sign * np.geomspace(min(known) / WIDER, max(known) * WIDER, grid) for sign in signs])


def levels_above(highest: float) -> Floats:
    """Return levels (n,) above the highest value of what is taken from them, most of them close to it."""
    return highest + (abs(highest) or 1.0) * np.geomspace(CLOSE, 1.0 / CLOSE, GRID)


def _beyond(rows: Floats, q: Floats | None) -> Floats:
    """Return what of unit columns (n, M) lies outside a base (M, k), to unit length; zero where that is nothing."""
    beyond = rows if q is None else rows - (rows @ q) @ q.T
    size = np.linalg.norm(beyond, axis=1, keepdims=True)
    return np.where(size > FREE**0.5, beyond / np.maximum(size, FREE), 0.0)


def _gains(rows: Floats, q: Floats | None, left: Floats) -> Floats:
    """Return what each of unit columns (n, M) takes off what is left (M,) beside a base (M, k); -1 inside it."""
    inside = 0.0 if q is None else np.sum((rows @ q) ** 2, axis=1)
    with np.errstate(all="ignore"):
        return np.nan_to_num(np.where(1.0 - inside > FREE, (rows @ left) ** 2 / (1.0 - inside), -1.0), nan=-1.0)


def _best(rows: Floats, q: Floats | None, left: Floats) -> tuple[float, int]:
    """Return what the best of these takes off, and which it is."""
    gains = _gains(rows, q, left)
    at = int(np.argmax(gains))
    return float(gains[at]), at
