"""Steps of a map, x[n+1] = g(x[n]), that are taken for samples of a flow: no differential equation has them."""

import numpy as np
from scipy.spatial import KDTree

from dolq_core.arrays import Floats
from dolq_core.records import Dataset

FEWEST, MOST = 30, 2000
"""Samples of a run that are looked at, at its beginning."""
EVEN = 1e-6
"""Relative difference of steps of time."""
ROUGH = 0.5
"""Mean square from each sample to the middle of its neighbours, in variances: far less for a flow, 1.5 for noise."""
FORESEEN = 0.1
"""Mean square of what follows the nearest state, in variances: 2 for noise."""


def map_words(dataset: Dataset) -> str:
    """Return that a state follows from the state before and not smoothly; empty where it does not."""
    for run in dataset.trajectories if not dataset.inputs else ():
        x, steps = run.x[:MOST], np.diff(run.t[:MOST])
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
