"""A vessel that is fed and washed out: its states nearly add up to a constant, and no polynomial carries them."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core.agents.builtin.choice import Library
from dolq_core.agents.builtin.pursuit import Pursuit
from dolq_core.agents.builtin.references import polynomials, relaxing
from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.fitting.likelihood import shape
from dolq_core.fitting.prior import Prior
from dolq_core.records import Dataset, Problem, Trajectory, Variable

UPTAKE = "X*s/(params[0] + s)"
FED = (("1", UPTAKE, "s"), ("X", UPTAKE))
NARROW = ("1", "X", "X**2", UPTAKE, "X*s", "X*s**2", "X**2*s", "s", "s**2", "s/(params[0] + s)")


def test_terms_are_ranked_along_the_simulation_of_the_best_system():
    bench = Workbench.of(chemostat().dataset)
    smooth = bench.output_error(polynomials(bench, 2), 1)
    path = 1.01 * bench.target.measured.x
    assert smooth is not None
    along = bench.output_error(polynomials(bench, 2), 1, along=path)
    assert along is not None
    assert np.allclose(along.x, 1.01 * smooth.x)
    assert bench.output_error(polynomials(bench, 2), 1, along=path[:-1]).x == pytest.approx(smooth.x)  # other times

    asked = []
    search = Pursuit(bench, bench.new_likelihoods(), Prior(chemostat()), [Library((NARROW,))] * 2, 6)
    search.bench = SimpleNamespace(output_error=lambda *_, decoupled, along: asked.append(along))
    search._pool([], 1, 0)
    search.best = SimpleNamespace(x=path)
    search._pool([], 1, 0)
    search.like = search.likes[1]  # on stretches, where simulations start anew
    search._pool([], 1, 0)
    assert asked[0] is asked[2] is None
    assert asked[1] is path


def chemostat() -> Problem:
    def rate(t, x):
        uptake = 0.8 * x[0] * x[1] / (0.5 + x[0])
        return [0.1 * (5.0 - x[0]) - 2.0 * uptake, uptake - 0.1 * x[1]]

    t = np.linspace(0.0, 40.0, 300)
    x = solve_ivp(rate, (0.0, 40.0), [5.0, 0.1], t_eval=t, rtol=1e-9, atol=1e-10, method="LSODA").y.T
    noisy = x + 0.02 * x.std(axis=0) * np.random.default_rng(5).normal(size=x.shape)
    run = Trajectory(frozen(t), frozen(noisy))
    states = (Variable("s", "s", meaning="substrate"), Variable("X", "X", meaning="biomass"))
    words = "Biomass grows on a substrate that is fed; both are washed out."
    return Problem(Dataset("vessel", Variable("t", "t"), states, (run,)), words)


def test_rates_are_compared_where_they_are_when_no_polynomial_carries_the_samples():
    problem = chemostat()
    bench = Workbench.of(problem.dataset)
    search = Pursuit(bench, bench.new_likelihoods(), Prior(problem), [Library((NARROW,))] * 2, 6)

    def first(reference):
        return [tuple(term.skeleton for term in terms) for terms in search._pool(reference, 1, 0, decoupled=True)]

    assert sorted(first(relaxing(bench))[0]) == sorted(FED[1])
    assert set(FED[1]) not in map(set, first(polynomials(bench, 2)))


def test_a_fed_vessel_is_found_though_its_states_nearly_add_up_to_a_constant():
    problem = chemostat()
    bench = Workbench.of(problem.dataset)
    found = Pursuit(bench, bench.new_likelihoods(), Prior(problem), [Library((NARROW[:2], NARROW))] * 2, 6).run()
    assert shape(found[0].system) == FED
