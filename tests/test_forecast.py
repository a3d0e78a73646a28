"""Past the end of the data and from another start: followed as far as the law goes, and said where it ends."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.bundled import generate
from dolq_core.records import Dataset, Problem, Settings, Trajectory, Variable
from dolq_core.terms import safe_names
from dolq_core.views.forecast import forecast
from dolq_core.views.system import own_start
from tests.loop.states import logistic_problem
from tests.stored import fitted
from tests.test_residuals import POOR, RIGHT, noisy


def exact(t, start):
    return 1.0 / (1.0 + (1.0 / start - 1.0) * np.exp(-t))


def test_the_model_goes_on_past_the_data_by_as_much_as_was_asked():
    found = forecast(fitted(logistic_problem(100), RIGHT), 0, 2.0)
    assert found.since == 8.0
    assert found.model_t[-1] == pytest.approx(10.0)
    assert np.allclose(found.model[:, 0], exact(found.model_t, 0.1), atol=1e-5)
    assert found.words == ""


def test_another_start_is_followed_from_there():
    found = forecast(fitted(logistic_problem(100), RIGHT), 0, 1.0, [1.7])
    assert not found.is_own
    assert np.allclose(found.model[:, 0], exact(found.model_t, 1.7), atol=1e-4)


def test_a_model_that_blows_up_is_drawn_up_to_there_and_the_time_is_named():
    found = forecast(fitted(logistic_problem(100), RIGHT), 0, 1.0, [-0.5])
    pole = np.log(3.0)  # where exact(t, -0.5) has its pole
    assert found.left_at == pytest.approx(pole, abs=0.05)
    known = np.isfinite(found.model[:, 0])
    assert found.model_t[known][-1] == found.left_at
    assert np.allclose(found.model[known, 0], exact(found.model_t[known], -0.5), rtol=1e-3)
    assert found.words.startswith(f"The model leaves at t = {found.left_at:.4g}. The simulation blew up near t = ")


def test_a_law_without_a_bound_leaves_beyond_the_data():
    found = forecast(fitted(logistic_problem(100), POOR), 0, 1000.0)
    assert found.since < found.left_at < 1008.0


def test_noise_gives_a_band_that_widens_and_only_for_the_own_start():
    run = fitted(noisy(), RIGHT)
    found = forecast(run, 0, 2.0)
    width = found.high[:, 0] - found.low[:, 0]
    assert np.all(width[1:] > 0.0)
    assert forecast(run, 0, 2.0, [0.3]).low is None


def test_each_run_has_its_own_start():
    run = fitted(noisy(several=3, noise=0.002), RIGHT, Settings(held_out=0.0))
    starts = [own_start(run, number)[0] for number in range(3)]
    assert starts == pytest.approx([0.1, 2 / 11, 0.25], abs=0.01)
    assert forecast(run, 2, 1.0).start == (starts[2],)


def test_a_run_that_is_held_out_whole_is_followed_with_a_band_of_its_own_start():
    run = fitted(noisy(several=2), RIGHT, Settings(held_out=0.0, held_out_runs=("run 2",)))
    found = forecast(run, 1, 1.0)
    assert np.all(found.low[1:] < found.model[1:])
    assert np.all(found.model[1:] < found.high[1:])
    assert found.model[-1, 0] == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("held_out", [0.0, 0.2])
def test_beyond_the_data_inputs_keep_their_last_value(held_out):
    t = np.linspace(0.0, 6.0, 121)
    u = np.where(t < 3.0, 0.0, t - 3.0)
    x = np.zeros(121)
    x[61:] = (t[61:] - 3.0) - 1.0 + np.exp(-(t[61:] - 3.0))  # x' = u - x from rest
    run = Trajectory(frozen(t), frozen((x + 1.0 * np.exp(-t))[:, None]), frozen(u[:, None]))
    dataset = Dataset(
        "driven", Variable("t", "t"), (Variable("x", "x"),), (run,), (Variable("E", safe_names(["x", "E"]).symbols[1]),)
    )
    found = forecast(fitted(Problem(dataset), [["E", "x"]], Settings(held_out=held_out)), 0, 30.0)
    assert found.model[-1, 0] == pytest.approx(3.0, abs=0.01)  # it settles at the last input


def test_a_first_cell_that_is_missing_does_not_stop_it():
    problem = noisy()
    (run,) = problem.dataset.trajectories
    x = run.x.copy()
    x[0] = np.nan
    holed = replace(problem, dataset=replace(problem.dataset, trajectories=(replace(run, x=frozen(x)),)))
    assert forecast(fitted(holed, RIGHT), 0, 1.0).model is not None


def test_without_a_law_there_is_nothing_to_follow():
    store = runs.open_store()
    run = runs.load(store, runs.start(store, generate(2, points=60)))
    assert own_start(run, 0) == ()
    assert forecast(run, 0, 1.0).model is None
