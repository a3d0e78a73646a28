"""Rules that a person states of the states, held against the samples: what the table contradicts."""

from collections.abc import Iterator
from math import hypot

import numpy as np

from dolq_core.blocks import sum_text
from dolq_core.errors import grouped
from dolq_core.fitting.held_out import names_of_runs
from dolq_core.numerics.noise import LEAST, noise_levels
from dolq_core.records import Course, Dataset, Problem, Trajectory
from dolq_core.views.amounts import figure, in_words, with_unit

SIGMAS = 3.0
"""Standard deviation of a sum in a run, over that of its noise, from which it is not constant."""
BELOW = 6.0
"""Noise below zero that no sample of a positive state lies: chance alone goes to 4 of it in ten thousand samples."""
BACK = 10.0
"""Noise that no sample of a state that only rises lies below an earlier one: two of a million differ by 9.5 at most."""
MANY, CLEAN = 1000.0, 1e-5
"""Times the noise beyond which nobody counts, and share of noise in what varies that is none but rounding."""
KNOWN, UNKNOWN = 0.02, 0.3
"""The same over the spread of its parts, where noise is told, and where samples are too few for that."""


def contradicted(problem: Problem) -> tuple[str, ...]:
    """Return, as sentences, what the samples contradict: sums that stay, states that are positive, or go one way."""
    blocks, dataset = problem.blocks, problem.dataset
    if not (blocks.conserved or blocks.positive or blocks.monotone):
        return ()
    noise = np.nan_to_num(noise_levels([(run.t, run.x) for run in dataset.trajectories]))
    sums = (_varies(members, dataset, noise.tolist()) for members in blocks.conserved)
    below = (_negative(j, dataset, float(noise[j])) for j in blocks.positive)
    back = (_goes_back(j, course, dataset, float(noise[j])) for j, course in blocks.monotone)
    return tuple(filter(None, (*sums, *below, *back)))


def _varies(members: tuple[tuple[int, float], ...], dataset: Dataset, noise: list[float]) -> str:
    """Say that a sum is not constant, by the run in which it varies most; empty where it may be."""
    own = hypot(*(weight * noise[j] for j, weight in members))
    told = own > 0.0 or max(len(run.t) for run in dataset.trajectories) >= LEAST
    worst, most = "", 1.0
    for name, run in _measured(dataset, [j for j, _ in members]):
        parts = np.array([weight * run[:, j] for j, weight in members])
        whole = np.sum(parts, axis=0)
        spread = float(np.linalg.norm(np.std(parts, axis=1)))
        allowed = max(SIGMAS * own, (KNOWN if told else UNKNOWN) * spread)
        varies = float(np.std(whole))
        if allowed > 0.0 and varies > most * allowed:
            least, largest = float(np.min(whole)), float(np.max(whole))
            worst, most = f"{name}it goes from {_both(least, largest, members, dataset)}", varies / allowed
            worst += _in_noise(largest - least, own)
    return (
        f"{sum_text(members, [one.bare for one in dataset.states])} is not constant in these data: {worst}."
        if worst
        else ""
    )


def _negative(j: int, dataset: Dataset, noise: float) -> str:
    """Say that a state is clearly below zero, by its least sample; empty where it may be positive."""
    state, found = dataset.states[j], list(_measured(dataset, [j]))
    if not found:
        return ""
    name, run = min(found, key=lambda one: float(np.min(one[1][:, j])))
    least = float(np.min(run[:, j]))
    size = max(float(np.max(np.abs(one[:, j]))) for _, one in found)
    if -least <= max(BELOW * noise, KNOWN * size):
        return ""
    where = f" {name.rstrip()}" if name else ""
    return f"{state.bare} is stated positive, and is {with_unit(least, state.unit)}{where}{_in_noise(-least, noise)}."


def _goes_back(j: int, course: Course, dataset: Dataset, noise: float) -> str:
    """Say that a state that only rises falls, or the other way, by the run in which it does most; empty where none."""
    state, way, found = dataset.states[j], 1.0 if course == "rising" else -1.0, list(_measured(dataset, [j]))
    most, worst = max([BACK * noise, *(KNOWN * float(np.ptp(run[:, j])) for _, run in found)]), ""
    for name, run in found:
        furthest = np.maximum.accumulate(way * run[:, j])
        behind = furthest - way * run[:, j]
        at = int(np.argmax(behind))
        if behind[at] > most:
            most, (before, there) = float(behind[at]), (way * float(furthest[at]), float(run[at, j]))
            worst = f"{name}it goes from {figure(before)} to {with_unit(there, state.unit)}{_in_noise(most, noise)}"
    return f"{state.bare} is stated to be only {course}, and {worst}." if worst else ""


def _measured(dataset: Dataset, states: list[int]) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the rows of each run in which these states were measured, with "in run ... " where there are several."""
    names = names_of_runs(dataset)
    for name, run in zip(names, dataset.trajectories, strict=True):
        rows = _rows(run, states)
        if len(rows) > 1:
            yield f"in run {name} " if len(names) > 1 else "", rows


def _rows(run: Trajectory, states: list[int]) -> np.ndarray:
    return run.x[np.all(np.isfinite(run.x[:, states]), axis=1)]


def _both(low: float, high: float, members: tuple[tuple[int, float], ...], dataset: Dataset) -> str:
    units = {dataset.states[j].unit for j, _ in members}
    unit = units.pop() if len(units) == 1 else ""
    return f"{figure(low)} to {figure(high)} {in_words(high, unit)}".rstrip()


def _in_noise(size: float, noise: float) -> str:
    if noise <= CLEAN * size:
        return ""
    times = f"{float(f'{size / noise:.2g}'):.0f}" if size < MANY * noise else f"over {grouped(MANY, '.0f')}"
    return f", {times} times the noise"
