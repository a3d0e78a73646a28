"""Every number of the law has a row; those that are one have one; a profile says how well each is told."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.records import Dataset, Problem, Settings, Trajectory, Variable
from dolq_core.views.numbers import numbers, profiled, shared
from dolq_core.views.summary import stands
from tests.loop.states import logistic_problem
from tests.stored import fitted
from tests.test_residuals import RIGHT, noisy

CHAIN = [["x"], ["x", "y"]]
"""Terms of x' = -k x, y' = k x - m y: what leaves x enters y."""


def chain(noise: float = 0.01, points: int = 120) -> Problem:
    t = np.linspace(0.0, 8.0, points)
    x = 2.0 * np.exp(-0.5 * t)
    y = (np.exp(-0.2 * t) - np.exp(-0.5 * t)) / 0.3  # k = 0.5, m = 0.2
    both = np.column_stack((x, y)) + noise * np.random.default_rng(5).normal(size=(points, 2))
    run = Trajectory(frozen(t), frozen(both))
    states = (Variable("x", "x", "mM"), Variable("y", "y", "mM"))
    return Problem(Dataset("chain", Variable("t", "t", "h"), states, (run,)))


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_what_leaves_one_state_and_enters_the_other_is_one_row(noise):
    run = fitted(chain(noise), CHAIN, Settings(held_out=0.0))
    (one,) = shared(run)
    assert not one.declared
    assert [place.endswith(r"\dot{x}") or place.endswith(r"\dot{y}") for place in one.where] == [True, True]
    assert abs(one.value) == pytest.approx(0.5, rel=0.02)
    apart = [number.std_error for number in numbers(run) if number.text == "x"]
    assert one.std_error <= min(apart)


def test_constants_that_differ_stay_two_rows():
    wrong = chain()
    (run,) = wrong.dataset.trajectories
    halved = replace(run, x=frozen(run.x * (1.0, 0.5)))  # half of y: what enters it is half of what leaves x
    wrong = replace(wrong, dataset=replace(wrong.dataset, trajectories=(halved,)))
    assert shared(fitted(wrong, CHAIN, Settings(held_out=0.0))) == ()


def test_units_stand_beside_the_numbers():
    assert [one.unit for one in numbers(fitted(chain(), CHAIN, Settings(held_out=0.0)))] == ["1/h"] * 3


def test_where_the_likelihood_is_a_parabola_the_profile_is_the_interval_of_the_standard_error():
    run = fitted(noisy(points=200), RIGHT, Settings(held_out=0.0))
    for place, one in enumerate(numbers(run)):
        found = profiled(run, place)
        assert found.nats.min() == 0.0
        assert found.low == pytest.approx(one.value - 1.96 * one.std_error, abs=0.3 * one.std_error)
        assert found.high == pytest.approx(one.value + 1.96 * one.std_error, abs=0.3 * one.std_error)


def test_a_number_that_the_data_bound_on_one_side_alone_has_no_other_end():
    """x' = -2 x / (p + x) while x stays far below p: only the ratio is told, so that p has no upper end."""
    t = np.linspace(0.0, 3.0, 60)
    x = 0.05 * np.exp(-t) + 2e-4 * np.random.default_rng(1).normal(size=60)
    problem = Problem(
        Dataset("far", Variable("t", "t"), (Variable("x", "x"),), (Trajectory(frozen(t), frozen(x[:, None])),))
    )
    run = fitted(problem, [["x/(params[0] + x)"]], Settings(held_out=0.0))
    (inside,) = [k for k, one in enumerate(numbers(run)) if one.inner == 0]
    found = profiled(run, inside)
    assert found is None or None in (found.low, found.high)


def test_no_profile_without_a_law():
    run = runs.load(runs.open_store(), runs.start(runs.open_store(), logistic_problem(60)))
    assert profiled(run, 0) is None


def test_what_noise_alone_makes_a_simulation_miss_is_known():
    ((_, at_noise, may_miss),) = stands(fitted(noisy(noise=0.05), RIGHT, Settings(held_out=0.0)).state)
    assert at_noise
    assert may_miss == pytest.approx((1.5 * 0.05) ** 2 / np.var(noisy().dataset.trajectories[0].x), rel=0.5)


def test_runs_that_lie_far_apart_may_miss_no_less_for_it():
    state = fitted(noisy(noise=0.05), RIGHT, Settings(held_out=0.0)).state
    (one,) = state.problem.dataset.trajectories
    both = replace(state.problem.dataset, trajectories=(one, replace(one, x=frozen(one.x + 100.0))))
    ((_, _, alone),), ((_, _, beside),) = stands(state), stands(replace(state, problem=Problem(both)))
    assert beside == pytest.approx(alone)
