"""Values of terms on the samples of a data set, as they were measured."""

from collections.abc import Sequence

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.records import Dataset
from dolq_core.terms import Skeleton, compile_columns

MOST_ROWS = 2000
"""Of each run; more change nothing in a size."""


def values_on_samples(dataset: Dataset, terms: Sequence[tuple[Skeleton, tuple[float, ...]]]) -> Floats:
    """Return (k, N) values of k terms with their inner parameters, on those samples where all of them are finite."""
    symbols = tuple(variable.symbol for variable in (*dataset.states, *dataset.inputs))
    parts: list[Floats] = []
    for run in dataset.trajectories:
        every = -(-len(run.t) // MOST_ROWS)
        x: Floats = run.x if run.inputs is None else np.hstack((run.x, run.inputs))
        rows, t = frozen(x[::every].T), run.t[::every]
        parts.append(np.array([compile_columns(skeleton, symbols)(rows, t, inner) for skeleton, inner in terms]))
    values: Floats = np.hstack(parts)
    return values[:, np.isfinite(values).all(axis=0)]
