"""A person's own library: its terms are tried whether or not a mechanism of ours explains them."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.bundled import load_bundled
from dolq_core.loop.status import status
from dolq_core.records import Dataset, Problem, Trajectory, Variable

ODD = "\n".join(
    ["x: x**1.3", "x: x*sqrt(y)", "x: y**1.7/(1 + x)", "y: x*sqrt(y)", "y: y**1.2", "y: x**0.6*y**2", "y: log(1 + x*y)"]
)


def odd_pair(noise: float) -> Problem:
    t = np.linspace(0.0, 20.0, 300)
    rates = lambda _, s: (0.7 * s[0] ** 1.3 - 0.9 * s[0] * s[1] ** 0.5, 0.5 * s[0] * s[1] ** 0.5 - 0.8 * s[1] ** 1.2)  # noqa: E731
    x = solve_ivp(rates, (0.0, 20.0), (2.0, 0.3), t_eval=t, rtol=1e-10, atol=1e-12).y.T
    x = x + noise * x.std(axis=0) * np.random.default_rng(5).normal(size=x.shape)
    states = Variable("x", "x"), Variable("y", "y")
    return Problem(Dataset("odd", Variable("t", "t"), states, (Trajectory(frozen(t), frozen(x)),)))


def laws(state):
    return [{term.skeleton for term in best.fit.terms} for best in state.best]


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_a_law_of_terms_that_no_mechanism_explains_is_found(noise):
    store = runs.memory_store()
    state = runs.auto(store, runs.start(store, runs.with_library(odd_pair(noise), ODD))).state
    assert laws(state) == [{"x**1.3", "x*sqrt(y)"}, {"x*sqrt(y)", "y**1.2"}]
    reasons = {term.reason for terms in state.last.proposal.candidates[0].terms for term in terms}
    assert "one of the terms that were given for this equation." in reasons


def test_one_product_is_a_library_and_its_words_are_no_conflict():
    store = runs.memory_store()
    state = runs.auto(store, runs.start(store, runs.with_library(load_bundled("yeast"), "yeast*(1 - yeast/K)"))).state
    assert laws(state) == [{"yeast*(1 - yeast/params[0])"}]
    assert status(state, 0)[0] == "settled"
    assert "disagree" not in state.insight
