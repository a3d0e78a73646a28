"""What the data say for and against each term of a fit: all its subsets, compared by the score.

Dropping one term at a time misleads where terms can stand in for each other: seven spurious terms together replace
any true one. So each term is judged by the best subset that has it against the best one that has not, both fitted
again (docs/decisions/002).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.fitting.score import description_length
from dolq_core.numerics.least_squares import DEPENDENT, jackknife_t, left_out

MOST = 10
"""Terms up to which all subsets are compared (1,024); beyond, only those that lack one term."""
SMALLEST = 1e-280
"""Squared error that counts as none."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One equation: columns a (k, M) of its terms, left-hand side b (M,), and what the score needs to know.

    Attributes:
        sizes: per term its skeleton and its number of inner parameters.
        floor: root-mean-square error of b; effective: number of independent rows; blocks (M,): for left-out errors.
    """

    a: Floats
    b: Floats
    sizes: Sequence[tuple[str, int]]
    floor: float
    effective: float
    blocks: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """Per term (k,), the best subset that has it against the best one that has not.

    Attributes:
        lost: how much the score loses without it, in nats.
        ratio: error on left-out blocks without it over that with it; the target's own error is added on both sides,
            so that nothing below the floor counts as a difference.
        told: its coefficient in the subset that has it, over the block-jackknife error of that.
    """

    lost: Floats
    ratio: Floats
    told: Floats


def support(asked: Question) -> Support:
    """Weigh every term of a structure."""
    scores = _scores(asked)
    lost, ratios, told = (np.empty(len(asked.a)) for _ in range(3))
    errors: dict[int, float] = {}
    for i in range(len(asked.a)):
        with_it = min((m for m in scores if m >> i & 1), key=lambda m: (scores[m], m))
        without = min((m for m in scores if not m >> i & 1), key=lambda m: (scores[m], m))
        for mask in (with_it, without):
            if mask not in errors:
                errors[mask] = max(left_out(asked.a[_members(mask)], asked.b, asked.blocks) + asked.floor**2, SMALLEST)
        lost[i] = scores[without] - scores[with_it] if scores[with_it] < inf else -inf
        ratios[i] = errors[without] / errors[with_it]
        members = _members(with_it)
        told[i] = jackknife_t(asked.a[members], asked.b, asked.blocks)[members.index(i)]
    return Support(lost, ratios, told)


def _scores(asked: Question) -> dict[int, float]:
    """Return the score of each subset, by its bit mask."""
    k, m = asked.a.shape
    size = np.linalg.norm(asked.a, axis=1)
    q, r = np.linalg.qr((asked.a / np.where(size > 0.0, size, 1.0)[:, None]).T)
    z = q.T @ asked.b
    beyond = asked.b - q @ z
    rest = float(np.dot(beyond, beyond))
    power = float(np.dot(asked.b, asked.b)) / m
    whole = (1 << k) - 1
    masks = range(whole + 1) if k <= MOST else [0, whole, *(whole & ~(1 << i) for i in range(k))]
    found: dict[int, float] = {}
    for mask in masks:
        members = _members(mask)
        left = _projected(r[:, members], z)
        mse = inf if left is None else (rest + float(np.dot(left, left))) / m
        found[mask] = description_length(mse, asked.floor, power, asked.effective, [asked.sizes[i] for i in members])
    return found


def _projected(columns: Floats, z: Floats) -> Floats | None:
    """Return what columns (k, n) leave of z (k,); None where one is a combination of the others."""
    rows, count = columns.shape
    if count == 0:
        return z
    if count > rows:
        return None
    q, r = np.linalg.qr(columns)
    pivots = np.abs(np.diag(r))
    if float(np.min(pivots)) <= DEPENDENT:
        return None
    return z - q @ (q.T @ z)


def _members(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]
