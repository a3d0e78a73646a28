"""The paper's optimizers find what they are known to find, name themselves in the record, and say what it cost."""

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.fitting import Workbench
from dolq_core.records import Settings
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import parse_term
from lab.optimizers.hybrid import STRATEGIES, best_of_three, minimise
from tests.every import every
from tests.loop.states import logistic_problem

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


BENCH = Workbench.of(logistic_problem().dataset, "auto", 0.2)


def skeletons(*texts):
    return [parse_term(text, BENCH.names).skeleton for text in texts]


@pytest.mark.parametrize("optimizer", ["bfgs", "de", "hybrid", "best of three"])
def test_a_search_ends_where_least_squares_does_and_names_itself(optimizer):
    terms = skeletons("x", "x**2")
    searched, solved = BENCH.fit(0, terms, optimizer), BENCH.fit(0, terms)
    assert [t.coefficient for t in searched.terms] == pytest.approx([t.coefficient for t in solved.terms], rel=1e-4)
    assert searched.mse >= solved.mse * (1.0 - 1e-6)
    assert searched.strategy.startswith(optimizer)
    assert every(term.std_error is None for term in searched.terms)
    assert searched.held_out == pytest.approx(solved.held_out, abs=1e-6)


def test_inner_parameters_are_searched_with_the_outer_ones():
    fit = BENCH.fit(0, skeletons("x", "x**params[0]"), "hybrid")
    assert fit.terms[1].inner[0] == pytest.approx(2.0, rel=1e-2)


def test_the_searched_mse_is_that_of_the_numbers_in_the_record():
    fit = BENCH.fit(0, skeletons("x", "x**2"), "bfgs")
    columns = np.array([BENCH.column(term.skeleton) for term in fit.terms])
    model = np.array([term.coefficient for term in fit.terms]) @ columns
    assert fit.mse == pytest.approx(float(np.mean((BENCH.target.b[0] - model) ** 2)))


def test_a_term_that_is_not_finite_is_a_failure_in_words():
    fit = BENCH.fit(0, skeletons("log(0 - x)"), "bfgs")
    assert "not finite" in fit.failure
    assert fit.mse == float("inf")


def test_the_loop_fits_by_the_optimizer_of_the_settings():
    store = MemoryStore()
    run = runs.start(store, logistic_problem(), Settings(optimizer="bfgs", held_out=0.0))
    done = runs.step_once(store, run)
    assert {f.strategy for system in done.state.last.fits for f in system.equations if f.terms} == {"bfgs"}
