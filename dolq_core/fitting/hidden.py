"""Samples that no law of the measured states has: something was not measured, or they are steps of a map.

A law x' = f(x) gives one slope to each value, so a single state can only rise, or only fall, or rest. A run that
does both, by more than its noise, is moved by time or by something that is not in the table. A map x[n+1] = g(x[n])
jumps from row to row.
"""

from collections.abc import Sequence

import numpy as np
from scipy.spatial import KDTree

from dolq_core.arrays import Floats
from dolq_core.numerics.derivative import fit_curve
from dolq_core.numerics.noise import Run, jumps
from dolq_core.records import Dataset

CLEAR = 6.0
"""Standard deviations of the noise that a run must rise as well as fall."""
MOST = 200
"""Samples of a run that are looked at."""
LEAST = 0.02
"""The same, as a share of the state's whole range: rounding and the swings of a curve are less."""

FEWEST, MAPPED = 30, 2000
"""Samples of a run that are looked at, at its beginning."""
EVEN = 1e-6
"""Relative difference of steps of time."""
ROUGH = 0.5
"""Mean square from each sample to the middle of its neighbours, in variances: far less for a flow, 1.5 for noise."""
FORESEEN = 0.1
"""Mean square of what follows the nearest state, in variances: 2 for noise."""


def turning_run(runs: Sequence[Run], noise: Floats) -> int | None:
    """Return the first run of a single state (n, 1) that both rises and falls for certain; None where none does."""
    if len(noise) != 1:
        return None
    values = np.concatenate([x[:, 0] for _, x in runs])
    least = max(CLEAR * float(noise[0]), LEAST * float(np.nanmax(values) - np.nanmin(values)))
    for i, (t, x) in enumerate(runs):
        if not np.isfinite(x).any() or len(jumps(x[:, 0])):  # a curve through a jump swings beside it
            continue
        at, means = _means(t, x[:, 0])
        curve = fit_curve(at, means, float(noise[0]))(at, 0)
        if min(_rise(curve), _rise(-curve)) > least:
            return i
    return None


def _means(t: Floats, x: Floats) -> tuple[Floats, Floats]:
    """The observed samples; of long runs their means over blocks."""
    seen = np.isfinite(x)
    block = max(1, -(-int(seen.sum()) // MOST))
    count = int(seen.sum()) // block * block
    at, means = (np.mean(values[seen][:count].reshape(-1, block), axis=1) for values in (t, x))
    return at, means


def _rise(curve: Floats) -> float:
    """The most that a curve (n,) gains from a point to a later one."""
    return float(np.max(curve - np.minimum.accumulate(curve)))


def hidden_words(dataset: Dataset, noise: Floats) -> str:
    """Return why the measured states alone have no law without time; empty where that is not proven."""
    if said := map_words(dataset):
        return said
    run = turning_run([(run.t, run.x) for run in dataset.trajectories], noise)
    if run is None or dataset.inputs:
        return ""
    name, label = dataset.states[0].name, dataset.trajectories[run].label
    where = f" in the run {label}" if label and len(dataset.trajectories) > 1 else ""
    return (
        f"{name} passes the same values rising and falling{where}: no law in {name} alone can do that. "
        "Something that was not measured, or time itself, moves it; a second-order law, of it and its rate, can be "
        "asked for with the data."
    )


# --- steps of a map ---------------------------------------------------------------------------------


def map_words(dataset: Dataset) -> str:
    """Return that a state follows from the state before and not smoothly; empty where it does not."""
    for run in dataset.trajectories if not dataset.inputs else ():
        x, steps = run.x[:MAPPED], np.diff(run.t[:MAPPED])
        is_even = len(x) >= FEWEST and np.ptp(steps) <= EVEN * float(np.mean(steps))
        for j, state in enumerate(dataset.states) if is_even and np.isfinite(x).all() else ():
            if _is_mapped(x, j):
                return (
                    f"{state.name} jumps from row to row, and each value follows from the row before: these are steps "
                    "of a map x[n+1] = g(x[n]), not samples of a flow, and no differential equation has them. PySINDy "
                    "fits maps (discrete time)."
                )
    return ""


def _is_mapped(x: Floats, j: int) -> bool:
    spread = np.var(x, axis=0)
    if not (spread > 0.0).all():
        return False
    rough = float(np.mean((x[1:-1, j] - 0.5 * (x[:-2, j] + x[2:, j])) ** 2)) / float(spread[j])
    if rough <= ROUGH:
        return False
    before, after = x[:-1] / np.sqrt(spread), x[1:, j]
    nearest = np.asarray(KDTree(before).query(before, k=2)[1])[:, 1]
    return float(np.mean((after - after[nearest]) ** 2)) <= FORESEEN * float(spread[j])
