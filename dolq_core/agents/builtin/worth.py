"""Which structures are worth their terms: a residual that is smooth can always be chased with more of them."""

from collections.abc import Sequence

from dolq_core.records import EquationFit

FAR = 3.0
"""Floors away from which a larger structure must cut the error by as much to be worth its terms."""


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


def nearly_equals(small: EquationFit, large: EquationFit) -> bool:
    """Whether the larger structure cuts the error by less than FAR for each further number."""
    extra = sum(1 + len(t.inner) for t in large.terms) - sum(1 + len(t.inner) for t in small.terms)
    return extra > 0 and small.mse <= FAR ** (2 * extra) * large.mse
