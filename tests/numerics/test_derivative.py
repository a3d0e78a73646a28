import numpy as np
import pytest

from dolq_core.numerics.derivative import fit_curve, gradient, is_uniform, savgol, spline
from dolq_core.numerics.noise import noise_levels
from tests.numerics.known import logistic


def error(dx, truth):
    return float(np.sqrt(np.mean((dx - truth) ** 2) / np.var(truth)))


def test_gradient_is_exact_for_parabolas_on_uneven_times():
    t = np.array([0.0, 0.1, 0.3, 0.35, 0.6])
    assert gradient(t, (t**2)[:, None])[:, 0] == pytest.approx(2.0 * t)


@pytest.mark.parametrize(("method", "bound"), [(spline, 1e-6), (savgol, 1e-5)])
def test_clean_derivatives_are_better_than_differences(method, bound):
    t, x, truth = logistic(200)
    assert error(method(t, x, np.zeros(1))[1], truth) < bound < error(gradient(t, x), truth)


@pytest.mark.parametrize("method", [spline, savgol])
def test_noisy_derivatives_are_far_better_than_differences(method):
    t, x, truth = logistic(400, noise=0.02)
    noise = noise_levels([(t, x)])
    assert error(method(t, x, noise)[1], truth) < 0.1 * error(gradient(t, x), truth)


def test_savgol_smooths_on_uneven_times():
    t = np.sort(np.random.default_rng(1).uniform(0.0, 8.0, 300))
    t, x, truth = logistic(noise=0.01, t=t)
    assert error(savgol(t, x, noise_levels([(t, x)]))[1], truth) < 0.2


def test_a_curve_bridges_missing_cells():
    t, x, _ = logistic(60)
    holes = x[:, 0].copy()
    holes[20:24] = np.nan
    assert fit_curve(t, holes, 0.0)(t, 0) == pytest.approx(x[:, 0], abs=1e-5)


@pytest.mark.parametrize("values", [[3.0], [3.0, 3.0, 3.0], [1.0, 2.0], [1.0, 4.0, 9.0, 16.0]])
def test_the_shortest_series_still_give_a_curve(values):
    t = np.arange(float(len(values)))
    assert fit_curve(t, np.array(values), 0.0)(t, 0) == pytest.approx(values)


@pytest.mark.parametrize(("digits", "jitter", "even"), [(6, 0.0, True), (6, 3e-4, False), (3, 0.0, False)])
def test_the_last_digit_of_times_makes_them_uneven_only_where_it_is_a_good_part_of_a_step(digits, jitter, even):
    """0.0940439, 0.188088, ..., 10.0627: as `%g` writes them."""
    exact = 0.0940439 * np.arange(300) + jitter * np.random.default_rng(0).normal(size=300)
    assert is_uniform(np.array([float(f"{t:.{digits}g}") for t in exact])) == even
    assert is_uniform(exact) == (not jitter)
    assert not is_uniform(np.round(59.6 * np.arange(300.0)))
