"""The paper's three optimizers find what they are known to find, and say what it cost."""

import numpy as np
import pytest

from lab.optimizers.hybrid import STRATEGIES, best_of_three, minimise

T = np.linspace(0.0, 3.0, 60)


def line(theta):
    return theta[0] + theta[1] * T


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_strategy_finds_a_straight_line(strategy):
    found = minimise(line, 2.0 - 0.5 * T, 2, strategy)
    assert found.theta == pytest.approx([2.0, -0.5], abs=1e-3)
    assert found.evaluations > 0


def test_bfgs_from_ones_stays_in_the_wrong_valley_where_the_search_does_not():
    def wave(theta):
        return np.sin(theta[0] * T)

    target = np.sin(5.0 * T)
    assert minimise(wave, target, 1, "bfgs").mse > 0.1
    assert minimise(wave, target, 1, "hybrid").mse < 1e-10


def test_the_best_of_three_is_no_worse_than_any_and_counts_the_work_of_all():
    target = 1.0 + 2.0 * T
    each = [minimise(line, target, 2, strategy) for strategy in STRATEGIES]
    best = best_of_three(line, target, 2)
    assert best.mse == min(found.mse for found in each)
    assert best.evaluations == sum(found.evaluations for found in each)


def test_a_model_that_overflows_has_an_infinite_error_and_does_not_raise():
    found = minimise(lambda theta: np.full_like(T, np.inf), T, 1, "bfgs")
    assert found.mse == np.inf


def test_the_same_seed_gives_the_same_search():
    assert minimise(line, T, 2, "de", seed=3).theta.tolist() == minimise(line, T, 2, "de", seed=3).theta.tolist()
