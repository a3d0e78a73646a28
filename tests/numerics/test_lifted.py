"""Coefficients and states fitted together: what comes out is a simulation, and as sure as it says."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from dolq_core.numerics.lifted import fit, with_steps
from dolq_core.numerics.stretches import Stretches, one_stretch_a_run

TRUE = {
    "oscillator": (np.array([1.0, -1.0, -0.1]), [1.0, 0.0], 20.0, 400),
    "lorenz": (np.array([10.0, 28.0, 8.0 / 3.0]), [1.0, 2.0, 18.0], 6.0, 1200),
}


def oscillator(x, t, theta):
    return np.array([theta[0] * x[1], theta[1] * x[0] + theta[2] * x[1]])


def lorenz(x, t, theta):
    return np.array([theta[0] * (x[1] - x[0]), x[0] * (theta[1] - x[2]) - x[1], x[0] * x[1] - theta[2] * x[2]])


FIELDS = {"oscillator": oscillator, "lorenz": lorenz}


class ByDifferences:
    """A law given by its rates alone."""

    jumps = 0

    def __init__(self, field):
        self.field = field

    def rates(self, values, t, theta, sides=None):
        return self.field(values, t, theta)

    def slopes(self, values, t, theta, moves):
        rates = self.rates(values, t, theta)
        by_state = [(self._at(values, k, move, t, theta) - rates) / move for k, move in enumerate(moves)]
        by_theta = []
        for k in range(len(theta)):
            turned = theta + 1e-6 * np.eye(len(theta))[k]
            by_theta.append((self.rates(values, t, turned) - rates) / 1e-6)
        return rates, np.array(by_state).transpose(1, 0, 2), np.array(by_theta).transpose(1, 0, 2)

    def _at(self, values, k, move, t, theta):
        moved = values.copy()
        moved[k] += move
        return self.rates(moved, t, theta)


LAWS = {name: ByDifferences(field) for name, field in FIELDS.items()}


def measured(name: str, noise: float, seed: int = 0) -> tuple[Stretches, np.ndarray]:
    theta, start, end, n = TRUE[name]
    t = np.linspace(0.0, end, n)
    field = FIELDS[name]
    x = solve_ivp(lambda s, y: field(y, s, theta), (0.0, end), start, t_eval=t, rtol=1e-10, atol=1e-10).y.T
    sigma = noise * x.std(axis=0)
    y = x + sigma * np.random.default_rng(seed).normal(size=x.shape)
    return Stretches(t, y, np.empty((n, 0)), sigma, one_stretch_a_run([n])), x


@pytest.mark.parametrize("name", TRUE)
def test_a_law_is_fitted_from_wrong_numbers_and_from_the_samples_themselves(name):
    data, x = measured(name, 0.02)
    true = TRUE[name][0]
    data = with_steps(data, LAWS[name], 1.2 * true, data.y)
    found = fit(data, LAWS[name], 1.2 * true, data.y)
    assert found is not None
    assert found.is_simulation
    assert found.chi2 / data.y.size == pytest.approx(1.0, abs=0.1)
    assert np.all(np.abs(found.theta - true) < 4.0 * np.sqrt(np.diag(found.covariance)))
    assert np.sqrt(np.mean((found.x - x) ** 2, axis=0)) == pytest.approx(0.0, abs=0.3 * float(data.sigma.max()))


def test_standard_errors_hold_what_they_say():
    """Of 60 data sets 95 % intervals hold the truth in about 95 %, of three numbers each."""
    inside = []
    true = TRUE["oscillator"][0]
    for seed in range(60):
        data, x = measured("oscillator", 0.05, seed)
        found = fit(data, LAWS["oscillator"], true, x)
        assert found is not None
        inside += (np.abs(found.theta - true) < 1.96 * np.sqrt(np.diag(found.covariance))).tolist()
    assert 0.90 <= np.mean(inside) <= 0.99


def test_a_wrong_law_does_not_explain_the_samples():
    data, x = measured("oscillator", 0.02)
    found = fit(
        data, ByDifferences(lambda v, t, theta: np.array([theta[0] * v[1], theta[1] * v[0]])), np.array([1.0, -1.0]), x
    )
    assert found is None or not found.is_simulation or found.chi2 / data.y.size > 5.0


def test_a_missing_sample_counts_for_nothing_and_a_run_has_its_own_start():
    data, x = measured("oscillator", 0.02)
    y = data.y.copy()
    y[50:80, 1] = np.nan
    halves = Stretches(data.t, y, data.inputs, data.sigma, np.array([0, 200, 400]))
    found = fit(halves, LAWS["oscillator"], TRUE["oscillator"][0], x)
    assert found is not None
    assert found.is_simulation
    assert np.isnan(found.residual).sum() == 30
    assert np.all(np.abs(found.theta - TRUE["oscillator"][0]) < 5.0 * np.sqrt(np.diag(found.covariance)))


def test_a_number_that_changes_nothing_has_no_known_error():
    data, x = measured("oscillator", 0.02)
    found = fit(
        data, ByDifferences(lambda v, t, theta: oscillator(v, t, theta[:3])), np.array([1.0, -1.0, -0.1, 7.0]), x
    )
    assert found is not None
    assert np.isinf(found.covariance[3, 3])
    assert np.isfinite(np.diag(found.covariance)[:3]).all()


def test_a_law_that_is_not_finite_on_the_samples_has_no_fit():
    data, x = measured("oscillator", 0.02)
    assert (
        fit(data, ByDifferences(lambda v, t, theta: np.array([np.log(v[0] - 99.0), v[0]]) * theta[0]), np.ones(1), x)
        is None
    )


def test_steps_between_samples_follow_the_speed_of_the_law():
    data, x = measured("oscillator", 0.02)
    slow, fast = (with_steps(data, LAWS["oscillator"], k * TRUE["oscillator"][0], x).steps for k in (1.0, 40.0))
    assert slow == 1 < fast


def steep(x, t, theta):
    return np.array([theta[0] + theta[1] * x[0] + theta[2] * x[0] * np.exp(theta[3] * x[0])])


@pytest.mark.parametrize("seed", range(3))
def test_a_fit_that_begins_on_a_path_of_other_numbers_comes_to_the_best_ones(seed):
    theta, t = np.array([2.0, -1.0, -0.01, 1.5]), np.linspace(0.0, 5.0, 400)

    def path(start, numbers):
        return solve_ivp(lambda s, y: steep(y, s, numbers), (0.0, 5.0), start, t_eval=t, rtol=1e-10, atol=1e-10).y.T

    x = path([0.0], theta)
    sigma = 0.02 * x.std(axis=0)
    y = x + sigma * np.random.default_rng(seed).normal(size=x.shape)
    data = Stretches(t, y, np.empty((400, 0)), sigma, one_stretch_a_run([400]))
    law = ByDifferences(steep)
    found = fit(with_steps(data, law, theta, x), law, theta, x, looks=12)
    assert found is not None
    assert found.is_simulation
    best = least_squares(
        lambda q: ((y - path(q[:1], q[1:])) / sigma).ravel(), [0.0, *theta], x_scale=[0.1, *abs(theta)]
    )
    assert found.chi2 < 2.0 * best.cost + 0.5


def round_tank(x, t, theta):
    """Two terms with a pole of their own each, at 2.6 both."""
    return np.array([theta[0] / (x[0] * (theta[1] - x[0])) + theta[2] / (np.sqrt(x[0]) * (theta[3] - x[0]))])


@pytest.mark.parametrize("begin", [1.0, 0.99, 1.03])
def test_two_numbers_that_nearly_say_the_same_do_not_keep_a_path_from_closing(begin):
    theta, t = np.array([0.0352, 2.6, -0.0447, 2.6]), np.linspace(0.0, 180.0, 500)
    path = solve_ivp(lambda t, x: round_tank(x, t, theta), (0.0, 180.0), [2.42], t_eval=t, rtol=1e-9).y.T
    sigma = 0.02 * path.std(axis=0)
    y = path + sigma * np.random.default_rng(1).normal(size=path.shape)
    data = Stretches(t, y, np.empty((len(t), 0)), sigma, one_stretch_a_run([len(t)]))
    found = fit(data, ByDifferences(round_tank), theta * [1.0, begin, 1.0, begin], path)
    assert found is not None
    assert found.is_simulation
    noise = float(np.sum(((y - path) / sigma) ** 2))
    assert noise - 20.0 < found.chi2 < noise
