"""Terms that are far larger than what they add up to: the data do not tell them apart, however small the residual."""

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.records import Dataset, EquationFit
from dolq_core.terms import compile_columns

MOST_ROWS = 2000
"""Of each run; more change nothing in a size."""


def cancelling(dataset: Dataset, fit: EquationFit) -> float:
    """Return how many times the largest term is what all terms add up to, both as root mean square over the samples.

    A right law near its rest has some tens at most; a rate that is all but constant over the data, such as x/(p + x)
    with p far above every x, needs a partner nearly as large, and has hundreds. 0 without terms or known samples.
    """
    if not fit.terms:
        return 0.0
    symbols = tuple(variable.symbol for variable in (*dataset.states, *dataset.inputs))
    parts: list[Floats] = []
    for run in dataset.trajectories:
        every = -(-len(run.t) // MOST_ROWS)
        x: Floats = run.x if run.inputs is None else np.hstack((run.x, run.inputs))
        rows, t = frozen(x[::every].T), run.t[::every]
        columns = [compile_columns(term.skeleton, symbols)(rows, t, term.inner) for term in fit.terms]
        parts.append(np.array([term.coefficient * column for term, column in zip(fit.terms, columns, strict=True)]))
    every_term: Floats = np.hstack(parts)
    terms: Floats = every_term[:, np.isfinite(every_term).all(axis=0)]
    rate: Floats = terms.sum(axis=0)
    size = float(np.sqrt(np.mean(rate**2))) if rate.size else 0.0
    return float(np.sqrt(np.mean(terms**2, axis=1)).max()) / size if size else 0.0
