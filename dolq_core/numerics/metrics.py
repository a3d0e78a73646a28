"""Errors without units."""

import numpy as np

from dolq_core.arrays import Floats


def nmse(values: Floats, reference: Floats) -> float:
    """Return the mean squared error over the variance of the reference; inf when values are not finite.

    Missing cells of the reference are left out. A reference that does not vary is measured against its mean
    square instead, and a reference of zeros against 1. The paper's formulas divide by the mean
    square always, which flatters states far from zero; its figures do not (docs/decisions/011).
    """
    seen = np.isfinite(reference)
    if not seen.any():
        return 0.0
    if not np.isfinite(values[seen]).all():
        return float("inf")
    spread, power = float(np.nanvar(reference)), float(np.mean(reference[seen] ** 2))
    scale = spread if spread > 1e-24 * power else power
    return float(np.mean((values[seen] - reference[seen]) ** 2)) / (scale if scale > 0.0 else 1.0)
