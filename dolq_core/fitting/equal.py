"""Equal constants: what leaves one state enters another at the same rate, equal oscillators have equal laws.

Terms that two equations share, or that are images of each other, may have the same numbers but for the sign. To first
order in their covariance that costs chi2 / 2 nats, and saves naming the numbers twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting.score import INNER
from dolq_core.fitting.symmetry import exchange, image
from dolq_core.records import FittedTerm

SAYING = 2.0
"""Nats to say that two terms have equal numbers. Loose ones agree by chance: with less, terms are added to be equal."""

KNOWN = 3.0
"""Standard errors from zero from which numbers can be equal to others."""


@dataclass(frozen=True, slots=True)
class Equal:
    """Two terms with equal numbers.

    Attributes:
        first, second: (equation, place of the term in it).
        inner: whether the inner parameters are equal; outer: whether the coefficients are, but for the sign.
        gain: nats that it saves.
        apart: how far they are apart as fitted, in standard errors (the root of chi2 over the numbers).
    """

    first: tuple[int, int]
    second: tuple[int, int]
    outer: bool
    inner: bool
    gain: float
    apart: float


def equal(
    system: Sequence[Sequence[FittedTerm]], covariance: Floats, symbols: Sequence[str], samples: int
) -> list[Equal]:
    """Return the equalities worth saying, each term second in one at most; covariance (p, p) of all numbers."""
    places: list[tuple[int, int, int]] = []
    at = 0
    for j, terms in enumerate(system):
        for k, term in enumerate(terms):
            places.append((j, k, at))
            at += 1 + len(term.inner)
    shape = [[term.skeleton for term in terms] for terms in system]
    found: list[Equal] = []
    for n, (j, k, at) in enumerate(places):
        term = system[j][k]
        trials: list[Equal] = []
        for i, m, start in places[:n]:
            other = system[i][m]
            if i == j:
                continue
            if term.skeleton not in (other.skeleton, image(other.skeleton, exchange(shape, symbols, i, j))):
                continue
            trials += _compared((i, m, start, other), (j, k, at, term), covariance, samples)
        best = max(trials, key=lambda one: one.gain, default=None)
        if best is not None and best.gain > 0.0:
            found.append(best)
    return found


def _compared(
    first: tuple[int, int, int, FittedTerm], second: tuple[int, int, int, FittedTerm], covariance: Floats, samples: int
) -> list[Equal]:
    i, m, start, one = first
    j, k, at, other = second
    sign = 1.0 if one.coefficient * other.coefficient > 0.0 else -1.0
    if not (_is_known(one, start, covariance) and _is_known(other, at, covariance)):
        return []
    inner = len(one.inner)
    apart = np.array([other.coefficient - sign * one.coefficient, *np.subtract(other.inner, one.inner)])
    signs = np.array([sign, *[1.0] * inner])
    here, there = slice(at, at + 1 + inner), slice(start, start + 1 + inner)
    cross = covariance[here, there] * signs
    spread = covariance[here, here] + covariance[there, there] * np.outer(signs, signs) - cross - cross.T
    trials: list[Equal] = []
    for outer, inside in ((True, True), (False, True), (True, False)) if inner else ((True, False),):
        index = [k for k in range(1 + inner) if (outer if k == 0 else inside)]
        part = spread[np.ix_(index, index)]
        if not np.isfinite(part).all():
            continue
        chi2 = float(apart[index] @ np.linalg.lstsq(part, apart[index], rcond=None)[0])
        saved = 0.5 * len(index) * log(max(samples, 2)) + (INNER * inner if inside else 0.0)
        found = Equal((i, m), (j, k), outer, inside, saved - SAYING - 0.5 * chi2, (max(chi2, 0.0) / len(index)) ** 0.5)
        trials.append(found)
    return trials


def _is_known(term: FittedTerm, at: int, covariance: Floats) -> bool:
    """Whether the numbers of a term are significant: loose ones are equal to anything."""
    values = np.array((term.coefficient, *term.inner))
    spread = np.diag(covariance)[at : at + len(values)]
    return bool(np.isfinite(spread).all() and np.all(np.abs(values) >= KNOWN * np.sqrt(np.maximum(spread, 0.0))))
