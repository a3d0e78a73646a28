"""The paper's optimizers as settings: the same objective, a name in the record, no silent number."""

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.fitting import Workbench
from dolq_core.records import Settings
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import parse_term
from tests.every import every
from tests.loop.states import logistic_problem

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
