"""The runs of an open run as conditions: one law, and which of its constants differ."""

from dolq_core import conditions
from dolq_core.conditions import Comparison, Constant, against, ratios, verdict
from dolq_core.conditions.split import steady_inputs
from dolq_core.runs import Run

__all__ = ["Comparison", "Constant", "against", "by_columns", "compared", "is_possible", "ratios", "verdict"]


def is_possible(run: Run) -> bool:
    """Whether there are runs to compare."""
    return len(run.state.problem.dataset.trajectories) > 1


def by_columns(run: Run) -> list[str]:
    """Return the inputs that have one value in each run: a condition may be their level."""
    dataset = run.state.problem.dataset
    return [dataset.inputs[j].name for j in steady_inputs(dataset)]


def compared(run: Run, by: str = "") -> Comparison:
    """Return one law for all conditions; raise DataError where there is one, FitError where no law is found."""
    return conditions.compare(run.state, by)
