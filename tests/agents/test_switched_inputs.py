"""An input that is only switched on and off: on its two levels every shape is a line."""

import numpy as np
import pytest

from dolq_core.agents.builtin.library import LAST_STAGE, on_data
from dolq_core.arrays import frozen
from dolq_core.records import Dataset, Problem, Trajectory, Variable
from tests.agents.problems import begun


@pytest.mark.parametrize(("high", "are_tried"), [(60.0, False), (30.0, True)])
def test_shapes_of_a_switch_are_not_tried(high, are_tried):
    t = np.arange(200.0)
    u = np.where(t % 50 < 25, 60.0, 0.0)
    u[60:80] = high * (u[60:80] > 0.0)
    x = 20.0 + np.convolve(u, 0.02 * 0.95**t)[:200]
    run = Trajectory(frozen(t), frozen(x[:, None]), frozen(u[:, None]))
    states, inputs = (Variable("T", "T"),), (Variable("heater", "heater"),)
    dataset = Dataset("heated", Variable("t", "t"), states, (run,), inputs)
    state, setup = begun(Problem(dataset, "The heater warms the room exponentially."))
    found = {entry.skeleton for entry in on_data(state, setup.bench, 0, LAST_STAGE)}
    assert {"heater", "T*heater", "exp(params[0]*T)"} <= found
    assert bool(found & {"heater**2", "exp(params[0]*heater)", "T/(params[0] + heater)"}) == are_tried
