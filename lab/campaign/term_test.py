"""The paper's term test: are the terms of a law the true ones, but for negligible parts?

The paper says no more than that (appendix, "Scores"). The rule here gives its list for its own published equations:

    1  multiply out sums within products
    2  join terms that are one function but for a factor, all over the box of the data widened by half
    3  drop terms with less than a thousandth of the mean square of the equation's terms along the data
    4  each of the rest must be one true term, and each true term one of the rest, compared as in 2

It forgives what the data cannot show: where an angle stays small, sin(x) and x are one function. `exact` does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.laws import Law, Part, slopes
from dolq_core.terms import compile_columns, count_params
from lab.campaign.expand import expanded
from lab.campaign.laws import names_of, trajectory, true_law
from lab.campaign.records import Case

ALIKE: Final = 0.9999
"""Cosine between two terms from which on they count as one."""
NEGLIGIBLE: Final = 1e-3
"""Share of the mean squares of an equation's terms below which one is dropped."""
WIDENED: Final = 1.5
POINTS: Final = 4000
FEWEST: Final = 100
"""Points of the box at which two terms must both be defined to be compared."""
WILD: Final = 10.0
"""Times the largest rate along the data: where the true law is beyond it, near a pole, the box is left out."""


@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """A term at the points of the box and along the data."""

    box: Floats
    data: Floats


def term_test(case: Case, law: Law) -> bool:
    """Whether every equation passes."""
    return len(law) == len(case.equations) and all(equation_passes(case, law, j) for j in range(len(law)))


def equation_passes(case: Case, law: Law, equation: int) -> bool:
    """Whether the terms of one equation are the true ones."""
    found = _weighty(_joined(_values(case, law[equation])))
    true = _joined(_values(case, true_law(case)[equation]))
    return len(found) == len(true) and _matched(found, true)


def is_true_term(case: Case, equation: int, part: Part) -> bool:
    """Whether a term is one function with a term of the true law."""
    true = _values(case, true_law(case)[equation])
    return any(_alike(one.box, other.box) for one in _values(case, (part,)) for other in true)


@lru_cache(maxsize=64)
def box(case: Case) -> tuple[Floats, Floats]:
    """Return (n,) times and (n, d) states spread evenly over the widened box of the data, always the same."""
    t, x = trajectory(case, 0, "id")
    margin = (WIDENED - 1.0) / 2.0 * (x.max(axis=0) - x.min(axis=0))
    rng = np.random.default_rng(0)
    times = rng.uniform(t[0], t[-1], POINTS)
    states = rng.uniform(x.min(axis=0) - margin, x.max(axis=0) + margin, (POINTS, x.shape[1]))
    symbols = names_of(case).symbols
    most = WILD * np.max(np.abs(slopes(true_law(case), symbols, t, x)), axis=0)
    tame = np.all(np.abs(slopes(true_law(case), symbols, times, states)) <= most, axis=1)
    return frozen(times[tame]), frozen(states[tame])


def _values(case: Case, parts: Sequence[Part]) -> list[_Values]:
    symbols = names_of(case).symbols
    (t_box, x_box), (t, x) = box(case), trajectory(case, 0, "id")
    rows_box, rows = np.ascontiguousarray(x_box.T), np.ascontiguousarray(x.T)
    found: list[_Values] = []
    for part in parts:
        for skeleton, factor in expanded(*part):
            column, inner = compile_columns(skeleton, symbols), part[2] if count_params(skeleton) else ()
            found.append(_Values(factor * column(rows_box, t_box, inner), factor * column(rows, t, inner)))
    return found


def _joined(terms: Sequence[_Values]) -> list[_Values]:
    joined: list[_Values] = []
    for term in terms:
        k = next((k for k, other in enumerate(joined) if _alike(term.box, other.box)), None)
        if k is None:
            joined.append(term)
        else:
            joined[k] = _Values(joined[k].box + term.box, joined[k].data + term.data)
    return joined


def _weighty(terms: Sequence[_Values]) -> list[_Values]:
    squares = [float(np.mean(term.data**2)) for term in terms]
    return [term for term, square in zip(terms, squares, strict=True) if not square <= NEGLIGIBLE * sum(squares)]


def _matched(found: Sequence[_Values], true: Sequence[_Values]) -> bool:
    left = list(true)
    for term in found:
        match = next((k for k, other in enumerate(left) if _alike(term.box, other.box)), None)
        if match is None:
            return False
        del left[match]
    return True


def _alike(one: Floats, other: Floats) -> bool:
    both = np.isfinite(one) & np.isfinite(other)
    if np.sum(both) < FEWEST:
        return False
    a, b = one[both], other[both]
    return abs(float(a @ b)) >= ALIKE * float(np.sqrt((a @ a) * (b @ b))) > 0.0
