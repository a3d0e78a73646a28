"""A system with known inputs is followed from one of their samples to the next."""

import numpy as np
import pytest

from dolq_core.numerics.integrate import near, simulate
from dolq_core.numerics.pieces import Driven

BOUND = np.array([1e3])


def relaxed(s):
    """The solution of x' = u - x from 0 with u rising from 0 at time 3 on: zero, then s - 3 - 1 + exp(3 - s)."""
    return np.where(s < 3.0, 0.0, s - 4.0 + np.exp(3.0 - s))


def test_a_kink_costs_no_accuracy_and_few_evaluations():
    times = np.linspace(0.0, 6.0, 121)
    rhs = Driven(lambda t, v: [v[1] - v[0]], times, np.maximum(times - 3.0, 0.0)[:, None])
    t = np.linspace(0.0, 6.0, 50)
    path = simulate(rhs, np.array([0.0]), t, BOUND, rtol=1e-9)
    assert np.max(np.abs(path.x[:, 0] - relaxed(t))) < 1e-8
    assert path.evaluations < 1500  # 4,000 where the solver has to find the kinks


def test_inputs_keep_their_value_outside_their_samples():
    driven = Driven(lambda t, v: [v[1]], np.array([1.0, 2.0]), np.array([[5.0], [7.0]]))
    assert [driven.inputs(t) for t in (0.0, 1.0, 1.5, 2.0, 9.0)] == [[5.0], [5.0], [6.0], [7.0], [7.0]]


def test_a_stiff_driven_system_falls_back_to_the_other_solvers():
    times = np.linspace(0.0, 1.0, 11)
    rhs = Driven(lambda t, v: [-1e5 * (v[0] - v[1])], times, times[:, None])
    path = simulate(rhs, np.array([0.0]), np.array([0.0, 0.5, 1.0]), BOUND)
    assert path.failure == ""
    assert path.x[:, 0] == pytest.approx([0.0, 0.5, 1.0], abs=1e-4)


def test_a_driven_system_that_blows_up_says_when():
    rhs = Driven(lambda t, v: [v[0] ** 2 + v[1]], np.array([0.0, 9.0]), np.ones((2, 1)))
    assert "blew up near t = 1.5" in simulate(rhs, np.array([0.0]), np.array([0.0, 9.0]), BOUND).failure


@pytest.mark.parametrize(
    ("t", "said"), [(87.8595, "87.8"), (2015.37, "2015"), (0.0123456, "0.0123"), (0.99996, "0.999")]
)
def test_a_time_in_a_sentence_has_three_digits_and_all_before_the_point(t, said):
    assert near(t) == said
