import numpy as np
import pytest

from dolq_core.numerics.samples import MOST_SAMPLES, thinned


def long_run(noise, n=20_000):
    t = np.linspace(0.0, 10.0, n)
    return t, np.sin(t)[:, None] + noise * np.random.default_rng(0).normal(size=(n, 1))


def test_clean_data_keep_single_samples_that_lie_on_the_curve():
    [(t, x)], _ = thinned([long_run(0.0)], [np.empty((20_000, 0))], np.array([0.0]))
    assert len(t) <= MOST_SAMPLES
    assert x[:, 0] == pytest.approx(np.sin(t), abs=1e-15)


def test_noisy_data_are_averaged_so_that_every_sample_counts():
    [(t, x)], _ = thinned([long_run(0.1)], [np.empty((20_000, 0))], np.array([0.1]))
    assert np.std(x[:, 0] - np.sin(t)) == pytest.approx(0.1 / np.sqrt(5), rel=0.05)
