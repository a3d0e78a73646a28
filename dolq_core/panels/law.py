"""The best system as an export takes it along: with its runs, and where it starts to follow them."""

from collections.abc import Sequence

import numpy as np

from dolq_core.errors import ExportError
from dolq_core.export.law import Law, LawRun
from dolq_core.fitting import Workbench, names_of
from dolq_core.fitting.weighing import factors
from dolq_core.panels.forecast import own_start
from dolq_core.panels.system import MISSING, reported
from dolq_core.records import RunState, Status


def law(state: RunState, bench: Workbench, title: str, statuses: Sequence[tuple[Status, str]]) -> Law:
    """Return the system with its reported coefficients; raise ExportError while an equation is missing."""
    fits = reported(state)
    if not fits:
        raise ExportError(f"The run {title!r}", MISSING, "Go on with it, then export it.")
    dataset = state.problem.dataset
    counts = factors(dataset)
    runs = [
        LawRun(
            run.label or str(number + 1),
            run.t,
            run.x,
            np.empty((len(run.t), 0)) if run.inputs is None else run.inputs,
            own_start(state, bench, number),
            bench.held is not None and bench.held.place[number] is None,
            None if counts is None else counts[number],
        )
        for number, run in enumerate(dataset.trajectories)
    ]
    return Law(title, state.iteration, state.problem, names_of(dataset), fits, tuple(statuses), tuple(runs))
