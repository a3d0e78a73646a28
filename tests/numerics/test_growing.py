"""Noise that grows with the value: it is told from even noise, from none and from chance, and weighs the samples."""

import numpy as np
import pytest

from dolq_core.numerics.growing import EVEN, LEAST_CONSTANT, Growth, growths, over_levels, weights
from dolq_core.numerics.noise import noise_levels
from tests.every import every

T = np.linspace(0.0, 7.0, 120)
GROWING = 0.1 * np.exp(0.9 * T)


def of(*runs, known=False):
    """Return the growth of the one state of runs of even times."""
    both = [(np.arange(float(len(x))), x[:, None]) for x in runs]
    (found,) = growths(both, noise_levels(both), known=known)
    return found


def noise(seed, n=120):
    return np.random.default_rng(seed).normal(size=n)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_share_of_the_value_is_read_off(seed, sign):
    found = of(sign * GROWING * (1.0 + 0.03 * noise(seed)))
    assert found.share == pytest.approx(0.03, rel=0.3)
    assert found.constant < 0.3 * found.share * np.sqrt(np.mean(GROWING**2))


def test_a_constant_part_is_told_beside_it():
    x = np.linspace(0.5, 100.0, 2000)
    found = of(x + np.hypot(1.0, 0.05 * x) * noise(1, len(x)))
    assert found.constant == pytest.approx(1.0, rel=0.3)
    assert found.share == pytest.approx(0.05, rel=0.1)


@pytest.mark.parametrize("seed", range(20))
def test_noise_of_one_size_is_even(seed):
    assert of(GROWING + 0.03 * GROWING.std() * noise(seed)) == EVEN


@pytest.mark.parametrize(
    "x",
    [
        GROWING,  # no noise
        np.sin(T) * (1.0 + 0.03 * noise(3)),  # of both signs
        noise(4),  # of no size
        np.cumsum(noise(5)) ** 2,  # chance
        GROWING[:12] * (1.0 + 0.03 * noise(6, 12)),  # few
        (10.0 + 0.1 * np.sin(T)) * (1.0 + 0.01 * noise(7)),  # values that hardly differ
        np.repeat([1.0, 2.0], 60),  # held
        np.full(120, 3.0),
        np.round(GROWING, 4),
        3.0 * np.round((20.0 + 60.0 * np.exp(-0.2 * np.linspace(0.0, 20.0, 400))) / 3.0),  # steps of 3
    ],
)
def test_of_what_does_not_tell_nothing_is_said(x):
    assert of(x) == EVEN


def test_an_outlier_among_large_values_is_none():
    x = GROWING + 0.01 * GROWING.std() * noise(8)
    x[-20] *= 1.5
    assert of(x) == EVEN


@pytest.mark.parametrize(("width", "period"), [(1.5, 30.0), (2.0, 47.1), (2.5, 20.3), (2.5, 47.1), (4.0, 20.3)])
def test_a_peak_that_few_samples_catch_is_none(width, period):
    assert of(0.5 + 50.0 * np.exp(-((((np.arange(300) % period) - 0.51 * period) / width) ** 2))) == EVEN


def test_what_a_person_says_holds_of_one_sign_alone():
    found = of(GROWING + 0.03 * GROWING.std() * noise(9), known=True)
    assert found.share > 0.0
    assert found.constant == pytest.approx(LEAST_CONSTANT * found.share * np.sqrt(np.mean(GROWING**2)), rel=0.05)
    assert of(np.sin(T) + 0.03 * noise(9), known=True) == EVEN
    assert of(GROWING[:12] * (1.0 + 0.05 * noise(9, 12)), known=True).share > 0.0, "of few samples, too"


def test_a_sample_weighs_one_over_its_variance_by_what_its_neighbours_say():
    x = np.array([1.0, 2.0, 4.0, 800.0, 16.0, 32.0, *np.full(8, np.nan)])[:, None]
    found = weights(np.hstack((x, x)), (Growth(2.0, 0.5), EVEN))
    assert every(found[:, 1] == 1.0)
    assert found[6, 0] == 1.0, "a missing sample"
    assert found[3, 0] == pytest.approx(1.0 / (1.0 + (0.25 * 10.0) ** 2)), "median of 2, 4, 16 and 32"
    assert every(np.isfinite(found[:, 0]))


def test_the_ends_of_a_run_count_in_how_large_noise_is():
    x = GROWING[:, None] * (1.0 + 0.03 * noise(10))[:, None]
    runs = [(T, x)]
    level = noise_levels(runs)
    true = 0.03 * np.sqrt(np.mean(GROWING**2))
    assert float(level[0]) < 0.8 * true
    assert float((level * over_levels(runs, (Growth(0.0001, 0.03),), level))[0]) == pytest.approx(true, rel=0.1)
    assert over_levels(runs, (EVEN,), level).tolist() == [1.0]
