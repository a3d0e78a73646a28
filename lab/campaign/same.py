"""Whether a law is the true one in other words.

x*(1 - x) and x - x**2, sin(2*a) and 2*sin(a)*cos(a), c*x/(k + x) and c - c*k/(k + x) are one function. A law counts as
the same where its own terms, their numbers fitted to the true rates all over the box that the states fill, give those
rates to RESIDUAL of their size, and no term of it can be left out. It says nothing of how close the numbers came.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import least_squares

from dolq_core.arrays import Floats
from dolq_core.errors import DataError
from dolq_core.laws import Law, Part, slopes
from dolq_core.terms import compile_columns
from lab.campaign.laws import names_of, trajectory, true_law
from lab.campaign.records import Case

POINTS = 400
RESIDUAL = 1e-7
"""Of the size of the true rates: equal but for rounding and what a least squares fit leaves; a rival leaves 1e-3."""
NEEDED = 1e-4
"""Of the size of the true rates: less, and a term is one too many."""


def is_same(case: Case, law: Law) -> bool:
    """Return whether a law of the case's states can be its true law, and has no term that is one too many."""
    return all(same_equations(case, law))


def same_equations(case: Case, law: Law) -> tuple[bool, ...]:
    """Return the same of each equation by itself; False of all where the law has not as many equations."""
    if len(law) != len(case.equations):
        return (False,) * len(case.equations)
    t, x = _box(case)
    symbols = names_of(case).symbols
    wanted = slopes(true_law(case), symbols, t, x)
    usable = np.all(np.isfinite(wanted), axis=1)
    t, x, wanted = t[usable], x[usable], wanted[usable]
    known = len(t) > POINTS // 4
    return tuple(known and is_equation(parts, symbols, t, x, wanted[:, j]) for j, parts in enumerate(law))


def _box(case: Case) -> tuple[Floats, Floats]:
    """Return (POINTS,) times and (POINTS, d) states, anywhere between the least and the largest that the law visits."""
    paths: list[Floats] = []
    for start in range(len(case.initial)):
        try:
            paths.append(trajectory(case, start, "id")[1])
        except DataError:  # this start runs away
            continue
    seen = np.concatenate(paths)
    rng = np.random.default_rng(0)
    low, high = np.min(seen, axis=0), np.max(seen, axis=0)
    return rng.uniform(*case.t, POINTS), rng.uniform(low, high, (POINTS, len(low)))


def is_equation(parts: Sequence[Part], symbols: tuple[str, ...], t: Floats, x: Floats, wanted: Floats) -> bool:
    """Whether an equation's terms give the wanted rates (n,) at points x (n, v) and times t, and all are needed."""
    size = float(np.sqrt(np.mean(wanted**2)))
    if not parts or not size:
        return not parts and not size
    made = [compile_columns(skeleton, symbols) for skeleton, _, _ in parts]
    inner = np.concatenate([np.asarray(own, dtype=np.float64) for _, _, own in parts])
    ends = np.cumsum([len(own) for _, _, own in parts])[:-1]
    rows = np.ascontiguousarray(x.T)

    def fitted(numbers: Floats) -> tuple[Floats, Floats]:
        columns = np.column_stack(
            [column(rows, t, tuple(own)) for column, own in zip(made, np.split(numbers, ends), strict=True)]
        )
        columns = np.asarray(np.where(np.isfinite(columns), columns, 1e6), dtype=np.float64)
        # T**4 beside 1: what lstsq cuts off is a share of the largest
        columns /= np.maximum(np.linalg.norm(columns, axis=0), 1e-300)
        weights: Floats = np.asarray(np.linalg.lstsq(columns, wanted, rcond=1e-13)[0], dtype=np.float64)
        return columns * weights, (columns @ weights - wanted) / size

    if len(inner):
        inner = least_squares(lambda at: fitted(at)[1], inner, x_scale=np.abs(inner) + 1e-3, xtol=1e-14,
                              ftol=1e-14, gtol=1e-14, max_nfev=300).x  # fmt: skip
    flows, rest = fitted(inner)
    each = np.sqrt(np.mean(flows**2, axis=0)) / size
    return float(np.sqrt(np.mean(rest**2))) < RESIDUAL and bool(np.all(each > NEEDED))
