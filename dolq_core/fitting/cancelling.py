"""Terms that are far larger than what they add up to: the data do not tell them apart, however small the residual."""

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting.on_samples import values_on_samples
from dolq_core.records import Dataset, EquationFit


def cancelling(dataset: Dataset, fit: EquationFit) -> float:
    """Return how many times the largest term is what all terms add up to, both as root mean square over the samples.

    A right law near its rest has some tens at most; a rate that is all but constant over the data, such as x/(p + x)
    with p far above every x, needs a partner nearly as large, and has hundreds. 0 without terms or known samples.
    """
    if not fit.terms:
        return 0.0
    values = values_on_samples(dataset, [(term.skeleton, term.inner) for term in fit.terms])
    terms: Floats = values * np.array([[term.coefficient] for term in fit.terms])
    rate: Floats = terms.sum(axis=0)
    size = float(np.sqrt(np.mean(rate**2))) if rate.size else 0.0
    return float(np.sqrt(np.mean(terms**2, axis=1)).max()) / size if size else 0.0
