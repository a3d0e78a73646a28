"""Why a term or a structure cannot be fitted, in words for the record."""

from collections.abc import Sequence
from math import inf

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.numerics.least_squares import LinearFit
from dolq_core.numerics.target import Target
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Skeleton, compile_columns, count_params

LARGEST = 1e120
"""Size of a term beyond which, or below the inverse of which, its squares leave the range of numbers."""


def failed(equation: int, skeletons: Sequence[Skeleton], why: str) -> EquationFit:
    """Return the record of a structure that could not be fitted."""
    terms = tuple(FittedTerm(skeleton, 0.0) for skeleton in skeletons)
    return EquationFit(equation, terms, inf, inf, inf, inf, inf, failure=why)


SHOWN = 4
"""Digits of a value at which a term is not finite: so written it is looked for among the samples."""


def why_not(
    skeleton: Skeleton,
    inner: Sequence[float],
    values: Floats,
    t: Floats,
    symbols: tuple[str, ...],
    samples: Sequence[Floats] = (),
) -> str:
    """Return why a term gives no usable column at values (symbols, N) and t (N,); empty when it does.

    samples: (n, d) of each run, where `values` may be of a curve through them; what is in no row is said to be so.
    """
    at_samples = compile_columns(skeleton, symbols)(values, t, inner)
    bad = ~np.isfinite(at_samples)
    if bad.any():
        first = int(np.argmax(bad))
        where = ", ".join(f"{s} = {v:.{SHOWN}g}" for s, v in zip(symbols, values[:, first], strict=True))
        return f"not finite where {where}{_on_a_curve(values[:, first], samples)}"
    size = float(np.max(np.abs(at_samples)))
    if size > LARGEST or 0.0 < size < 1.0 / LARGEST:
        return f"of size {size:.0e} on the data"
    if skeleton != "1" and float(np.ptp(at_samples)) <= 1e-12 * size:
        return "zero on the data" if size == 0.0 else "constant on the data"
    return ""


def _on_a_curve(values: Floats, samples: Sequence[Floats]) -> str:
    """Return where a state has a value that no sample of it has, as far as it is shown."""
    for j in range(samples[0].shape[1] if samples else 0):
        seen = np.concatenate([run[:, j] for run in samples])
        seen = seen[np.isfinite(seen)]
        close = 0.5 * 10.0 ** (1 - SHOWN) * abs(float(values[j]))
        if seen.size and np.min(np.abs(seen - values[j])) > close:
            return " on the curve through the samples"
    return ""


def too_many(numbers: int, rows: int, effective: float) -> str:
    """Return why so many numbers cannot be fitted; empty when they can."""
    worth = min(effective, float(rows))
    return "" if worth - numbers >= 0.5 else f"{numbers} numbers to fit, and the data are worth {worth:.3g} rows"


def has_rows_for(target: Target, skeletons: Sequence[Skeleton]) -> bool:
    """Whether the data are worth more rows than a structure has numbers to fit."""
    numbers = sum(1 + count_params(skeleton) for skeleton in skeletons)
    return not too_many(numbers, target.b.shape[1], target.effective)


def loose(skeletons: Sequence[Skeleton], linear: LinearFit) -> str:
    """Return which terms got the coefficient 0 because the data cannot tell them from the others; empty when none."""
    numbers = zip(skeletons, linear.coefficients, linear.std_errors, strict=True)
    found = [s for s, coefficient, error in numbers if coefficient == 0.0 and not np.isfinite(error)]
    return f"{', '.join(found)}: on these data a combination of the other terms, or zero" if found else ""
