"""Whether a law changed at some time: the same terms, with other coefficients before and after, and no law for both."""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting.workbench import Workbench
from dolq_core.terms import Skeleton, in_sentence, parse_term

SPLITS = 24
"""Times that are tried, evenly over the middle of the run."""
EDGE = 0.15
REACH = 0.6
"""Share of a test function's half-width within which it weighs: rows that see both sides count for neither."""
LEAST = 24
"""Rows on either side."""
BETTER = 4.0
"""Times that the residual has to fall by two sets of coefficients instead of one."""
AT_FLOOR = 2.0
"""Error floors that it may leave."""
WIDEST = 3
"""States up to which terms are tried in pairs."""


def change_words(bench: Workbench, equation: int) -> str:
    """Say when the coefficients of an equation change, as a sentence; empty where that is not seen.

    Looked for where one run is fitted in the weak form, with one or two terms of up to second order.
    """
    target = bench.for_equation(equation).target
    if target.rows is None or len(target.lengths) != 1 or target.measured is None:
        return ""
    when: Floats = np.asarray(target.rows.mean @ target.t, dtype=np.float64)
    reach, b, floor = REACH * target.rows.width, target.b[equation], float(target.floor[equation])
    splits: Floats = np.linspace(float(np.quantile(when, EDGE)), float(np.quantile(when, 1.0 - EDGE)), SPLITS)
    found: list[tuple[float, float, tuple[Skeleton, ...]]] = []
    for structure in _structures(bench):
        columns = [bench.for_equation(equation).column(skeleton) for skeleton in structure]
        a = np.array([column for column in columns if column is not None])
        if len(a) < len(structure):
            continue
        for split in splits:
            left, right = when < split - reach, when > split + reach
            if min(int(left.sum()), int(right.sum())) < LEAST:
                continue
            apart = _left(a[:, left], b[left]) + _left(a[:, right], b[right])
            both = left | right
            rows = int(both.sum())
            if apart <= rows * (AT_FLOOR * floor) ** 2 and _left(a[:, both], b[both]) >= BETTER**2 * apart:
                found.append((apart / rows, float(split), structure))
    if not found:
        return ""
    fewest = min(len(structure) for *_, structure in found)
    _, split, structure = min(one for one in found if len(one[2]) == fewest)
    terms = " and ".join(in_sentence(skeleton, bench.names) for skeleton in structure)
    name, time = bench.dataset.states[equation].name, bench.dataset.time.name
    return (
        f"The law of {name} seems to change near {time} = {split:.3g}: "
        f"{terms} with other coefficients before and after would explain it."
    )


def _structures(bench: Workbench) -> Sequence[tuple[Skeleton, ...]]:
    symbols = bench.symbols
    products = [c for n in range(3) for c in combinations_with_replacement(symbols, n)]
    single = list(dict.fromkeys(parse_term("*".join(c) or "1", symbols).skeleton for c in products))
    pairs = [*combinations(single, 2)] if bench.d <= WIDEST else []
    return [*((one,) for one in single), *pairs]


def _left(a: Floats, b: Floats) -> float:
    """Sum of squares that a least-squares fit of b (M,) by the rows of a (k, M) leaves."""
    found = np.linalg.lstsq(a.T, b, rcond=None)[0]
    return float(np.sum((b - found @ a) ** 2))
