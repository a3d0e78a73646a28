"""Laws that jump: across a jump, along it, and where two jumps hold at once."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core.numerics.integrate import simulate
from dolq_core.terms import compile_rhs
from tests.numerics.test_dry_friction import FRICTION, sliding

BOUND = np.full(2, 1e3)


def simulated(equations, symbols, start, t):
    path = simulate(compile_rhs(equations, symbols), np.array(start), t, BOUND[: len(start)])
    assert not path.failure
    return path.x


def slider(*drive):
    return [[("v", 1.0, ())], [("x", -1.0, ()), ("sign(v)", -FRICTION, ()), *drive]]


def test_friction_is_followed_from_turn_to_turn_and_holds_in_the_end():
    t = np.linspace(0.0, 80.0, 801)
    x = simulated(slider(), ("x", "v"), [10.3, 0.0], t)
    moving = t < 17.0 * np.pi
    assert x[moving] == pytest.approx(sliding(t[moving]), abs=1e-6)
    assert np.ptp(x[~moving], axis=0) == pytest.approx(0.0, abs=1e-12)
    assert abs(x[-1, 0]) < FRICTION


def test_what_rests_within_the_friction_stays_and_what_is_beyond_goes():
    t = np.linspace(0.0, 5.0, 51)
    assert simulated(slider(), ("x", "v"), [0.2, 0.0], t) == pytest.approx(np.tile([0.2, 0.0], (51, 1)))
    assert simulated(slider(), ("x", "v"), [0.4, 0.0], t)[-1, 0] < 0.35


def test_a_slow_drive_makes_a_slider_stick_and_slip():
    t = np.linspace(0.0, 40.0, 801)
    x = simulated(slider(("sin(params[0]*t)", 0.6, (0.3,))), ("x", "v"), [0.0, 0.0], t)
    at_rest = np.abs(x[:, 1]) < 1e-9
    assert 0.2 < at_rest.mean() < 0.9

    def smooth(t, y):
        return [y[1], -y[0] - FRICTION * np.tanh(y[1] / 1e-6) + 0.6 * np.sin(0.3 * t)]

    near = solve_ivp(smooth, (0.0, 40.0), [0.0, 0.0], method="Radau", t_eval=t, rtol=1e-8, atol=1e-10).y.T
    assert x == pytest.approx(near, abs=2e-5)


def test_a_relay_comes_to_its_place_and_stays():
    x = simulated([[("sign(x)", -1.0, ()), ("1", 0.4, ())]], ("x",), [1.2], np.linspace(0.0, 6.0, 61))
    assert x[:20, 0] == pytest.approx(1.2 - 0.06 * np.arange(20))
    assert x[21:, 0] == pytest.approx(0.0, abs=1e-9)


def test_two_jumps_that_hold_at_once_are_said():
    rhs = compile_rhs([[("sign(x)", -1.0, ())], [("sign(y)", -0.5, ())]], ("x", "y"))
    path = simulate(rhs, np.array([1.0, 1.0]), np.linspace(0.0, 3.0, 31), BOUND)
    assert "sign(..) holds a state" in path.failure


def test_a_jump_that_is_nowhere_is_left_to_the_solvers():
    rhs = compile_rhs([[("sign(sqrt(x))", -1.0, ())]], ("x",))
    path = simulate(rhs, np.array([0.5]), np.linspace(0.0, 1.0, 11), BOUND[:1])
    assert path.failure


def test_a_single_time_on_a_jump_is_its_start():
    path = simulate(compile_rhs(slider(), ("x", "v")), np.array([0.2, 0.0]), np.array([1.0]), BOUND)
    assert path.x == pytest.approx(np.array([[0.2, 0.0]]))
