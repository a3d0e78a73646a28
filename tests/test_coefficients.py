"""A slider per coefficient: its range, and what moving it does."""

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.bundled import generate
from dolq_core.records import Dataset, Problem, Settings, Trajectory, Variable
from dolq_core.views.equations import panels
from dolq_core.views.forecast import moved
from dolq_core.views.numbers import numbers
from dolq_core.views.trajectories import curves
from tests.loop.states import logistic_problem
from tests.stored import fitted
from tests.test_residuals import RIGHT, noisy


@pytest.fixture
def logistic() -> runs.Run:
    return fitted(logistic_problem(100), RIGHT)


def test_every_coefficient_has_a_range_with_zero_and_the_fitted_value(logistic):
    growth, brake = numbers(logistic)
    assert (growth.text, growth.equation_name) == ("x", "x")
    assert (growth.low, growth.high) == pytest.approx((-2.0, 3.0), rel=1e-3)
    assert (brake.low, brake.high) == pytest.approx((-3.0, 2.0), rel=1e-3)
    for knob in (growth, brake):
        assert knob.low < 0.0 < knob.high
        assert ((knob.value - knob.low) / knob.step) == pytest.approx(round((knob.value - knob.low) / knob.step))


def test_a_vague_coefficient_can_be_moved_by_five_standard_errors():
    run = fitted(noisy(points=60, noise=0.2), [["x", "x**2", "x**3"]])
    (panel,) = panels(run)
    for knob, term in zip(numbers(run), panel.terms, strict=True):
        widest = max(10.0 * term.std_error, 5.0 * abs(term.coefficient))
        assert knob.high - knob.low == pytest.approx(widest)
        assert knob.low < 0.0 < knob.high
    assert any(10.0 * term.std_error > 5.0 * abs(term.coefficient) for term in panel.terms)


def test_at_the_fitted_values_it_is_the_fitted_curve(logistic):
    found = moved(logistic, 0, [knob.value for knob in numbers(logistic)])
    assert np.allclose(found.x[:, 0], 1.0 / (1.0 + 9.0 * np.exp(-found.t)), atol=1e-5)
    assert found.nmse[0] < 1e-9


def test_a_moved_coefficient_moves_the_curve_and_the_error(logistic):
    found = moved(logistic, 0, [1.0, -2.0])
    assert found.x[-1, 0] == pytest.approx(0.5, abs=0.01)  # the level at which growth and brake are even
    assert found.nmse[0] > 0.1
    assert found.failure == ""


def test_the_error_as_fitted_is_that_of_the_chart():
    """It was that of all rows over their own variance, beside one of the fitted rows: two numbers for one thing."""
    run = fitted(noisy(points=80, noise=0.05), RIGHT)
    assert run.state.settings.held_out > 0.0
    (curve,) = curves(run)
    assert moved(run, 0, [knob.value for knob in numbers(run)]).nmse == pytest.approx(curve.nmse, rel=2e-3)


def test_so_is_that_of_each_of_several_runs():
    t = np.linspace(0.0, 6.0, 80)
    noise = 0.02 * np.random.default_rng(4).normal(size=(2, 80, 1))
    values = [
        1.0 / (1.0 + (1.0 / x - 1.0) * np.exp(-t))[:, None] + own for x, own in zip((0.1, 0.6), noise, strict=True)
    ]
    both = tuple(Trajectory(frozen(t), frozen(x), label=str(k)) for k, x in enumerate(values))
    run = fitted(Problem(Dataset("two", Variable("t", "t"), (Variable("x", "x"),), both)), RIGHT)
    asked = [knob.value for knob in numbers(run)]
    for number, curve in enumerate(curves(run)):
        assert moved(run, number, asked).nmse == pytest.approx(curve.nmse, rel=2e-2)


def test_values_that_run_away_give_a_sentence_and_the_curve_up_to_there(logistic):
    found = moved(logistic, 0, [3.0, 2.0])
    assert found.nmse == (None,)
    assert found.failure.startswith("The model leaves at t = ")
    assert "The simulation blew up near t = " in found.failure
    known = np.isfinite(found.x[:, 0])
    assert 0 < known.sum() < len(known)


def test_moving_changes_nothing_that_is_stored(logistic):
    moved(logistic, 0, [0.0, 0.0])
    assert numbers(runs.load(runs.open_store(), logistic.id)) == numbers(logistic)


def test_each_run_is_moved_from_its_own_start():
    run = fitted(noisy(several=2, noise=0.002), RIGHT, Settings(held_out=0.0))
    first, second = (moved(run, number, [0.0, 0.0]).x[-1, 0] for number in (0, 1))
    assert (first, second) == pytest.approx((0.1, 2 / 11), abs=0.01)


def test_a_number_inside_a_term_is_moved_too():
    """dx/dt = 2 - 2 exp(-0.5 x): with the 0.5 at 0 it stands still."""
    t = np.linspace(0.0, 6.0, 120)
    x = 2.0 * np.log1p((np.exp(0.25) - 1.0) * np.exp(t))  # the solution from x(0) = 0.5
    problem = Problem(
        Dataset("cup", Variable("t", "t"), (Variable("x", "x"),), (Trajectory(frozen(t), frozen(x[:, None])),))
    )
    run = fitted(problem, [["1", "exp(-params[0]*x)"]])
    constant, outer, inner = numbers(run)
    assert (constant.inner, outer.inner, inner.inner) == (None, None, 0)
    assert (constant.value, outer.value, inner.value) == pytest.approx((2.0, -2.0, 0.5), rel=1e-2)
    still = moved(run, 0, [constant.value, -constant.value, 0.0])
    assert still.x[-1, 0] == pytest.approx(0.5, abs=0.02)


def test_without_a_law_there_is_nothing_to_move():
    store = runs.open_store()
    run = runs.load(store, runs.start(store, generate(2, points=60)))
    assert numbers(run) == ()
    assert moved(run, 0, []).x is None
