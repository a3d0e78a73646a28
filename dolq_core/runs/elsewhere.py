"""The law of a run away from its data: rates at any points, a path from any start, a score on other measurements."""

from dolq_core import panels
from dolq_core.arrays import Floats
from dolq_core.fitting import Simulation
from dolq_core.recordings import bench_of
from dolq_core.records import Dataset, Settings, TrajectoryScore
from dolq_core.runs.running import Run


def rates_at(run: Run, x: Floats, t: Floats, inputs: Floats) -> Floats:
    """Return dx/dt (n, d) at points x (n, d), times t (n,) and inputs (n, u); raise FitError without a law."""
    return panels.rates_at(run.state, x, t, inputs)


def path_from(run: Run, start: Floats, t: Floats, inputs: Floats) -> Simulation:
    """Return the path from `start` (d,) at t[0] through the times t (n,); NaN and a reason where it leaves."""
    return panels.path_from(run.state, start, t, inputs)


def score_on(run: Run, dataset: Dataset) -> TrajectoryScore:
    """Return the error of the simulated law on another data set of the same columns, per state over its variance.

    No coefficient is fitted again. The start of each run is the first sample where the data are clean and dense, else
    the one that explains the run best, as everywhere in the program.
    """
    return bench_of(dataset, Settings(held_out=0.0)).trajectory_score(panels.complete(run.state))
