import math

import numpy as np
import pytest

from dolq_core.numerics.integrate import simulate

T = np.linspace(0.0, 5.0, 51)
BOUND = np.array([1e3])


def test_a_known_solution_is_followed():
    path = simulate(lambda _, x: [-x[0]], np.array([2.0]), T, BOUND)
    assert path.failure == ""
    assert path.x[:, 0] == pytest.approx(2.0 * np.exp(-T), rel=1e-6)


@pytest.mark.parametrize(
    ("rhs", "word"),
    [
        (lambda _, x: [x[0] ** 2], "blew up"),
        (lambda t, _: [math.inf if t > 1.0 else 1.0], "not finite"),
        (lambda t, _: [math.nan if t > 1.0 else 1.0], "not finite"),
        (lambda t, _: [1e6 * math.sin(1e7 * t)], "given up"),
    ],
)
def test_a_simulation_that_cannot_go_on_ends_with_its_reason(rhs, word):
    path = simulate(rhs, np.array([1.0]), T, BOUND, evaluations=2000)
    assert word in path.failure
    assert np.isnan(path.x).all()


def test_stiff_systems_are_simulated():
    path = simulate(lambda t, x: [-1e5 * (x[0] - math.cos(t))], np.array([0.0]), T, BOUND)
    assert path.x[-1, 0] == pytest.approx(math.cos(5.0), abs=1e-4)


def test_an_unknown_start_is_said():
    assert "not measured" in simulate(lambda _, x: [x[0]], np.array([np.nan]), T, BOUND).failure


def test_a_law_without_a_value_beyond_the_end_is_followed_to_the_end():
    """A tank runs empty at 7.5; the longest step of a solver from 6 leads to where a root has no value."""
    t = np.union1d(np.arange(300) * 0.02, np.linspace(0.0, 5.98, 600))
    path = simulate(lambda _, x: [-0.8 * np.sqrt(x[0]) if x[0] >= 0.0 else np.nan], np.array([9.0]), t, np.array([1e3]))
    assert path.failure == ""
    assert path.x[:, 0] == pytest.approx((3.0 - 0.4 * t) ** 2, rel=1e-6)


def test_dry_friction_that_holds_a_sled_is_named():
    path = simulate(
        lambda _, x: [x[1], -210.0 * x[0] - 0.55 * x[1] - 260.0 * math.copysign(1.0, x[1])], np.array([1.0, 20.0]), T,
        np.array([1e5, 1e6]),
    )  # fmt: skip
    assert path.failure == "The solver's steps became too small, as where sign(..) holds a state at rest."
