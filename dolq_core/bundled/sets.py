"""Bundled data sets by their ids."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.bundled.descriptions import Bundled, describe, folder, ids
from dolq_core.bundled.systems import PAPER_SYSTEMS, generate
from dolq_core.data import read_table, understand
from dolq_core.errors import DataError
from dolq_core.records import Dataset, Preparation, Problem, Trajectory

LABELS: Final = ("first", "second")
END: Final = 10.0  # of each run of noise
_SEED_STEP: Final = 1_000_003  # between the seeds of two runs: they must not share their noise
_LAWLESS: Final[dict[str, Callable[[Floats], Floats]]] = {
    "noise": lambda draws: draws,
    "random-walk": lambda draws: np.cumsum(draws, axis=0),
}


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """The choices that a computed set leaves open.

    Attributes:
        points: samples of each run.
        noise: standard deviation of white noise on every sample, in units of each state's own along its run.
        starts: 1 for one run, 2 for a second one from another initial state.
        seed: of all random numbers.
    """

    points: int = 1000
    noise: float = 0.0
    starts: int = 1
    seed: int = 0


def sample_system(system_id: int, how: SamplePlan) -> Problem:
    """Return a system of the paper, sampled so; its name and source say how. Raise DataError where it cannot be.

    The second run goes from the paper's shifted initial state.
    """
    _check(how)
    first, *others = (
        generate(system_id, start, points=how.points, noise=how.noise, relative=True, seed=_seed(how, start))
        for start in range(how.starts)
    )
    runs = [one.dataset.trajectories[0] for one in (first, *others)]
    noise = f"noise of {100 * how.noise:.3g} % of each state's standard deviation, seed {how.seed}"
    return replace(first, dataset=_described(first.dataset, runs, how, noise if how.noise else "no noise"))


def sample_lawless(words: Bundled, how: SamplePlan) -> Problem:
    """Return white noise or a random walk; raise DataError where it cannot be drawn so."""
    _check(how)
    if how.noise:
        raise DataError(f"The data set '{words.id}'", "it is noise already", "Leave the noise at 0.")
    runs: list[Trajectory] = []
    for start in range(how.starts):
        draws = np.random.default_rng(_seed(how, start)).normal(size=(how.points, len(words.states)))
        runs.append(Trajectory(frozen(np.linspace(0.0, END, how.points)), frozen(_LAWLESS[words.id](draws))))
    return Problem(_described(words.dataset(()), runs, how, f"seed {how.seed}"), words.description)


def _described(dataset: Dataset, runs: Sequence[Trajectory], how: SamplePlan, noise: str) -> Dataset:
    """Return the set with these runs; its name and source say how they were drawn."""
    if len(runs) > 1:
        runs = [replace(run, label=label) for run, label in zip(runs, LABELS, strict=True)]
    drawn = f"{how.points} samples of " + (f"each of {how.starts} runs" if how.starts > 1 else "one run")
    parts = [
        f"{100 * how.noise:.3g} % noise" if how.noise else "",
        f"{how.points} points" if how.points != SamplePlan().points else "",
        f"{how.starts} runs" if how.starts > 1 else "",
        f"seed {how.seed}" if "seed" in noise and how != SamplePlan() else "",
    ]
    name = ", ".join([dataset.name, *filter(None, parts)])
    source = f"{dataset.source} As drawn: {drawn}, {noise}."
    return replace(dataset, name=name, trajectories=tuple(runs), source=source)


def _seed(how: SamplePlan, start: int) -> int:
    return how.seed + start * _SEED_STEP


def _check(how: SamplePlan) -> None:
    if how.points < 2:
        raise DataError("A computed set", f"{how.points} points make no trajectory", "Choose at least 2.")
    if how.starts not in (1, 2):
        raise DataError("A computed set", f"{how.starts} starts cannot be had", "Choose 1 or 2.")
    if how.seed < 0:
        raise DataError("A computed set", f"{how.seed} is no seed", "Choose a whole number of 0 or more.")


# --- sets by their ids -----------------------------------------------------------------------------


AS_IT_IS: Final = Preparation()
_KINDS: Final = ("real", "generated", "nothing")
_FIRST: Final = ("yeast", "lynx-hare", "coffee", "flu", "alpha-pinene", "gause-competition", "didinium")


def bundled() -> tuple[Bundled, ...]:
    """Return all sets in words, in the order to offer them: measured ones, systems 1 to 8, those without a law."""
    order = {set_id: place for place, set_id in enumerate(_FIRST)}
    return tuple(
        sorted(map(describe, ids()), key=lambda one: (_KINDS.index(one.kind), order.get(one.id, len(order)), one.id))
    )


def load_bundled(
    set_id: str, how: SamplePlan | None = None, preparation: Preparation = AS_IT_IS, states: Sequence[str] = ()
) -> Problem:  # fmt: skip
    """Return a set with its description, ready for the first step; raise DataError when there is none of that id.

    how: to draw a computed set; measured ones are as they were measured.
    preparation: of a measured set; what it derives are further states.
    states: the columns of a measured set that are states, derived ones among them; empty for all.
    """
    words = describe(set_id)
    if words.kind != "real" and (preparation != AS_IT_IS or states):
        reason = "it was computed: its columns are neither scaled, derived nor chosen"
        raise DataError(f"The data set '{set_id}'", reason, "Take it as it is.")
    if words.kind == "generated":
        return sample_system(next(system.id for system in PAPER_SYSTEMS if system.key == set_id), how or SamplePlan())
    if words.kind == "nothing":
        return sample_lawless(words, how or SamplePlan())
    if how is not None:
        raise DataError(f"The data set '{set_id}'", "it was measured and cannot be drawn anew", "Take it as it is.")
    return _measured(words, preparation, tuple(states))


@lru_cache(maxsize=16)
def _measured(words: Bundled, preparation: Preparation, states: tuple[str, ...]) -> Problem:
    columns = (words.time, *words.states)
    scaled = {one.column: one.unit for one in preparation.scaled}
    units = {column.name: scaled.get(column.name, column.unit) for column in columns}
    data = understand(
        read_table(folder(words.id) / "data.csv"),
        time=words.time.name,
        states=states or [*(state.name for state in words.states), *(new.name for new in preparation.derived)],
        run=words.run,
        name=words.title,
        units=units,
        meanings={column.name: column.meaning for column in columns},
        preparation=preparation,
    ).dataset
    return Problem(replace(data, source=words.source), words.description)
