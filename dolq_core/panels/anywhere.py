"""The best system anywhere: its rates at any points, its path from any start, and how it explains other data."""

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.errors import FitError
from dolq_core.fitting import Simulation, names_of
from dolq_core.fitting.trajectories import BLOWN_UP, right_side
from dolq_core.numerics.integrate import simulate
from dolq_core.panels.system import MISSING, as_far, rate, reported
from dolq_core.records import EquationFit, RunState


def rates_at(state: RunState, x: Floats, t: Floats, inputs: Floats) -> Floats:
    """Return dx/dt (n, d) at the points x (n, d), times t (n,) and inputs (n, u); NaN where it is not defined.

    Raises FitError while an equation is missing.
    """
    symbols = names_of(state.problem.dataset).symbols
    at = np.vstack((x.T, inputs.T))
    found = np.column_stack([rate(fit, at, t, symbols) for fit in complete(state)])
    return np.where(np.isfinite(found), found, np.nan)


def path_from(state: RunState, start: Floats, t: Floats, inputs: Floats) -> Simulation:
    """Return the states (n, d) from `start` (d,) at t[0] through increasing times t (n,); NaN where it leaves.

    inputs: (n, u) at these times, with straight lines between them. Raises FitError while an equation is missing.
    """
    data = np.concatenate([run.x for run in state.problem.dataset.trajectories])
    size = np.maximum(np.nanmax(np.abs(data), axis=0), np.abs(start))
    bound = BLOWN_UP * np.where(size > 0.0, size, 1.0)
    rhs = right_side(complete(state), names_of(state.problem.dataset).symbols, t, inputs)

    def follow(times: Floats) -> Simulation:
        path = simulate(rhs, start, times, bound)
        return Simulation(path.t, path.x, path.failure)

    return as_far(follow, t)


def complete(state: RunState) -> tuple[EquationFit, ...]:
    """Return the equation of every state with its reported coefficients; raise FitError while one is missing."""
    fits = reported(state)
    if not fits:
        raise FitError("The system", MISSING.rstrip(".").lower(), "Do a step first.")
    return fits
