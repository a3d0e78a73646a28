"""Structures that explain the samples about as well as the best system: they are what makes a law provisional."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting.likelihood import Judged, Likelihood, System, shape
from dolq_core.fitting.prior import Prior
from dolq_core.fitting.ranking import DOUBTFUL
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton, compile_columns, variables

CLOSE = 6.0
"""Nats behind the best system up to which another one is a rival: odds of 400 to 1."""
STRANGE = 3.0
"""The same for one with a term that no mechanism writes down, or one that only words bring in, beside a law that has
none such and no two shapes that nothing speaks for: there are more of these than of all others. A body that radiates
(`textbook:radiation`, 2 % noise, told nothing) had no other rival than such, 5.99 nats behind."""
APART, WIDER, POINTS = 0.02, 2.0, 512
"""Share of its size by which a right-hand side has to differ from another one, on as many points of the box of the
data, widened by WIDER times its width to each side: others are one function written in two ways. A law claims more than
the range of its data: within that range alone, ten laws of a budworm between 7.3 and 9.5 look like one."""
NARROW, FINER = 2.0, 10.0
"""Largest over least value of a variable in the widened box up to which curves in it are held apart FINER times as
finely: over so little of its level every curve is a parabola, and its square, its cube and its inverse are three laws
(a radiator between 293 and 315 K was settled with the square, for the fourth power beside a line). Of the 52 systems
that records are counted on none has such a variable in a term that bends."""

LIKELIER = 1.92
"""Nats that a further number has to gain to be significant: half of chi2 with one degree of freedom, at 95 %."""
LIMITS = (1e3, 30.0, 1e-3)
"""Times a number inside a term at which the term is looked at as in its limit."""
_EXPONENT = re.compile(r"\*\*\(?(-?\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Rivals:
    """What else explains the samples, in one equation.

    Attributes:
        close: the systems within CLOSE of the best one, with another function here, the closest first.
        gap: nats from the best system to the nearest one with another function here; None where there is none.
    """

    close: tuple[Judged, ...] = ()
    gap: float | None = None


def rivals_of_system(
    like: Likelihood, best: Judged, prior: Prior, may_stand: Callable[[System], bool] = lambda _: True
) -> tuple[Rivals, ...]:
    """Return the rivals of each equation among the systems that were fitted and that `may_stand`.

    One that has all terms of the best equation and more, or comes to it at a limit of a number inside, is a rival only
    where the two are as likely (DOUBTFUL nats) and what it says more is significant (LIKELIER nats a number). One with
    some of the terms is a rival, however small the others: they are in doubt. One with a term that nothing
    led to has to come closer (STRANGE).
    """
    least = like.length(best, prior)
    lengths = [(like.length(judged, prior), judged) for judged in like.known if judged.fit < inf]
    ranked = sorted(lengths, key=lambda pair: (pair[0], shape(pair[1].system)))
    at = _box(like)
    found: list[Rivals] = []
    for j, terms in enumerate(best.system):
        own = {t.skeleton for t in terms}
        fields = [field(terms, like.symbols, at)]
        close: list[Judged] = []
        gap: float | None = None
        for length, judged in ranked:
            if gap is not None and length > least + CLOSE:
                break
            others = {t.skeleton for t in judged.system[j]}
            more = numbers_in(judged.system[j]) - numbers_in(terms)
            says_more = length <= least + DOUBTFUL and best.fit - judged.fit > LIKELIER * more
            if own == others or (own < others and not says_more) or not may_stand(judged.system):
                continue
            if any(i == j and skeleton not in own for i, skeleton in like.ghosts(judged)):
                continue
            if length > least + STRANGE and prior.is_natural(j, own) and not prior.expects(j, others):
                continue
            own_field = field(judged.system[j], like.symbols, at)
            is_part = own < others or others < own
            apart = APART / FINER if _is_bent(own | others, like.symbols, at) else APART
            if not is_part and not all(differ(own_field, other, apart) for other in fields):
                continue
            if more > 0 and not says_more and comes_to(judged.system[j], terms, like.symbols, at):
                continue
            gap = length - least if gap is None else gap
            if length <= least + CLOSE:
                fields.append(own_field)
                close.append(judged)
        found.append(Rivals(tuple(close), gap))
    return tuple(found)


def _box(like: Likelihood) -> tuple[Floats, Floats]:
    """Points (v, POINTS) of the box of states and inputs, widened, and times; the same ones for the same data."""
    values = np.vstack((like.smooth.T, like.data.inputs.T))
    least, high = values.min(axis=1), values.max(axis=1)
    wide = WIDER * (high - least)
    low = np.asarray(np.where(least < 0.0, least - wide, np.maximum(least - wide, 0.1 * least)), dtype=np.float64)
    rng = np.random.default_rng(0)
    points: Floats = low[:, None] + rng.uniform(size=(len(low), POINTS)) * (high + wide - low)[:, None]
    return points, rng.uniform(like.data.t.min(), like.data.t.max(), POINTS)


def _is_bent(skeletons: Iterable[Skeleton], symbols: tuple[str, ...], at: tuple[Floats, Floats]) -> bool:
    """Whether a term bends in a variable that changes by little of its level, over all of the box."""
    least, most = at[0].min(axis=1), at[0].max(axis=1)
    narrow = {s for s, low, high in zip(symbols, least, most, strict=True) if 0.0 < high < NARROW * low}
    return any(variables(skeleton) & narrow and skeleton not in narrow for skeleton in skeletons)


def field(terms: Sequence[FittedTerm], symbols: tuple[str, ...], at: tuple[Floats, Floats]) -> Floats:
    """Return the right-hand side (n,) of these terms at values (v, n) and times (n,)."""
    total = np.zeros(len(at[1]))
    with np.errstate(all="ignore"):
        for term in terms:
            total = total + term.coefficient * compile_columns(term.skeleton, symbols)(*at, term.inner)
    return total


def comes_to(
    wide: Sequence[FittedTerm], plain: Sequence[FittedTerm], symbols: tuple[str, ...], at: tuple[Floats, Floats]
) -> bool:
    """Whether an equation comes to a plainer one where a number inside it goes to a limit, or is one of that one's.

    x/(K + x) comes to x, x**p to x**2, and c + d/(K + x) to x/(K + x). Not x**p to x**(1/3): where samples do not tell
    a third from 0.36, that it is a third is a guess (`python -m lab judges` settled savings that are k**0.36 so).
    """
    aim = field(plain, symbols, at)
    exponents = (float(e) for term in plain for e in _EXPONENT.findall(term.skeleton))
    known = {
        0.0,
        1.0,
        *(e for e in exponents if (2.0 * e).is_integer()),
        *(value for term in plain for value in term.inner),
    }
    for k, term in enumerate(wide):
        for m, value in enumerate(term.inner):
            for limit in sorted(known | {value * far for far in LIMITS}):
                inner = (*term.inner[:m], limit, *term.inner[m + 1 :])
                some = (*wide[:k], replace(term, inner=inner), *wide[k + 1 :])
                columns = np.array([field([replace(one, coefficient=1.0)], symbols, at) for one in some])
                if _spans(columns, aim):
                    return True
    return False


def numbers_in(terms: Sequence[FittedTerm]) -> int:
    """Return how many fitted numbers an equation has."""
    return sum(1 + len(term.inner) for term in terms)


def _spans(columns: Floats, aim: Floats) -> bool:
    """Whether a combination of columns (k, n) is the same as a right-hand side (n,), to a quarter of APART."""
    sound = np.isfinite(columns).all(axis=0) & np.isfinite(aim)
    with np.errstate(over="ignore"):
        size = np.linalg.norm(columns[:, sound], axis=1)
    if np.mean(sound) < 0.5 or not np.all((size > 0.0) & np.isfinite(size)):
        return False
    a = (columns[:, sound] / size[:, None]).T
    left = aim[sound] - a @ np.asarray(np.linalg.lstsq(a, aim[sound], rcond=None)[0], dtype=np.float64)
    return float(np.linalg.norm(left)) <= 0.25 * APART * float(np.linalg.norm(aim[sound]))


def differ(one: Floats, other: Floats, share: float = APART) -> bool:
    """Whether two right-hand sides differ by more than a share of the larger one's size, where both are finite."""
    both = np.isfinite(one) & np.isfinite(other)
    if np.mean(both) < 0.5:
        return True
    with np.errstate(over="ignore"):
        apart = float(np.sqrt(np.mean((one[both] - other[both]) ** 2)))
        size = float(np.sqrt(max(np.mean(one[both] ** 2), np.mean(other[both] ** 2))))
    return apart > share * size


class Fields:
    """Right-hand sides on the same points (n,), of which no two are the same (`differ`).

    Of few samples thousands of laws tie: where all values are finite, a new one is held against all of them at once.
    """

    def __init__(self, points: int) -> None:
        self._finite: Floats = np.empty((64, points))
        self._squares: Floats = np.empty(64)
        self._count = 0
        self._others: list[Floats] = []

    def add(self, one: Floats) -> bool:
        """Add a right-hand side (n,), and return whether it differs from all that are there; else leave it out."""
        with np.errstate(over="ignore"):
            square = float(np.mean(one**2))
        known, squares = self._finite[: self._count], self._squares[: self._count]
        if np.isfinite(square):
            apart = squares + square - 2.0 * (known @ one) / len(one)
            is_new = bool(np.all(apart > APART**2 * np.maximum(squares, square)))
        else:
            is_new = all(differ(one, other) for other in known)
        if not (is_new and all(differ(one, other) for other in self._others)):
            return False
        if np.isfinite(square):
            self._keep(one, square)
        else:
            self._others.append(one)
        return True

    def _keep(self, one: Floats, square: float) -> None:
        if self._count == len(self._squares):
            self._finite = np.concatenate((self._finite, np.empty_like(self._finite)))
            self._squares = np.concatenate((self._squares, np.empty_like(self._squares)))
        self._finite[self._count], self._squares[self._count] = one, square
        self._count += 1
