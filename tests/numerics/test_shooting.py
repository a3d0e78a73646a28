from dataclasses import replace

import numpy as np
import pytest

from dolq_core.numerics.integrate import simulate
from dolq_core.numerics.shooting import Budget, Shooting, fit_starts, shoot
from tests.numerics.known import lotka

TRUTH = np.array([0.5, -0.025, -0.9, 0.027])


def problem(n=40, noise=0.05):
    t, x, _ = lotka(n, noise)
    rhs = lambda p, _: lambda _, s: [p[0] * s[0] + p[1] * s[0] * s[1], p[2] * s[1] + p[3] * s[0] * s[1]]  # noqa: E731
    return Shooting(rhs, [(t, x)], [x], x.std(axis=0), 1e3 * np.abs(x).max(axis=0))


def test_coefficients_from_far_away_are_refined_on_trajectories():
    found = shoot(problem(), TRUTH * np.array([0.8, 0.8, 0.75, 0.7]))
    assert found.theta == pytest.approx(TRUTH, rel=0.04)
    assert found.nmse < 0.01


def test_standard_errors_cover_the_truth():
    found = shoot(problem(), TRUTH * 0.9)
    assert np.all(np.abs(found.theta - TRUTH) < 4.0 * found.std_errors)


def test_refining_never_makes_a_fit_worse():
    setup = problem()
    for theta in (TRUTH, TRUTH * 0.5, -TRUTH, np.zeros(4)):
        assert shoot(setup, theta, steps=5).nmse <= fit_starts(setup, theta, steps=5).nmse


def test_missing_cells_do_not_count():
    setup = problem()
    t, x = setup.runs[0]
    holes = x.copy()
    holes[5::6, 0] = np.nan
    found = shoot(Shooting(setup.rhs_of, [(t, holes)], setup.smooth, setup.scale, setup.bound), TRUTH * 0.9)
    assert found.theta == pytest.approx(TRUTH, rel=0.04)


def test_a_refinement_stops_when_its_budget_of_right_hand_sides_is_used():
    asked = []

    def rhs(p, _):
        def counted(t, x):
            asked.append(t)
            return [p[0] * x[0] ** 2, p[1] * x[1] ** 3]

        return counted

    setup = problem()
    wild = Shooting(rhs, setup.runs, setup.smooth, setup.scale, setup.bound, Budget(5000))
    shoot(wild, np.array([1e-4, 1e-4]))
    assert len(asked) < 5000 + 3000


def test_a_right_answer_on_a_chaotic_system_is_kept():
    rng = np.random.default_rng(0)
    sigma, rho, beta = 10.0, 28.0, 8.0 / 3.0

    def lorenz(p, _):
        return lambda _, s: [p[0] * (s[1] - s[0]), s[0] * (p[1] - s[2]) - s[1], s[0] * s[1] - p[2] * s[2]]

    truth = np.array([sigma, rho, beta])
    t = np.linspace(0.0, 20.0, 401)
    x = simulate(lorenz(truth, 0), np.array([1.0, 2.0, 20.0]), t, np.full(3, 1e4)).x
    noisy = x + 0.01 * x.std(axis=0) * rng.normal(size=x.shape)
    setup = Shooting(lorenz, [(t, noisy)], [noisy], x.std(axis=0), np.full(3, 1e4), least=1e-4)
    found = shoot(setup, truth * np.array([1.01, 0.99, 1.01]))
    assert found.theta == pytest.approx(truth, rel=2e-3)


def test_coefficients_that_the_caller_does_not_accept_are_not_taken():
    setup = replace(problem(), accepts=lambda _: False)
    assert np.array_equal(shoot(setup, TRUTH * 0.9).theta, TRUTH * 0.9)
