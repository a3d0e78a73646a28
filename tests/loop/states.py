"""Small states and data for the tests of the loop."""

from dataclasses import replace

import numpy as np

from dolq_core.arrays import frozen
from dolq_core.loop.advance import begin
from dolq_core.records import Dataset, Problem, RunState, Settings, Start, Trajectory, Variable


def logistic_problem(points: int = 200, description: str = "") -> Problem:
    """x' = x - x**2 from 0.1, exactly."""
    t = np.linspace(0.0, 8.0, points)
    x = 1.0 / (1.0 + 9.0 * np.exp(-t))
    run = Trajectory(frozen(t), frozen(x[:, None]))
    return Problem(Dataset("logistic", Variable("t", "t"), (Variable("x", "x"),), (run,)), description)


def state_of(policy: str = "evidence", **changes) -> RunState:
    """A state of the logistic problem before its first iteration, with fields changed."""
    settings = Settings(strikes=policy)
    return replace(begin(Start(logistic_problem(20), settings)), **changes)
