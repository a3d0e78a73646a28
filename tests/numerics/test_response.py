"""Responses of trajectories to terms: exact for linear laws, first order for others, blind to what is let free."""

import numpy as np
import pytest

from dolq_core.numerics.response import MOST_GROWTH, Path, response

T = np.linspace(0.0, 10.0, 401)
SIGMA = 1e-3


def spring(offset, seed=0):
    """x' = v, v' = -x: samples with noise, and a reference that lies `offset` cos(3t) beside the curve."""
    x = np.column_stack((np.cos(T), -np.sin(T)))
    measured = x + SIGMA * np.random.default_rng(seed).normal(size=x.shape)
    reference = x + offset * np.cos(3.0 * T)[:, None]
    jacobian = np.tile(np.array([[0.0, 1.0], [-1.0, 0.0]]), (len(T), 1, 1))
    return Path(T, reference, measured, np.ones_like(x), jacobian, np.zeros((len(T), 2, 0)))


def solved(path, columns, equation=1):
    """(coefficients, root mean square residual in units of the noise) of columns at the reference."""
    found = response([path], equation, np.full(2, SIGMA))
    a = found.operator.rows(np.array(columns)[:, found.nodes]).T
    theta, *_ = np.linalg.lstsq(a, found.b, rcond=None)
    return theta, float(np.sqrt(np.sum((found.b - a @ theta) ** 2) / (found.effective - len(theta))))


def test_the_residual_of_the_true_law_is_the_noise_even_beside_the_curve():
    path = spring(0.01)
    others = np.zeros((len(T), 2, 1))
    others[:, 0, 0] = path.x[:, 1]
    theta, left = solved(Path(path.t, path.x, path.measured, path.counts, path.jacobian, others), [path.x[:, 0]])
    assert theta[0] == pytest.approx(-1.0, abs=2e-3)
    assert left == pytest.approx(1.0, abs=0.2)


def test_a_wrong_term_leaves_far_more_than_the_noise():
    path = spring(0.0)
    others = np.zeros((len(T), 2, 1))
    others[:, 0, 0] = path.x[:, 1]
    _, left = solved(Path(path.t, path.x, path.measured, path.counts, path.jacobian, others), [path.x[:, 0] ** 3])
    assert left > 20.0


def test_the_state_at_the_start_is_free():
    path = spring(0.0)
    moved = Path(
        path.t, path.x, path.measured + 0.3 * path.x[:, ::-1] * [-1.0, 1.0], path.counts, path.jacobian, path.others
    )
    one, two = (response([p], 1, np.full(2, SIGMA)) for p in (path, moved))
    assert np.max(np.abs(one.b - two.b)) < 0.5  # 300 noises apart, and a solution of the law


def test_a_law_that_throws_paths_apart_is_cut_into_stretches():
    t = np.linspace(0.0, 20.0, 801)
    x = np.exp(-t)[:, None]
    path = Path(t, x, x, np.ones_like(x), np.ones((len(t), 1, 1)), np.zeros((len(t), 1, 0)))
    found = response([path], 0, np.full(1, SIGMA))
    stretches = len(found.b) - found.effective
    assert stretches == pytest.approx(20.0 / np.log(MOST_GROWTH), abs=1.0)
    assert np.isfinite(found.operator.rows(np.eye(len(found.nodes)))).all()
