"""What the columns with weights and with given derivatives mean for the fits of a data set."""

from dataclasses import replace

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.records import Dataset, Trajectory


def counted(dataset: Dataset) -> Dataset:
    """Return the data without the samples of weight 0: they are missing from then on."""
    if all(run.weights is None for run in dataset.trajectories):
        return dataset
    return replace(dataset, trajectories=tuple(map(counted_run, dataset.trajectories)))


def counted_run(run: Trajectory) -> Trajectory:
    """Return a run without its samples of weight 0."""
    if run.weights is None or bool(np.all(run.weights > 0.0)):
        return run
    return replace(run, x=frozen(np.where(run.weights > 0.0, run.x, np.nan)))


def relative_weights(dataset: Dataset) -> list[Floats] | None:
    """Return per run (n, d) weights with mean 1 over the samples of each state; None where all samples count alike.

    What does not count at all is missing in `counted` and has weight 1 here, so that nothing divides by zero.
    """
    if any(run.weights is None for run in dataset.trajectories):
        return None
    every = np.concatenate([run.weights for run in dataset.trajectories if run.weights is not None])
    seen = np.where(every > 0.0, every, np.nan)
    with np.errstate(all="ignore"):
        mean = np.array([np.nanmean(column) if np.isfinite(column).any() else 1.0 for column in seen.T])
    relative = np.where(every > 0.0, every / mean, 1.0)
    if np.all(relative == 1.0):
        return None
    return np.split(relative, np.cumsum([len(run.t) for run in dataset.trajectories])[:-1])


def factors(dataset: Dataset) -> list[Floats] | None:
    """Return per run (n, d) what residuals on trajectories are multiplied by, NaN for weight 0; None where all is 1."""
    if any(run.weights is None for run in dataset.trajectories):
        return None
    relative = relative_weights(dataset)
    own = [np.ones_like(run.x) for run in dataset.trajectories] if relative is None else [np.sqrt(w) for w in relative]
    weights = [run.weights for run in dataset.trajectories if run.weights is not None]
    return [np.where(weight > 0.0, factor, np.nan) for weight, factor in zip(weights, own, strict=True)]


def given_states(dataset: Dataset) -> frozenset[int]:
    """Return the states whose derivative is given, by number."""
    given = {one.state for one in dataset.derivatives}
    return frozenset(j for j, state in enumerate(dataset.states) if state.name in given)
