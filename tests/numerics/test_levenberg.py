"""Levenberg-Marquardt ends where SciPy's does, from starts that are far off too."""

import numpy as np
import pytest
from scipy.optimize import leastsq

from dolq_core.numerics.levenberg import Stop, descend
from tests.every import every


def rosenbrock(v):
    return np.array([10.0 * (v[1] - v[0] ** 2), 1.0 - v[0]]), np.array([[-20.0 * v[0], -1.0], [10.0, 0.0]])


def powell(v):
    """Singular at its minimum."""
    a, b, c, d = v
    residual = np.array([a + 10.0 * b, np.sqrt(5.0) * (c - d), (b - 2.0 * c) ** 2, np.sqrt(10.0) * (a - d) ** 2])
    slopes = np.zeros((4, 4))
    slopes[0] = [1.0, 0.0, 0.0, 2.0 * np.sqrt(10.0) * (a - d)]
    slopes[1] = [10.0, 0.0, 2.0 * (b - 2.0 * c), 0.0]
    slopes[2] = [0.0, np.sqrt(5.0), -4.0 * (b - 2.0 * c), 0.0]
    slopes[3] = [0.0, -np.sqrt(5.0), 0.0, -2.0 * np.sqrt(10.0) * (a - d)]
    return residual, slopes


def bent(v):
    """Its least residual is not zero: Freudenstein and Roth."""
    x, y = v
    residual = np.array([-13.0 + x + ((5.0 - y) * y - 2.0) * y, -29.0 + x + ((y + 1.0) * y - 14.0) * y])
    return residual, np.array([[1.0, 1.0], [10.0 * y - 3.0 * y**2 - 2.0, 3.0 * y**2 + 2.0 * y - 14.0]])


@pytest.mark.parametrize(
    ("look", "start", "least"),
    [
        (rosenbrock, [-1.2, 1.0], 0.0),
        (rosenbrock, [-120.0, 100.0], 0.0),
        (powell, [3.0, -1.0, 0.0, 1.0], 0.0),
        (bent, [0.5, -2.0], 48.98425367924),
        (bent, [50.0, -200.0], 48.98425367924),
    ],
)
def test_it_ends_at_the_known_least_residual(look, start, least):
    found = descend(look, np.array(start), Stop(200, 1e-12))
    assert found.square == pytest.approx(least, abs=1e-9)


def test_it_needs_about_as_many_looks_as_scipy():
    start = np.array([-1.2, 1.0])
    info = leastsq(lambda v: rosenbrock(v)[0], start, Dfun=lambda v: rosenbrock(v)[1], col_deriv=True, full_output=1)[2]
    found = descend(rosenbrock, start, Stop(200, 1e-12))
    assert found.looks <= 1.5 * info["nfev"]


def test_it_keeps_to_its_looks_and_never_gets_worse():
    squares = [descend(rosenbrock, np.array([-1.2, 1.0]), Stop(n, 1e-12)) for n in range(1, 12)]
    assert [found.looks for found in squares] == list(range(1, 12))
    assert every(b.square <= a.square for a, b in zip(squares, squares[1:], strict=False))


def test_the_last_step_to_an_exact_fit_takes_no_look():
    def look(v):
        return np.exp(v) - np.exp([1.0, 2.0]), np.diag(np.exp(v))

    seen = descend(look, np.array([1.3, 1.8]), Stop(50, 1e-8, rounding=1e-24))
    unseen = descend(look, np.array([1.3, 1.8]), Stop(50, 1e-8, rounding=1e-24, unseen=1e-10))
    assert unseen.looks == seen.looks - 1
    assert unseen.v == pytest.approx([1.0, 2.0], abs=1e-10)


def test_a_parameter_without_effect_stays():
    def look(v):
        return np.array([v[0] - 3.0, 0.5]), np.array([[1.0, 0.0], [0.0, 0.0]])

    assert descend(look, np.ones(2), Stop(50, 1e-12)).v == pytest.approx([3.0, 1.0])
