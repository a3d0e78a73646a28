"""Errors without units."""

import numpy as np

from dolq_core.arrays import Floats


def nmse(values: Floats, reference: Floats) -> float:
    """Return the mean squared error over the variance of the reference; inf when values are not finite.

    Missing cells of the reference are left out. A reference that does not vary is measured against its mean
    square instead, and a reference of zeros against 1. The paper's formulas divide by the mean
    square always (`power_nmse`), which flatters states far from zero; its figures do not (docs/decisions/011).
    """
    return _relative(values, reference, float(np.nanvar(reference)))


def power_nmse(values: Floats, reference: Floats) -> float:
    """Return the paper's NMSE: squared error over the mean square of the reference (appendix, both metrics)."""
    return _relative(values, reference, float(np.nanmean(reference**2)))


def _relative(values: Floats, reference: Floats, spread: float) -> float:
    seen = np.isfinite(reference)
    if not seen.any():
        return 0.0
    if not np.isfinite(values[seen]).all():
        return float("inf")
    power = float(np.mean(reference[seen] ** 2))
    scale = spread if spread > 1e-24 * power else power
    return float(np.mean((values[seen] - reference[seen]) ** 2)) / (scale if scale > 0.0 else 1.0)
