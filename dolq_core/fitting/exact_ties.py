"""Clean samples: other laws that leave as little, which are the same along these runs to the last digit.

No chance makes such a tie. It is an identity: a total that stays, an energy, one state that is a curve of another.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.blocks import required, wrong_sign
from dolq_core.fitting.identify import TIE, MayStand, box_of, field_of, is_allowed, log_error, polynomials
from dolq_core.fitting.rivals import Fields
from dolq_core.fitting.score import complexity
from dolq_core.fitting.workbench import Workbench
from dolq_core.numerics.least_squares import gain_of_two
from dolq_core.records import AT_FLOOR, EquationFit
from dolq_core.terms import Skeleton, count_params

SECOND, LARGEST, MOST_SETS = 2, 4, 6000
"""Order and size of the structures that are all looked at beside a law of clean samples, and how many of a size."""
JITTER, LITTLE = 1e-12, 1e-6
"""Share of the left-hand side's square that such a one may leave at first sight: a fit decides."""
AS_EXACT = 10.0
"""Times the mean square a law leaves up to which another one at the floor is as exact: an integrator's error."""
CLOSEST = 50
"""Pairs of a library in place of two terms of a law that are fitted, those that leave least."""


def exact_ties(
    bench: Workbench, best: EquationFit, library: Sequence[Skeleton] = (), may_stand: MayStand = lambda _: True
) -> list[EquationFit]:
    """Return what ties with a law of clean samples and has one polynomial term in place of one of its own, or less.

    As B = A**2 where A decays half as fast. Several terms may take the place of as many, of second order (`_as_short`)
    or two of a library, where the law gets no longer (`_two_others`).
    """
    bench = bench.for_equation(best.equation)
    at = box_of(bench)
    fields = Fields(at.shape[1])
    fields.add(field_of(best, bench, at))
    limit = log_error(bench, best) + TIE / bench.target.effective
    own = tuple(sorted(term.skeleton for term in best.terms))
    plain = [s for s in polynomials(bench) if s not in own and bench.column(s) is not None]
    rest = [tuple(s for s in own if s != gone) for gone in own]
    trials = dict.fromkeys(tuple(sorted((*kept, *new))) for kept in rest for new in ((), *((s,) for s in plain)))
    trials |= dict.fromkeys((*_as_short(bench, best), *_two_others(bench, best, library)))
    must = set(required(bench.blocks, best.equation))
    allowed = [one for one in trials if one and must <= set(one) and may_stand(one)]
    allowed = [one for one in allowed if all(is_allowed(bench, best.equation, s) for s in one)]
    fits = sorted((bench.rough(best.equation, one) for one in allowed), key=lambda fit: fit.score)
    alike = best if any(term.inner for term in best.terms) else bench.rough(best.equation, own)
    found = [fit for fit in fits if not fit.failure and (log_error(bench, fit) <= limit or _is_as_exact(fit, alike))]
    return [
        fit
        for fit in found
        if not wrong_sign(bench.blocks, best.equation, fit.terms) and fields.add(field_of(fit, bench, at))
    ]


def shorter(
    bench: Workbench, best: EquationFit, removed: Sequence[Skeleton], must: Collection[Skeleton] = ()
) -> EquationFit | None:
    """Return the shortest law with one of some terms and fewer numbers that explains clean samples, too; or None.

    must: terms that a person asks for, which it keeps.

    In place of a term that is there a series of others can be found, to the last digit, and looks like a law. Or one
    with a number inside: abs(p + y) - abs(p - y) is y.
    """
    fits = (bench.rough(best.equation, trial) for trial in of_fewer(best, removed, must))
    return next((fit for fit in fits if not fit.failure and fit.floor_ratio <= AT_FLOOR), None)


def of_fewer(
    best: EquationFit, removed: Sequence[Skeleton], must: Collection[Skeleton]
) -> Iterator[tuple[Skeleton, ...]]:
    """Yield structures of fewer numbers than a law has: one of some terms, and terms of the law, all of `must`."""
    own = [term.skeleton for term in best.terms]
    for size in range(min(len(own), LARGEST)):
        for kept in (some for some in combinations(own, size) if set(must) <= set(some)):
            trials = ((*kept, back) for back in removed if back not in kept)
            yield from (trial for trial in trials if _numbers(trial) < _numbers(own))


def _numbers(skeletons: Sequence[Skeleton]) -> int:
    return sum(1 + count_params(skeleton) for skeleton in skeletons)


def _is_as_exact(fit: EquationFit, best: EquationFit) -> bool:
    return fit.floor_ratio <= AT_FLOOR and fit.mse <= AS_EXACT * best.mse


def _as_short(bench: Workbench, best: EquationFit) -> list[tuple[Skeleton, ...]]:
    """Return the structures of second order and no more terms that leave little, all of them looked at.

    Of a size distribution m0*m2 - m1**2 is, to the last digit, a square of what is dissolved: along one run a rate in
    the one is a rate in the other, three terms for three.
    """
    columns = {s: row for s in polynomials(bench, SECOND) if (row := bench.column(s)) is not None}
    if not columns:
        return []
    plain = list(columns)
    rows = np.array([row / (float(np.linalg.norm(row)) or 1.0) for row in columns.values()])
    b = bench.target.b[best.equation]
    gram, g, power = rows @ rows.T + JITTER * np.eye(len(rows)), rows @ b, float(b @ b)
    found: list[tuple[Skeleton, ...]] = []
    for size in range(1, min(len(best.terms), LARGEST) + 1):
        if size > len(plain) or comb(len(plain), size) > MOST_SETS:
            break
        sets: Ints = np.array(list(combinations(range(len(plain)), size)), dtype=np.int64)
        of_sets: Floats = gram[sets[:, :, None], sets[:, None, :]]
        solved: Floats = np.asarray(np.linalg.solve(of_sets, g[sets][:, :, None]), dtype=np.float64)[:, :, 0]
        left = power - np.sum(solved * g[sets], axis=1)
        close: list[list[int]] = sets[left <= LITTLE * power].tolist()
        found += [tuple(sorted(plain[k] for k in own)) for own in close]
    return found


def _two_others(bench: Workbench, best: EquationFit, library: Sequence[Skeleton]) -> list[tuple[Skeleton, ...]]:
    """Return the structures of no more complexity with two terms of a library in place of two of a law's own.

    A swing that is hung on a counterweight keeps its energy: along one run cos(phi) and a constant are the square of
    a speed over a length and one over a length.
    """
    own = [term.skeleton for term in best.terms]
    if len(own) < 2 or len(own) > LARGEST or any(term.inner for term in best.terms):
        return []
    columns = {s: row for s in dict.fromkeys((*own, *library)) if (row := bench.column(s)) is not None}
    names, b = list(columns), bench.target.b[best.equation]
    sizes = np.array([complexity(name) for name in names])
    raw = np.array([row / (float(np.linalg.norm(row)) or 1.0) for row in columns.values()])
    found: list[tuple[float, tuple[Skeleton, ...]]] = []
    for kept in combinations(range(len(own)), len(own) - 2):
        q = np.linalg.qr(raw[list(kept)].T)[0]
        rows, left = raw - (raw @ q) @ q.T, b - q @ (q.T @ b)
        length = np.linalg.norm(rows, axis=1)
        rows /= np.maximum(length, LITTLE)[:, None]
        gains = gain_of_two(rows @ left, rows @ left, rows @ rows.T)
        spare = sizes[: len(own)].sum() - sizes[list(kept)].sum()
        usable = length > LITTLE
        gains[(sizes[:, None] + sizes > spare) | ~(usable[:, None] & usable)] = -np.inf
        first, second = np.nonzero(np.triu(float(left @ left) - gains <= LITTLE * float(b @ b), 1))
        found += [
            (-float(gains[i, k]), tuple(sorted(names[m] for m in (*kept, i, k))))
            for i, k in zip(first.tolist(), second.tolist(), strict=True)
        ]
    return [structure for _, structure in sorted(found)[:CLOSEST] if structure != tuple(sorted(own))]
