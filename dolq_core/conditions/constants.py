"""Which numbers of a structure are the same under all conditions, and which differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.conditions.candidates import Candidate, Conditions
from dolq_core.fitting.by_condition import Joint, columns_of, fitted, joined, with_columns
from dolq_core.fitting.likelihood import numbers_of
from dolq_core.numerics.lifted import Stretches

ROUNDS = 2
"""Times each number is tried the other way, shared or free."""


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """A structure fitted to all conditions.

    Attributes:
        joint: the fit; shared: (p,) which numbers are the same in all conditions.
        length: nats of samples and structure.
        gains: (p,) nats that it costs to take each number the other way; inf where that cannot follow the samples.
    """

    joint: Joint
    shared: tuple[bool, ...]
    length: float
    gains: tuple[float, ...]


def shared(known: Conditions, one: Candidate) -> Shared | None:
    """Share what costs less when it is shared, number by number; None where the structure follows no longer."""
    data = joined(known.likes)
    values, precisions = _estimates(one)
    same = _first_guess(values, precisions, [like.samples for like in known.likes])
    x = np.concatenate([judged.x for judged in one.judged])
    best = _fit(known, one, data, same, values, x)
    free = tuple(False for _ in same)
    if best is None:
        best = _fit(known, one, data, free, values, x)
    if best is None:
        return None
    gains = [inf] * len(same)
    for _ in range(ROUNDS):
        gains, better = _flipped(known, one, data, best)
        if better is None:
            break
        best = better
    return Shared(best[0], best[1], best[2], tuple(gains))


_Fit = tuple[Joint, tuple[bool, ...], float]


def _flipped(known: Conditions, one: Candidate, data: Stretches, best: _Fit) -> tuple[list[float], _Fit | None]:
    """Take each number the other way; return what that costs, and the best where one of them is shorter."""
    joint, same, length = best
    gains: list[float] = []
    better: _Fit | None = None
    for i in range(len(same)):
        other = tuple(not s if k == i else s for k, s in enumerate(same))
        columns, theta = with_columns(joint, other)
        found = fitted(data, one.system, known.symbols, columns, theta, joint.x)
        cost = inf if found is None else _length(known, one, found, other)
        gains.append(cost - length)
        if found is not None and cost < (length if better is None else better[2]):
            better = (found, other, cost)
    return gains, better


def _fit(
    known: Conditions, one: Candidate, data: Stretches, same: tuple[bool, ...], values: Floats, x: Floats
) -> _Fit | None:
    columns = columns_of(same, len(values))
    theta = np.zeros(int(columns.max()) + 1)
    for k, row in enumerate(columns):
        theta[row] = values[k]
    if any(same):
        theta[columns[0, list(same)]] = values[:, list(same)].mean(axis=0)
    joint = fitted(data, one.system, known.symbols, columns, theta, x)
    return None if joint is None else (joint, same, _length(known, one, joint, same))


def _length(known: Conditions, one: Candidate, joint: Joint, same: Sequence[bool]) -> float:
    """Nats of samples and structure: a shared number costs once, a free one once for each condition."""
    order = [[term.skeleton for term in terms] for terms in one.system]
    free = sum(not s for s in same)
    more = sum(0.5 * log(max(like.samples, 2)) for like in known.likes) - 0.5 * log(max(known.samples, 2))
    return joint.fit + known.prior.system(order, known.samples) + free * more


def _estimates(one: Candidate) -> tuple[Floats, list[Floats]]:
    """Numbers (c, p) by condition, and the inverse of their covariance (p, p) for each; 0 where one is not known."""
    precisions: list[Floats] = []
    for judged in one.judged:
        assert judged.covariance is not None
        spread = judged.covariance * float(np.mean(judged.misfit**2))
        inside = np.ix_(*[np.isfinite(np.diag(spread))] * 2)
        precision = np.zeros_like(spread)
        precision[inside] = np.linalg.pinv(spread[inside], hermitian=True)
        precisions.append(precision)
    return np.array([numbers_of(judged.system) for judged in one.judged]), precisions


def _first_guess(values: Floats, precisions: Sequence[Floats], samples: Sequence[int]) -> tuple[bool, ...]:
    """Share number by number, the one that saves most first, as long as one saves: to second order of the fits."""
    p = values.shape[1]
    same = [False] * p
    saved = sum(0.5 * log(max(n, 2)) for n in samples) - 0.5 * log(max(sum(samples), 2))
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
