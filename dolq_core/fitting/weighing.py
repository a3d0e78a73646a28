"""What samples count for in the fits of a data set, by columns with weights and by noise that grows with the value."""

from dataclasses import replace

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.numerics.growing import EVEN, growths, weights
from dolq_core.numerics.noise import noise_levels
from dolq_core.records import Dataset, NoiseKind, Trajectory


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


def noisy_as(dataset: Dataset, said: NoiseKind = "auto") -> Dataset:
    """Return the data with how the noise of each state grows with its value: as is said, else as its samples say.

    Where a person gave weights or rates, or a state was not measured, it is even.
    """
    if dataset.noise:
        return dataset
    told = has_weights(dataset) or dataset.derivatives or dataset.unmeasured
    if told or said == "even":
        return replace(dataset, noise=(EVEN,) * len(dataset.states))
    size = np.fmax.reduce([np.fmax.reduce(np.abs(run.x), axis=0) for run in dataset.trajectories])
    size = np.where((size > 0.0) & np.isfinite(size), size, 1.0)
    runs = [(run.t, run.x / size) for run in dataset.trajectories]  # squares of extreme values would overflow
    found = growths(runs, noise_levels(runs), known=said == "proportional")
    grown = (
        replace(one, constant=one.constant * own) if one.share > 0.0 else one
        for one, own in zip(found, size.tolist(), strict=True)
    )
    return replace(dataset, noise=tuple(grown))


def has_weights(dataset: Dataset) -> bool:
    """Whether a person says what samples count for: some may count for so little that they are hardly there."""
    return bool(dataset.trajectories) and all(run.weights is not None for run in dataset.trajectories)


def is_uneven(dataset: Dataset) -> bool:
    """Whether the noise of a state grows with its value."""
    return any([one.share > 0.0 for one in dataset.noise])


def is_weighed(dataset: Dataset) -> bool:
    """Whether samples of a state may count unlike."""
    return bool(dataset.weights) or is_uneven(dataset)


def relative_weights(dataset: Dataset) -> list[Floats] | None:
    """Return per run (n, d) weights with mean 1 over the samples of each state; None where all samples count alike.

    Where noise grows, the mean of their inverse is 1: weighted residuals are then as large as the noise is on average.
    What does not count at all is missing in `counted` and has weight 1 here, so that nothing divides by zero.
    """
    every = _weights(dataset)
    if every is None:
        return None
    seen = np.where(every > 0.0, every, np.nan)
    mean_of = np.nanmean if has_weights(dataset) else _harmonic
    with np.errstate(all="ignore"):
        mean = np.array([mean_of(column) if np.isfinite(column).any() else 1.0 for column in seen.T])
    relative = np.where(every > 0.0, every / mean, 1.0)
    if np.all(relative == 1.0):
        return None
    return np.split(relative, np.cumsum([len(run.t) for run in dataset.trajectories])[:-1])


def factors(dataset: Dataset) -> list[Floats] | None:
    """Return per run (n, d) what residuals on trajectories are multiplied by, NaN for weight 0; None where all is 1."""
    every = _weights(dataset)
    if every is None:
        return None
    relative = relative_weights(dataset)
    own = [np.ones_like(run.x) for run in dataset.trajectories] if relative is None else [np.sqrt(w) for w in relative]
    ends = np.cumsum([len(run.t) for run in dataset.trajectories])[:-1]
    return [np.where(weight > 0.0, factor, np.nan) for weight, factor in zip(np.split(every, ends), own, strict=True)]


def _harmonic(weights: Floats) -> float:
    return 1.0 / float(np.nanmean(1.0 / weights))


def _weights(dataset: Dataset) -> Floats | None:
    """Weights (n, d) of all samples, the runs one after another: a person's, or by the noise; None where all alike."""
    if has_weights(dataset):
        return np.concatenate([run.weights for run in dataset.trajectories if run.weights is not None])
    if not is_uneven(dataset):
        return None
    return np.concatenate([weights(run.x, dataset.noise) for run in dataset.trajectories])


def given_states(dataset: Dataset) -> frozenset[int]:
    """Return the states whose derivative is given, by number."""
    given = {one.state for one in dataset.derivatives}
    return frozenset(j for j, state in enumerate(dataset.states) if state.name in given)
