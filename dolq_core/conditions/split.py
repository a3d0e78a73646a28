"""Runs by condition: those at the same level of a column, or each run by itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dolq_core.errors import DataError
from dolq_core.fitting.held_out import names_of_runs
from dolq_core.records import Dataset

ALIKE = 1e-9
"""Difference over the larger of two values up to which they are one level."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Runs under one condition.

    Attributes:
        label: what it is called; levels: by the name of a column that stays at a level in each run, that level.
        dataset: its runs, without those columns.
    """

    label: str
    levels: dict[str, float]
    dataset: Dataset


def split(dataset: Dataset, by: str = "") -> tuple[Condition, ...]:
    """Return the conditions of a data set; raise DataError where there are fewer than two.

    by: an input that stays at a level in each run; runs at the same level are one condition. Empty: each run is one.
    """
    steady = steady_inputs(dataset)
    names = [variable.name for variable in dataset.inputs]
    if by and by not in [names[j] for j in steady]:
        reason = "it changes within a run" if by in names else "it is no input of these data"
        way_out = "Give a column that has one value in each run, as an input; or none: then each run is a condition."
        raise DataError(f"The condition {by!r}", reason, way_out)
    groups = _groups(dataset, names.index(by)) if by else [[i] for i in range(len(dataset.trajectories))]
    if len(groups) < 2:
        raise DataError("These runs", "there is one condition only", "Give runs under at least two conditions.")
    return tuple(_condition(dataset, own, steady, by) for own in groups)


def steady_inputs(dataset: Dataset) -> list[int]:
    """Return the inputs that have one value in each run."""
    runs = range(len(dataset.trajectories))
    return [j for j in range(len(dataset.inputs)) if all(_is_steady(dataset, i, j) for i in runs)]


def _is_steady(dataset: Dataset, run: int, column: int) -> bool:
    inputs = dataset.trajectories[run].inputs
    values = np.empty(0) if inputs is None else inputs[:, column]
    return bool(len(values)) and float(np.ptp(values)) <= ALIKE * max(float(np.max(np.abs(values))), 1e-300)


def _groups(dataset: Dataset, column: int) -> list[list[int]]:
    """Runs by their level, the lowest first."""
    levels = [_level(dataset, i, column) for i in range(len(dataset.trajectories))]
    groups: list[list[int]] = []
    for i in sorted(range(len(levels)), key=lambda i: (levels[i], i)):
        alike = groups and levels[i] - levels[groups[-1][0]] <= ALIKE * max(abs(levels[i]), abs(levels[groups[-1][0]]))
        if alike:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


def _level(dataset: Dataset, run: int, column: int) -> float:
    inputs = dataset.trajectories[run].inputs
    assert inputs is not None
    return float(inputs[0, column])


def _condition(dataset: Dataset, own: Sequence[int], steady: Sequence[int], by: str) -> Condition:
    kept = [j for j in range(len(dataset.inputs)) if j not in steady]
    runs = [dataset.trajectories[i] for i in own]
    levels = {dataset.inputs[j].name: float(np.mean([_level(dataset, i, j) for i in own])) for j in steady}
    label = f"{by} = {levels[by]:.4g}" if by else names_of_runs(dataset)[own[0]]
    driven = [replace(run, inputs=None if run.inputs is None or not kept else run.inputs[:, kept]) for run in runs]
    part = replace(dataset, trajectories=tuple(driven), inputs=tuple(dataset.inputs[j] for j in kept))
    return Condition(label, levels, part)
