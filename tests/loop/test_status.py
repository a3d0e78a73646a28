"""A run says when to stop, and never that it found something where there is nothing."""

import numpy as np

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.loop.status import reason_to_stop, status
from dolq_core.records import Dataset, Problem, Settings, Trajectory, Variable
from dolq_core.store.memory import MemoryStore
from tests.loop.states import logistic_problem, state_of


def finished(problem, **settings):
    store = MemoryStore()
    return runs.auto(store, runs.start(store, problem, Settings(**settings))).state


def noise(seed):
    return series(np.random.default_rng(seed).normal(size=(200, 1)))


def series(values):
    run = Trajectory(frozen(np.linspace(0.0, 10.0, 200)), frozen(values))
    return Problem(Dataset("noise", Variable("t", "t"), (Variable("x", "x"),), (run,)))


def test_a_law_is_found_and_settled():
    state = finished(logistic_problem())
    assert status(state, 0)[0] == "settled"
    assert reason_to_stop(state).startswith("Found")


def test_in_pure_noise_nothing_is_claimed_and_the_run_ends_without_a_find():
    for seed in range(3):
        state = finished(noise(seed))
        assert status(state, 0)[0] == "none"
        assert reason_to_stop(state).startswith("Stopped")


def test_a_random_walk_has_no_law_even_where_chance_fits_it_well():
    state = finished(series(np.random.default_rng(4201).normal(size=(200, 1)).cumsum(axis=0)), iterations=2)
    assert state.best[0].fit.terms
    assert status(state, 0)[0] == "none"


def test_before_the_first_iteration_nothing_is_claimed_and_nothing_stops():
    assert status(state_of(), 0)[0] == "none"
    assert reason_to_stop(state_of()) == ""


def test_the_number_of_iterations_is_a_limit():
    state = finished(noise(0), iterations=2, patience=9)
    assert (state.iteration, reason_to_stop(state)) == (2, "Stopped: all 2 iterations are used.")
