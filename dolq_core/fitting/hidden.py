"""Samples that no law of the measured states has: something was not measured, or they are steps of a map.

A law x' = f(x) gives one slope to each value, so a single state can only rise, or only fall, or rest. A run that
does both, by more than its noise, is moved by time or by something that is not in the table. A law of two states gives
one direction to each point of their plane, so no path crosses another at an angle. A map x[n+1] = g(x[n]) jumps from
row to row.
"""

from collections.abc import Sequence

import numpy as np
from scipy.spatial import KDTree

from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.derivative import fit_curve
from dolq_core.numerics.noise import Run, jumps
from dolq_core.records import Dataset

CLEAR = 6.0
"""Standard deviations of the noise that a run must rise as well as fall."""
MOST = 200
"""Samples of a run that are looked at."""
MOST_CROSSED = 500
"""The same, of a path of two states."""
ANGLE = np.pi / 6
"""Between the branches of a crossing, at least: paths that only touch within the noise have less."""
RESOLVED = 3
"""Samples of a branch, at least."""
LEAST = 0.02
"""The same, as a share of the state's whole range: rounding and the swings of a curve are less."""
WHERE = "(on the Data page under Building blocks; in a terminal by --second-order and --hidden)"

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


def _means(t: Floats, x: Floats, most: int = MOST) -> tuple[Floats, Floats]:
    """The observed samples; of long runs their means over blocks."""
    seen = np.isfinite(x)
    block = max(1, -(-int(seen.sum()) // most))
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
    name = dataset.states[0].name
    return (
        f"{name} passes the same values rising and falling{_where(dataset, run)}: no law in {name} alone can do that. "
        "Something that was not measured, or time itself, moves it. Say in the description where a rhythm or a drift "
        f"does; else ask for a second-order law of {name}, or for a hidden state by the term in which it acts {WHERE}."
    )


def _where(dataset: Dataset, run: int) -> str:
    label = dataset.trajectories[run].label
    return f" in the run {label}" if label and len(dataset.trajectories) > 1 else ""


def crossing_words(dataset: Dataset, noise: Floats) -> str:
    """Return why two measured states have no law of their own without time; empty where that is not proven."""
    if len(dataset.states) != 2 or dataset.inputs or map_words(dataset):
        return ""
    runs = enumerate((run.t, run.x) for run in dataset.trajectories)
    run = next((i for i, (t, x) in runs if is_crossing(t, x, noise)), None)
    if run is None:
        return ""
    both = " and ".join(state.name for state in dataset.states)
    return (
        f"The path of {both} crosses itself{_where(dataset, run)}: no laws in {both} alone can do that. Something that "
        "was not measured, or time itself, moves at least one of them. Say in the description where a rhythm or a "
        f"drift does; else ask for a hidden state by the term in which it acts {WHERE}."
    )


def is_crossing(t: Floats, x: Floats, noise: Floats) -> bool:
    """Whether the path of two states (n, 2) crosses itself for certain: all four branches leave the noise, apart."""
    seen = np.isfinite(x).all(axis=1)
    if seen.sum() < 2 * RESOLVED or any(len(jumps(column[seen])) for column in x.T):
        return False
    curves = [_means(t[seen], column[seen], MOST_CROSSED) for column in x.T]
    path = np.column_stack([fit_curve(*one, float(s))(one[0], 0) for one, s in zip(curves, noise, strict=True)])
    path /= np.maximum(np.maximum(CLEAR * noise, LEAST * np.ptp(path, axis=0)), 1e-300)
    return any(_is_clear(path, i, j) for i, j in zip(*_met(path), strict=True))


def _met(path: Floats) -> tuple[Ints, Ints]:
    """Numbers i < j of the steps of a path (n, 2) that meet, neighbours aside."""
    start, step = path[:-1], np.diff(path, axis=0)
    apart = start[None, :, :] - start[:, None, :]
    turn = _cross(step[:, None, :], step[None, :, :])
    with np.errstate(divide="ignore", invalid="ignore"):
        own = _cross(apart, step[None, :, :]) / turn
        other = _cross(apart, step[:, None, :]) / turn
    met = (own >= 0.0) & (own < 1.0) & (other >= 0.0) & (other < 1.0)
    i, j = np.nonzero(np.triu(met, 2 * RESOLVED))
    return i, j


def _cross(a: Floats, b: Floats) -> Floats:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _is_clear(path: Floats, i: int, j: int) -> bool:
    """Whether the branches before and after step j leave on both sides of those of step i, at ANGLE from each."""
    middle = 0.5 * (path[i] + path[i + 1])
    far = np.hypot(*(path - middle).T) >= 1.0
    angles: list[float] = []
    for step, way in ((i, -1), (i + 1, 1), (j, -1), (j + 1, 1)):
        branch = far[step::way]
        end = max(int(np.argmax(branch)), RESOLVED)
        if not branch.any() or end >= len(branch):
            return False
        angles.append(float(np.arctan2(*(path[step + way * end] - middle)[::-1])))
    turned = np.mod(np.array(angles) - angles[0], 2.0 * np.pi)
    gaps = np.diff(np.sort(np.append(turned, 2.0 * np.pi)))
    between = (turned[2] < turned[1]) != (turned[3] < turned[1])
    return bool(between and gaps.min() >= ANGLE)


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
