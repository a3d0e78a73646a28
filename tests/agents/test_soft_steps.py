"""A soft step that is steeper than the samples can tell is a sign."""

import numpy as np

from dolq_core.agents.builtin.exact import Exact
from dolq_core.agents.builtin.library import LAST_STAGE, on_data
from dolq_core.arrays import frozen
from dolq_core.records import Trajectory
from tests.agents.problems import begun, problem, terms_of


def test_a_fitted_soft_step_is_also_tried_as_a_sign():
    t = np.linspace(0.0, 3.0, 80)
    runs = tuple(Trajectory(frozen(t), frozen(side * (9.0 - 2.0 * t)[:, None])) for side in (1.0, -1.0))
    state, setup = begun(problem(None, None, ["x0"], "Dry friction stops it.", runs))
    soft = next(e for e in on_data(state, setup.bench, 0, LAST_STAGE) if e.skeleton == "tanh(params[0]*x0)")
    exact = Exact(setup.bench, 0, None, (), {soft.skeleton: soft.simpler})
    assert terms_of(exact.simplified(setup.bench.fit(0, [soft.skeleton]))) == {"sign(x0)"}
