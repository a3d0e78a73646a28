"""From grids to tasks, and from a task to the problem that its agents see."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import product
from typing import Any, Final

import numpy as np

from dolq_core.arrays import frozen
from dolq_core.errors import DataError
from dolq_core.records import Dataset, Models, Problem, Settings, Trajectory, Variable
from dolq_core.store import codec
from dolq_core.terms import Names, parse_term
from lab.campaign.laws import names_of, trajectory, true_law
from lab.campaign.records import Agents, Case, Naming, Task, Variant, Words

LATER: Final = ("inputs", "noise")
"""Knobs that came after campaigns were stored."""
MEASURED_LATER: Final = ("holds", "noise")
"""What of measured data did."""


@dataclass(frozen=True, slots=True)
class TaskGrid:
    """Everything that is varied; a task for each combination. Fields as in `Task`.

    Attributes:
        systems: ids to take of the suite; all where empty.
    """

    suite: str
    cases: tuple[Case, ...]
    systems: tuple[str, ...] = ()
    agents: tuple[Agents, ...] = ("builtin",)
    seeds: tuple[int, ...] = (0,)
    noise: tuple[float, ...] = (0.0,)
    sigma: tuple[float, ...] = (0.0,)
    runs: tuple[int, ...] = (1,)
    words: tuple[Words, ...] = ("given",)
    naming: tuple[Naming, ...] = ("own",)
    variants: tuple[Variant, ...] = (Variant(),)
    models: tuple[Models, ...] = ()


def tasks_of(grid: TaskGrid) -> tuple[Task, ...]:
    """Return the tasks of a grid, system by system; raise DataError for a system that the suite has not.

    What makes no sense is left out: noise and further starts for measured data, a description that nobody wrote.
    """
    unknown = sorted(set(grid.systems) - {case.id for case in grid.cases})
    if unknown:
        known = ", ".join(case.id for case in grid.cases)
        raise DataError(f"The suite {grid.suite!r}", f"it has no system {unknown[0]!r}", f"It has {known}.")
    cases = [case for case in grid.cases if not grid.systems or case.id in grid.systems]
    players: list[tuple[Agents, Models | None]] = [
        (agents, one) for agents in grid.agents for one in (grid.models if agents == "models" else (None,))
    ]
    axes = (cases, players, grid.variants, grid.words, grid.naming, grid.runs, grid.noise, grid.sigma, grid.seeds)
    every = (
        Task(grid.suite, case, agents, seed, noise, sigma, runs, words, naming, variant, models)
        for case, (agents, models), variant, words, naming, runs, noise, sigma, seed in product(*axes)
    )
    return tuple(task for task in every if _makes_sense(task))


def _makes_sense(task: Task) -> bool:
    case = task.case
    if case.measured is not None and (task.noise or task.sigma or task.runs > 1):
        return False
    return bool(described(task)) or task.words in ("given", "none")


def unique(tasks: Sequence[Task]) -> dict[str, Task]:
    """Return the tasks by id, in order, each once."""
    return {task_id(task): task for task in tasks}


def task_id(task: Task) -> str:
    """Return what names a task: a digest of all that its result depends on.

    Of the case's descriptions only the one that the agents get counts, so that another one can be added to a suite; a
    knob that is LATER than some stored campaigns counts where it is not at its default.
    """
    told = replace(task.case, description=described(task), partly_wrong="", fully_wrong="", next_words="")
    plain: Any = codec.to_plain(replace(task, case=told))
    for name in LATER:
        if getattr(task.variant.settings, name) == getattr(Settings(), name):
            del plain["variant"]["settings"][name]
    for name in MEASURED_LATER:
        if task.case.measured is not None and not getattr(task.case.measured, name):
            del plain["case"]["measured"][name]
    return sha256(codec.dumps(plain).encode()).hexdigest()[:16]


def name_of(task: Task) -> str:
    """Return a name of a task for people, that tells it from others of its campaign."""
    noise = f"noise {task.noise:g}" if task.noise else f"sigma {task.sigma:g}" if task.sigma else ""
    starts = f"{task.runs} initial states" if task.runs > 1 else ""
    words = f"description {task.words}" if task.words != "given" else ""
    columns = task.naming if task.naming != "own" else ""
    variant = task.variant.name if task.variant.name != "default" else ""
    models = f"{task.models.method} with {task.models.sampler.model}" if task.models is not None else ""
    seed = f"seed {task.seed}" if task.seed else ""
    title = f": {task.case.title}" if task.case.title != task.case.id else ""
    what = f"{task.suite} {task.case.id}{title}"
    return ", ".join(filter(None, (what, noise, starts, words, columns, models, variant, seed)))


def described(task: Task) -> str:
    """Return the description that the agents get."""
    case = task.case
    return {
        "given": case.description,
        "none": "",
        "partly wrong": case.partly_wrong,
        "fully wrong": case.fully_wrong,
        "of the next": case.next_words,
    }[task.words]


def seen(task: Task) -> Case:
    """Return the case as the agents see it: with its own names and meanings, or with x0, x1 ... and none."""
    return task.case if task.naming == "own" else anonymous(task.case)


def anonymous(case: Case) -> Case:
    """Return the case with its columns called x0, x1 ... and without their meanings."""
    plain = tuple(f"x{j}" for j in range(len(case.states)))
    states = tuple(Variable(name, name) for name in plain)
    renamed = Names(names_of(case).symbols, plain)
    texts = tuple(
        " + ".join(f"{value!r}*({parse_term(skeleton, renamed).skeleton})" for skeleton, value, _ in parts)
        for parts in true_law(case)
    )
    measured = None if case.measured is None else replace(case.measured, states=states)
    return replace(case, states=states, equations=texts, measured=measured)


def problem_of(task: Task) -> Problem:
    """Return the data and words of a task; the same task gives the same data, on another machine to eleven digits."""
    case = seen(task)
    if case.measured is not None:
        return Problem(case.measured, described(task))
    if task.runs > len(case.initial):
        raise DataError(
            f"The system {case.id!r}",
            f"{task.runs} runs are asked for, and it has {len(case.initial)} initial states",
            "Ask for fewer, or write more initial states into the suite.",
        )
    paths = [trajectory(case, start, "id") for start in range(task.runs)]
    level = np.hypot(task.noise * np.std(np.concatenate([x for _, x in paths]), axis=0), task.sigma)
    rng = np.random.default_rng(task.seed)
    labels = [f"run {k + 1}" if task.runs > 1 else "" for k in range(task.runs)]
    runs = tuple(
        Trajectory(t, frozen(x + level * rng.normal(size=x.shape)), None, label)
        for (t, x), label in zip(paths, labels, strict=True)
    )
    return Problem(Dataset(case.title, Variable("t", "t"), case.states, runs), described(task))
