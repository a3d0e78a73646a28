"""Numbers that overflow, blow up, are stiff or say nothing: each discovery and each simulation ends, with a reason."""

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.errors import FitError
from dolq_core.numerics.integrate import EVALUATIONS, simulate
from dolq_core.store import codec
from dolq_core.views.forecast import forecast, moved
from dolq_core.views.numbers import numbers
from dolq_core.views.summary import result
from tests import stored
from tests.agents.problems import problem, yeast
from tests.every import every

T = np.linspace(0.0, 4.0, 30)
SIZES = {
    "1e300": 1e300 * np.exp(-T),
    "sign changes at 1e160": np.where(np.arange(30) % 2, 1.0, -1.0) * 1e160,
    "denormal": 1e-310 * np.exp(-T),
    "exp(exp(t))": np.exp(np.exp(1.5 * T)),
}
TABLES = {
    "constant": np.ones(30),
    "zero": np.zeros(30),
    "a step": (T > 2.0).astype(float),
    "a spike": np.eye(30)[20] * 1e20,
    "the smallest differences": 1.0 + 2.3e-16 * np.arange(30),
    "1e50": 1e50 * np.exp(-T),
    "1e-50": 1e-50 * np.exp(-T),
    "before its pole": 1.0 / (4.0001 - T),
}


def discovered(values):
    return stored.found(problem(T, values[:, None], ["x"]), iterations=2)


@pytest.mark.parametrize("name", SIZES)
def test_values_out_of_range_are_refused_with_the_state_and_the_way_out(name):
    with pytest.raises(FitError, match=r"'x': values of size .* are out of range\. Use another unit"):
        discovered(SIZES[name])


@pytest.mark.parametrize("name", TABLES)
def test_a_discovery_ends_and_is_a_record_with_plain_numbers(name):
    done = discovered(TABLES[name])
    assert runs.reason_to_stop(done)
    for entry in done.entries:
        assert codec.from_json(type(entry), codec.to_json(entry)) == entry  # NaN would be refused
    for fits in (system.equations for entry in done.entries[1:] for system in entry.fits):
        assert every(np.isfinite(fit.mse) or fit.failure for fit in fits)
    assert result(done)["stopped"]


def van_der_pol(mu):
    return lambda _, x: [x[1], mu * (1.0 - x[0] ** 2) * x[1] - x[0]]


RHS = {
    "a pole in finite time": (lambda _, x: [x[0] ** 3, 0.0], "blew up"),
    "1/0 at the first sample": (lambda _, x: [np.inf if x[1] == 0.0 else 1.0 / x[1], 0.0], "not finite"),
    "exp(exp(x))": (lambda _, x: [float(np.exp(min(np.exp(min(x[0], 700.0)), 700.0))), 0.0], "blew up|not finite"),
    "oscillation without end": (lambda t, _: [1e9 * np.sin(1e10 * t), 0.0], "given up"),
    "a jump at every step": (lambda t, _: [1e9 * (-1.0) ** round(1e9 * t), 0.0], "given up"),
}


@pytest.mark.parametrize("name", RHS)
def test_a_simulation_is_ended_by_the_count_of_evaluations(name):
    rhs, reason = RHS[name]
    path = simulate(rhs, np.array([2.0, 0.0]), T, np.array([1e6, 1e6]), evaluations=2000)
    assert any(word in path.failure for word in reason.split("|"))
    assert path.evaluations <= 2 * 2001  # one budget for each of the two methods


def test_a_stiff_system_is_followed_within_the_budget():
    path = simulate(van_der_pol(1e6), np.array([2.0, 0.0]), T, np.array([1e3, 1e8]))
    assert path.failure == ""
    assert path.evaluations < EVALUATIONS
    assert path.x[-1, 0] == pytest.approx(2.0, abs=1e-4)  # it rests for 8e5 units of time


@pytest.fixture(scope="module")
def law():
    return stored.found(yeast(), steps=1)


@pytest.mark.parametrize("start", [1e9, -1e9, -1e3, 1e300, 5e-324])
def test_a_forecast_from_an_absurd_start_says_how_far_it_comes(law, start):
    found = forecast(law, 0, 1000.0, (start,))
    assert np.isfinite(found.model[-1]).all() or found.words


@pytest.mark.parametrize("factor", [-1e3, 0.0, 1e3, 1e12])
def test_a_slider_that_makes_the_law_blow_up_says_so(law, factor):
    found = moved(law, 0, [one.value * factor for one in numbers(law)])
    assert np.isfinite(found.x).all() or found.failure
