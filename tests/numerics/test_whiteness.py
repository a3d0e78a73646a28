"""Noise is told from a drift, whatever cells are missing and however the runs are cut."""

import numpy as np
import pytest

from dolq_core.numerics.whiteness import whiteness

RNG = np.random.default_rng(5)


def test_without_gaps_it_is_the_textbook_figure():
    x = np.array([1.0, 2.0, -1.0, 3.0, -2.0, 1.0, 0.5, -0.5, 2.0, -1.5, 1.0, -1.0])
    found = whiteness([x])
    n, power = len(x), np.sum(x**2)
    r = [np.sum(x[k:] * x[:-k]) / power for k in (1, 2, 3)]
    assert found.r == pytest.approx(r)
    assert found.band == pytest.approx(1.96 / np.sqrt(n))
    q = n * (n + 2) * sum(r[k - 1] ** 2 / (n - k) for k in (1, 2))
    assert found.chance == pytest.approx(np.exp(-q / 2))  # chi-squared of two degrees of freedom


def test_white_noise_is_rarely_called_something_else():
    chances = np.array([whiteness([RNG.normal(size=150)]).chance for _ in range(400)])
    assert np.mean(chances < 0.01) < 0.03
    assert np.mean(chances < 0.5) == pytest.approx(0.5, abs=0.1)


def test_with_a_third_of_the_cells_missing_the_test_keeps_its_level():
    def holed():
        x = RNG.normal(size=200)
        return np.where(RNG.random(200) < 0.33, np.nan, x)

    chances = np.array([whiteness([holed()]).chance for _ in range(400)])
    assert np.mean(chances < 0.01) < 0.04


def test_a_constant_offset_counts_as_a_drift():
    found = whiteness([0.5 + 0.1 * RNG.normal(size=60)])
    assert found.r[0] > 0.8
    assert found.chance < 1e-6


def test_runs_are_not_joined_at_their_ends():
    alternating = [np.array([1.0, -1.0] * 15), np.array([-1.0, 1.0] * 15)]
    assert whiteness(alternating).r[0] == pytest.approx(-58 / 60)


@pytest.mark.parametrize("values", [[], [1.0], [np.nan] * 8, [0.0] * 30])
def test_nothing_to_measure_is_no_error(values):
    found = whiteness([np.array(values)])
    assert found.chance == 1.0
    assert not found.r.any()
