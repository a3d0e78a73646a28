"""Before the first step: whether the data are fit for discovery, and whether the description helps."""

import hashlib
from dataclasses import replace

from dolq_core import panels
from dolq_core.errors import FitError
from dolq_core.recordings import bench_of
from dolq_core.records import Dataset, Problem, Settings
from dolq_core.runs.recent import Recent

_checked: Recent[str, panels.Fitness] = Recent(32)


def fitness(problem: Problem, settings: Settings | None = None) -> panels.Fitness:
    """Return what the data allow, by the very workbench that a run with these settings fits with.

    Raises DataError when a run that is to be held out does not exist. What was checked last is remembered.
    """
    used = settings or Settings()
    mark = _mark(problem, used)
    found = _checked.get(mark)
    if found is None:
        found = _fitness(problem, used)
        _checked.put(mark, found)
    return found


def _fitness(problem: Problem, settings: Settings) -> panels.Fitness:
    try:
        bench = bench_of(problem.dataset, settings)
        left_to_itself = settings.target == "auto"
        advised = bench if left_to_itself else bench_of(problem.dataset, replace(settings, target="auto"))
    except FitError as error:
        return panels.unfit(error)
    return panels.fitness(problem, bench, advised)


def _mark(problem: Problem, settings: Settings) -> str:
    """Tell apart all that the checks depend on."""
    dataset = problem.dataset
    words = (dataset.time, dataset.states, dataset.inputs, dataset.weights, dataset.derivatives, problem.description)
    mark = hashlib.sha256(repr((words, settings)).encode())
    for run in dataset.trajectories:
        mark.update(repr((run.label, run.x.shape)).encode())
        for values in (run.t, run.x, *(p for p in (run.inputs, run.weights, run.derivatives) if p is not None)):
            mark.update(values.tobytes())
    return mark.hexdigest()


def description_notes(text: str, dataset: Dataset | None = None) -> tuple[panels.Note, ...]:
    """Return what to mind in a description: formulas, which may not be told, and variables that it never names."""
    return panels.description_notes(text, dataset)
