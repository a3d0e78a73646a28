"""How a computed set is drawn: how many samples, how much noise, from how many starts, with which seed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from dolq_core.data.benchmarks import generate
from dolq_core.errors import DataError
from dolq_core.records import Dataset, Problem, Trajectory

LABELS: Final = ("first", "second")
_APART: Final = 1_000_003  # between the seeds of two runs: they must not share their noise


@dataclass(frozen=True, slots=True)
class Sampling:
    """The choices that a computed set leaves open.

    Attributes:
        points: samples of each run.
        noise: standard deviation of white noise on every sample, in units of each state's own along its run.
        starts: 1 for one run, 2 for a second one from another start.
        seed: of everything that is drawn by chance.
    """

    points: int = 1000
    noise: float = 0.0
    starts: int = 1
    seed: int = 0


def computed(system_id: int, how: Sampling) -> Problem:
    """Return a system of the paper, sampled so; its name and its source tell how. Raise DataError where it cannot be.

    The second run goes from the paper's shifted initial state.
    """
    check(how)
    first, *others = (
        generate(system_id, start, points=how.points, noise=how.noise, relative=True, seed=seed_of(how, start))
        for start in range(how.starts)
    )
    runs = [one.dataset.trajectories[0] for one in (first, *others)]
    chance = f"noise of {100 * how.noise:.3g} % of each state's standard deviation, seed {how.seed}"
    return replace(first, dataset=told(first.dataset, runs, how, chance if how.noise else "no noise"))


def told(dataset: Dataset, runs: Sequence[Trajectory], how: Sampling, chance: str) -> Dataset:
    """Return the set with these runs; its name and its source tell how they were drawn, and by what `chance`."""
    if len(runs) > 1:
        runs = [replace(run, label=label) for run, label in zip(runs, LABELS, strict=True)]
    drawn = f"{how.points} samples of " + (f"each of {how.starts} runs" if how.starts > 1 else "one run")
    parts = [
        f"{100 * how.noise:.3g} % noise" if how.noise else "",
        f"{how.points} points" if how.points != Sampling().points else "",
        f"{how.starts} runs" if how.starts > 1 else "",
        f"seed {how.seed}" if "seed" in chance and how != Sampling() else "",
    ]
    name = ", ".join([dataset.name, *filter(None, parts)])
    return replace(
        dataset, name=name, trajectories=tuple(runs), source=f"{dataset.source} As drawn: {drawn}, {chance}."
    )


def seed_of(how: Sampling, start: int) -> int:
    """Return the seed of one run."""
    return how.seed + start * _APART


def check(how: Sampling) -> None:
    """Raise DataError where no set can be drawn so."""
    if how.points < 2:
        raise DataError("A computed set", f"{how.points} points make no trajectory", "Choose at least 2.")
    if how.starts not in (1, 2):
        raise DataError("A computed set", f"{how.starts} starts cannot be had", "Choose 1 or 2.")
    if how.seed < 0:
        raise DataError("A computed set", f"{how.seed} is no seed", "Choose a whole number of 0 or more.")
