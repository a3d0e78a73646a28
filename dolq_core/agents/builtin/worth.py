"""Which structures are worth their terms: a residual that is smooth can always be chased with more of them."""

from collections.abc import Sequence

from dolq_core.fitting import Workbench, complexity
from dolq_core.fitting.limits import ALIKE, cosines
from dolq_core.records import EquationFit

FAR = 3.0
"""Floors away from which a larger structure must cut the error by as much to be worth its terms."""


def worthy(fits: Sequence[EquationFit], bench: Workbench) -> list[EquationFit]:
    """Leave out structures that are not worth their terms, and of clean samples odd ones: see the two below."""
    found = worth_their_terms(fits, exact=bench.is_clean)
    return without_odder(found, bench) if bench.is_clean else found


def worth_their_terms(fits: Sequence[EquationFit], *, exact: bool = False) -> list[EquationFit]:
    """Leave out structures that one with fewer numbers nearly equals, but for those at the floor of noisy samples.

    A residual that is smooth (an integrator's error, a missing mechanism) can always be chased with more terms; where
    no noise is left, every further number has to cut the error by the factor FAR. exact: so it is at the floor too.
    """
    return [
        fit
        for fit in fits
        if not (exact or fit.floor_ratio > FAR) or not any(nearly_equals(other, fit) for other in fits)
    ]


def without_odder(fits: Sequence[EquationFit], bench: Workbench) -> list[EquationFit]:
    """Leave out structures of clean samples that a plainer one nearly equals which has a like term in place of one.

    Where y is small tanh(y) is y and a little of y**3: what is left of clean samples is no chance, and beside y**3
    either may leave less of it. The odder one has to cut the error by the factor FAR.
    """
    return [fit for fit in fits if not any(_is_plainer(other, fit, bench) for other in fits)]


def _is_plainer(plain: EquationFit, odd: EquationFit, bench: Workbench) -> bool:
    if len(plain.terms) != len(odd.terms) or plain.mse > FAR**2 * odd.mse:
        return False
    ours, theirs = ({(t.skeleton, t.inner) for t in fit.terms} for fit in (plain, odd))
    mine, other = sorted(ours - theirs), sorted(theirs - ours)
    if len(mine) != 1 or mine[0][1] or complexity(mine[0][0]) >= complexity(other[0][0]):
        return False
    row, like = (bench.column(skeleton, inner) for skeleton, inner in (mine[0], other[0]))
    return row is not None and like is not None and cosines(row, like[None])[0] >= ALIKE


def nearly_equals(small: EquationFit, large: EquationFit) -> bool:
    """Whether the larger structure cuts the error by less than FAR for each further number."""
    extra = sum(1 + len(t.inner) for t in large.terms) - sum(1 + len(t.inner) for t in small.terms)
    return extra > 0 and small.mse <= FAR ** (2 * extra) * large.mse
