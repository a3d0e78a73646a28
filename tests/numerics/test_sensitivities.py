"""The slopes of where a law carries each sample are those of the carrying itself."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dolq_core.numerics.sensitivities import look_at, place_of
from dolq_core.numerics.stretches import Stretches, one_stretch_a_run
from tests.numerics.test_lifted import LAWS, TRUE, measured


def ends(data, law, theta, x):
    return place_of(data, law, theta, x).along[-1].T


@pytest.mark.parametrize("steps", [1, 4, 8])
@pytest.mark.parametrize("name", TRUE)
def test_slopes_are_those_of_the_ends(name, steps):
    data, x = measured(name, 0.02)
    data, law, theta = replace(data, steps=steps), LAWS[name], TRUE[name][0]
    found = look_at(data, law, place_of(data, law, theta, x))
    for k in range(x.shape[1]):
        move = 1e-4 * np.abs(x).max() * np.eye(x.shape[1])[k]
        by_state = (ends(data, law, theta, x + move) - ends(data, law, theta, x - move)) / (2.0 * move[k])
        assert found.by_state[:, :, k] == pytest.approx(by_state, abs=2e-3 * np.abs(by_state).max())
    for k in range(len(theta)):
        move = 1e-4 * abs(theta[k]) * np.eye(len(theta))[k]
        by_theta = (ends(data, law, theta + move, x) - ends(data, law, theta - move, x)) / (2.0 * move[k])
        assert found.by_theta[:, :, k] == pytest.approx(by_theta, abs=2e-3 * np.abs(by_theta).max())


def test_slopes_over_a_long_step_of_a_linear_law_are_its_exponential_to_the_fourth_order():
    theta = TRUE["oscillator"][0]
    data, x = measured("oscillator", 0.02)
    far = slice(None, None, 20)  # a step of one: the fourth power of it is a twenty-fourth
    data = Stretches(data.t[far], data.y[far], data.inputs[far], data.sigma, one_stretch_a_run([len(x[far])]), steps=1)
    found = look_at(data, LAWS["oscillator"], place_of(data, LAWS["oscillator"], theta, x[far]))
    a = (data.t[1] - data.t[0]) * np.array([[0.0, theta[0]], [theta[1], theta[2]]])
    powers = [np.linalg.matrix_power(a, k) / math.factorial(k) for k in range(5)]
    assert found.by_state == pytest.approx(np.broadcast_to(sum(powers), found.by_state.shape), abs=1e-6)


def test_a_law_that_is_not_finite_at_a_sample_has_no_place_there():
    data, x = measured("lorenz", 0.02)
    with np.errstate(all="ignore"):
        assert place_of(data, LAWS["lorenz"], np.full(3, 1e300), x) is None
    assert look_at(data, LAWS["lorenz"], None) is None
