"""What walks make of samples: their likelihood by a Kalman filter is that of the whole Gaussian."""

import numpy as np
import pytest

from dolq_core.arrays import frozen
from dolq_core.numerics.stretches import Stretches
from dolq_core.numerics.walk import RATIOS, misfits_of_walks

NOISE = 0.3


def stretches(y, t=None, ends=None, counts=1.0):
    y = np.asarray(y, dtype=float).reshape(len(y), -1)
    t = np.arange(float(len(y))) if t is None else t
    sigma = np.full(y.shape[1], NOISE)
    return Stretches(frozen(t), y, np.empty((len(y), 0)), sigma, np.array(ends or [0, len(y)]), counts)


def walked(n, seed, order=1):
    rng = np.random.default_rng(seed)
    path = rng.normal(size=n)
    for _ in range(order):
        path = np.cumsum(path)
    return path + NOISE * rng.normal(size=n)


def by_differences(y, t, weights):
    """The same for a level that walks, of the differences of neighbours: a whole Gaussian of one stretch."""
    found = []
    for ratio in RATIOS:
        covariance = np.diag(ratio * np.diff(t) + weights[1:] ** -2 + weights[:-1] ** -2)
        covariance -= np.diag(weights[1:-1] ** -2, 1) + np.diag(weights[1:-1] ** -2, -1)
        steps = np.diff(y)
        left = steps @ np.linalg.solve(covariance, steps) / len(steps)
        found.append(left * np.exp(np.linalg.slogdet(covariance)[1] / len(steps)))
    return np.sqrt(min(found)) / NOISE


@pytest.mark.parametrize("seed", range(3))
def test_a_walk_is_filtered_as_its_whole_gaussian_says(seed):
    """Unequal times and weights; the filter measures its first step against the noise, hence the determinants."""
    t, y = np.cumsum(np.random.default_rng(seed).uniform(0.5, 1.5, 60)), walked(60, seed)
    t = (t - t[0]) / np.median(np.diff(t))
    weights = np.random.default_rng(seed + 9).uniform(0.5, 2.0, 60)
    walk, _ = misfits_of_walks(stretches(y, t, counts=weights[:, None]))
    scale = np.exp(np.mean(np.log(weights[1:] ** -2)) / 2.0)
    assert walk[0] == pytest.approx(by_differences(y, t, weights) / scale, rel=1e-6)


def of_a_walking_speed(y, t, weights):
    """The same for a level whose speed walks: of the distances from the line through the first two samples."""
    found, since = [], t - t[0]
    early, late = np.minimum.outer(since, since), np.maximum.outer(since, since)
    line = np.column_stack((1.0 - since / since[1], since / since[1]))
    contrasts = np.hstack((-line[2:], np.eye(len(t) - 2)))
    for ratio in RATIOS:
        covariance = ratio * early**2 * (3.0 * late - early) / 6.0 + np.diag(weights**-2.0)
        covariance = contrasts @ covariance @ contrasts.T
        missed = contrasts @ y
        left = missed @ np.linalg.solve(covariance, missed) / len(missed)
        found.append(left * np.exp(np.linalg.slogdet(covariance)[1] / len(missed)))
    return np.sqrt(min(found)) / NOISE


@pytest.mark.parametrize("seed", range(3))
def test_a_walk_of_the_speed_is_filtered_as_its_whole_gaussian_says(seed):
    t, y = np.cumsum(np.random.default_rng(seed).uniform(0.5, 1.5, 40)), walked(40, seed, order=2)
    t = (t - t[0]) / np.median(np.diff(t))
    weights = np.random.default_rng(seed + 9).uniform(0.5, 2.0, 40)
    _, trend = misfits_of_walks(stretches(y, t, counts=weights[:, None]))
    scale = np.exp(np.mean(np.log(weights[2:] ** -2)) / 2.0)
    assert trend[0] == pytest.approx(of_a_walking_speed(y, t, weights) / scale, rel=1e-4)


def test_each_walk_is_explained_by_its_own_kind_and_a_law_by_neither():
    level, slow = stretches(walked(300, 1)), stretches(walked(300, 1, order=2))
    assert misfits_of_walks(level)[0] < misfits_of_walks(level)[1]
    assert misfits_of_walks(slow)[1] < 0.2 * misfits_of_walks(slow)[0]
    law = 20.0 * np.exp(-np.arange(300.0) / 80.0) + NOISE * np.random.default_rng(4).normal(size=300)
    walk, trend = misfits_of_walks(stretches(law))
    assert 1.0 < trend[0] < walk[0]
    assert walk[0] > 1.3


def test_stretches_begin_anew_and_gaps_and_missing_cells_are_walked_over():
    y = walked(80, 2)
    apart = np.concatenate((y, y + 1e4))
    once, twice = stretches(y), stretches(apart, np.tile(np.arange(80.0), 2), [0, 80, 160])
    assert np.array(misfits_of_walks(twice)) == pytest.approx(np.array(misfits_of_walks(once)), rel=1e-3)
    holes = y.copy()
    holes[20:40] = np.nan
    kept = np.isfinite(holes)
    some = stretches(holes[kept], np.arange(80.0)[kept])
    assert np.array(misfits_of_walks(stretches(holes))) == pytest.approx(np.array(misfits_of_walks(some)))


def test_of_too_few_samples_nothing_is_said():
    walk, trend = misfits_of_walks(stretches([1.0, 2.0]))
    assert np.isfinite(walk[0])
    assert np.isinf(trend[0])
    assert np.isinf(np.array(misfits_of_walks(stretches([np.nan, 1.0, np.nan])))).all()
