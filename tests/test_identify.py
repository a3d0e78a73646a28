"""Ties are counted by function, never by writing; the next experiment starts where they come apart."""

from dataclasses import replace

import numpy as np

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.fitting.identify import next_experiment, ties
from dolq_core.records import Settings, Trajectory
from dolq_core.store.memory import MemoryStore
from dolq_core.terms import parse_term
from tests.loop.states import logistic_problem


def arc(low, high, sigma=0.0):
    """The logistic curve while x is between low and high."""
    problem = logistic_problem(2000)
    (run,) = problem.dataset.trajectories
    inside = (run.x[:, 0] > low) & (run.x[:, 0] < high)
    x = run.x[inside] + sigma * np.random.default_rng(1).normal(size=(int(inside.sum()), 1))
    short = Trajectory(frozen(run.t[inside]), frozen(x))
    return replace(problem.dataset, trajectories=(short,))


def tied(bench, *texts, seen=()):
    skeletons = [parse_term(text, bench.names).skeleton for text in texts]
    others = [[parse_term(text, bench.names).skeleton for text in other] for other in seen]
    best = bench.fit(0, skeletons)
    return best, ties(bench, best, others)


def test_on_clean_data_the_true_structure_is_the_only_one():
    bench = Workbench.of(logistic_problem().dataset)
    _, found = tied(bench, "x", "x**2", seen=[["x", "sin(x)"], ["x", "x**3"]])
    assert (found.count, found.words) == (0, "")


def test_a_short_noisy_arc_has_ties_and_the_words_say_so():
    bench = Workbench.of(arc(0.1, 0.3, 0.003))
    best, found = tied(bench, "x", "x**2", seen=[["x", "sin(x)"]])
    assert found.count > 0
    assert "fit" in found.words
    assert "another start" in found.words
    asked = next_experiment(bench, [best], [found], [0.0], [3.0])
    assert 0.0 <= asked.start[0] <= 3.0
    assert asked.apart > 1.0


def test_an_alias_is_not_another_structure():
    bench = Workbench.of(arc(0.1, 0.3, 0.003))
    one = tied(bench, "x", "x**2")[1].count
    assert tied(bench, "x", "x**2", seen=[["x", "x*abs(x)"]])[1].count == one


def test_a_run_answers_for_its_equations_and_a_settled_one_needs_no_experiment():
    store = MemoryStore()
    done = runs.auto(store, runs.start(store, logistic_problem(), Settings(iterations=1)))
    assert [found.count for found in runs.identifiability(done)] == [0]
    assert runs.next_experiment(done, [0.0], [2.0]) is None
