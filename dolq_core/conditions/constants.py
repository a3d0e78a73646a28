"""Which numbers of a structure are the same under all conditions, and which differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.conditions.candidates import Candidate, Conditions
from dolq_core.fitting.by_condition import Joint, columns_of, fitted, joined, shared_by
from dolq_core.fitting.restriction import Restriction, restriction_of
from dolq_core.fitting.whole_runs import numbers_of
from dolq_core.numerics.stretches import Stretches

ROUNDS = 2
"""Times each number is tried the other way, shared or free."""


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """A structure fitted to all conditions.

    Attributes:
        joint: the fit; same: (p,) which numbers are the same in all conditions.
        length: nats of samples and structure.
        gains: (p,) nats that it costs to take each number the other way; inf where it is known beforehand, or the
            structure cannot follow the samples then.
    """

    joint: Joint
    same: tuple[bool, ...]
    length: float
    gains: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Trial:
    """A fit with some of the numbers z (q,) that are left to fit (`Restriction`) the same."""

    joint: Joint
    same: tuple[bool, ...]
    length: float


class _Sharing:
    """One structure, and what is declared of its numbers."""

    def __init__(self, known: Conditions, one: Candidate, data: Stretches) -> None:
        self.known, self.one, self.data = known, one, data
        law = [(j, term.skeleton) for j, terms in enumerate(one.system) for term in terms]
        p = len(numbers_of(one.system))
        free = Restriction(np.zeros(p), np.eye(p), np.full(p, -inf), np.full(p, inf))
        self.rule = restriction_of(known.blocks, law) or free

    def fit(self, same: tuple[bool, ...], theta: Floats, x: Floats) -> _Trial | None:
        """Fit from the numbers theta (c, p) and states x (n, d)."""
        rule = shared_by(self.rule, same, len(theta))
        joint = fitted(self.data, self.one.system, self.known.symbols, rule, theta, x)
        return None if joint is None else _Trial(joint, same, self._length(joint, same))

    def _length(self, joint: Joint, same: Sequence[bool]) -> float:
        """Nats of samples and structure: a shared number costs once, a free one once for each condition."""
        order = [[term.skeleton for term in terms] for terms in self.one.system]
        samples = [like.samples for like in self.known.likes]
        return joint.fit + self.known.prior.system(order, sum(samples)) + sum(not s for s in same) * _saved(samples)

    def estimates(self) -> tuple[Floats, list[Floats]]:
        """Numbers z (c, q) by condition, and the inverse of their covariance (q, q): 0 where one is not known."""
        back = np.linalg.pinv(self.rule.free)
        precisions: list[Floats] = []
        for judged in self.one.judged:
            assert judged.covariance is not None
            spread = judged.covariance * float(np.mean(judged.misfit**2))
            unknown = ~np.isfinite(np.diag(spread))
            of_z = back @ np.where(unknown[:, None] | unknown[None, :], 0.0, spread) @ back.T
            inside = np.ix_(*[~(np.abs(self.rule.free[unknown]).sum(axis=0) > 0.0)] * 2)
            precision = np.zeros_like(of_z)
            precision[inside] = np.linalg.pinv(of_z[inside], hermitian=True)
            precisions.append(precision)
        return np.array([self.rule.reduced(numbers_of(judged.system)) for judged in self.one.judged]), precisions

    def of_numbers(self, of_z: Sequence[float], known: float) -> tuple[float, ...]:
        """Return for each number what is said of the z that it hangs on, the most of several; `known` of no z."""
        rows: list[list[int]] = [np.flatnonzero(row).tolist() for row in self.rule.free]
        return tuple(max((of_z[k] for k in row), default=known) for row in rows)


def shared(known: Conditions, one: Candidate) -> Shared | None:
    """Share what costs less when it is shared, number by number; None where the structure follows no longer."""
    sharing = _Sharing(known, one, joined(known.likes))
    values, precisions = sharing.estimates()
    theta = np.array([numbers_of(judged.system) for judged in one.judged])
    x = np.concatenate([judged.x for judged in one.judged])
    guess = _first_guess(values, precisions, [like.samples for like in known.likes])
    found = [sharing.fit(guess, theta, x)]
    if found[0] is None or found[0].length > one.length:  # all free it is shorter: the fit was lost on its way
        found.append(sharing.fit(tuple(False for _ in guess), theta, x))
    best = min((trial for trial in found if trial is not None), key=lambda trial: trial.length, default=None)
    if best is None:
        return None
    gains = [inf] * len(guess)
    for _ in range(ROUNDS):
        gains, better = _flipped(sharing, best)
        if better is None:
            break
        best = better
    differ = sharing.of_numbers([float(not s) for s in best.same], 0.0)
    return Shared(best.joint, tuple(not d for d in differ), best.length, sharing.of_numbers(gains, inf))


def _flipped(sharing: _Sharing, best: _Trial) -> tuple[list[float], _Trial | None]:
    """Take each number the other way; return what that costs, and the best where one of them is shorter."""
    gains: list[float] = []
    better: _Trial | None = None
    for i in range(len(best.same)):
        other = tuple(not s if k == i else s for k, s in enumerate(best.same))
        found = sharing.fit(other, best.joint.theta, best.joint.x)
        gains.append(inf if found is None else found.length - best.length)
        if found is not None and found.length < (best if better is None else better).length:
            better = found
    return gains, better


def _saved(samples: Sequence[int]) -> float:
    """Nats that a number saves which is named once, not once for each condition."""
    return sum(0.5 * log(max(n, 2)) for n in samples) - 0.5 * log(max(sum(samples), 2))


def _first_guess(values: Floats, precisions: Sequence[Floats], samples: Sequence[int]) -> tuple[bool, ...]:
    """Share number by number, the one that saves most first, as long as one saves: to second order of the fits."""
    p = values.shape[1]
    same = [False] * p
    saved = _saved(samples)
    now = 0.0
    while not all(same):
        trials = [
            (_chi2(values, precisions, [s or k == i for k, s in enumerate(same)]), i) for i in range(p) if not same[i]
        ]
        least, i = min(trials)
        if 0.5 * (least - now) >= saved:
            break
        now, same[i] = least, True
    return tuple(same)


def _chi2(values: Floats, precisions: Sequence[Floats], same: Sequence[bool]) -> float:
    """Squares that sharing numbers adds, over the values that are best then."""
    columns = columns_of(same, len(values))
    q = int(columns.max()) + 1
    a, b = np.zeros((q, q)), np.zeros(q)
    for row, own, precision in zip(columns, values, precisions, strict=True):
        a[np.ix_(row, row)] += precision
        b[row] += precision @ own
    theta = np.linalg.lstsq(a, b, rcond=None)[0]
    left = [own - theta[row] for row, own in zip(columns, values, strict=True)]
    return float(sum(one @ precision @ one for one, precision in zip(left, precisions, strict=True)))
