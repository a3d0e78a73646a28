"""Equations as functions on the samples: one function may be written in two ways."""

from math import inf

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting.workbench import Workbench
from dolq_core.records import EquationFit

__all__ = ["difference"]


def difference(one: EquationFit, other: EquationFit, bench: Workbench) -> float:
    """Return the relative difference of two fitted equations on the rows of the fit; inf with another count of numbers.

    Numbers are coefficients and those inside terms: what needs more of them is another function, however near.
    """
    a, b = _values(one, bench), _values(other, bench)
    if a is None or b is None or _numbers(one) != _numbers(other):
        return inf
    size = float(np.linalg.norm(b))
    return float(np.linalg.norm(a - b)) / size if size else inf


def _numbers(fit: EquationFit) -> int:
    return sum(1 + len(term.inner) for term in fit.terms)


def _values(fit: EquationFit, bench: Workbench) -> Floats | None:
    rows = [bench.column(term.skeleton, term.inner) for term in fit.terms]
    whole = [row * term.coefficient for row, term in zip(rows, fit.terms, strict=True) if row is not None]
    return np.sum(whole, axis=0) if whole and len(whole) == len(rows) else None
