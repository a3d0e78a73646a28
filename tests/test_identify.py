"""Ties are counted by function, never by writing; the next experiment starts where they come apart."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.fitting.identify import Experiment, next_experiment, ties
from dolq_core.records import Dataset, Trajectory, Variable
from dolq_core.terms import parse_term
from dolq_core.views import rivals
from dolq_core.views.rivals import identifiability
from tests.loop.states import logistic_problem
from tests.stored import found


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
    assert "explain" in found.words
    assert "another start" in found.words
    asked = next_experiment(bench, [best], [found], [0.0], [3.0])
    assert 0.0 <= asked.start[0] <= 3.0
    assert asked.apart > 1.0


def test_an_alias_is_not_another_structure():
    bench = Workbench.of(arc(0.1, 0.3, 0.003))
    one = tied(bench, "x", "x**2")[1].count
    assert tied(bench, "x", "x**2", seen=[["x", "x*abs(x)"]])[1].count == one


def test_a_run_answers_for_its_equations_and_a_settled_one_needs_no_experiment():
    done = found(logistic_problem(), iterations=1)
    assert [found.count for found in identifiability(done)] == [0]
    assert rivals.next_experiment(done, [0.0], [2.0]) is None


def test_structures_that_are_one_function_where_the_data_are_are_told_apart_where_they_are_not():
    small = np.linspace(0.0, 4.0, 300)
    x = (0.3 * np.exp(-small) + 1e-3 * np.random.default_rng(0).normal(size=300))[:, None]
    run = Trajectory(frozen(small), frozen(x))
    bench = Workbench.of(replace(logistic_problem(300).dataset, trajectories=(run,)))
    best = bench.fit(0, [parse_term("x", bench.names).skeleton])
    found = ties(bench, best, [[parse_term("sin(x)", bench.names).skeleton]], [best])
    assert "sin(x)" in [fit.terms[0].skeleton for fit in found.twins]
    larger = bench.fit(0, [parse_term(text, bench.names).skeleton for text in ("x", "x**2")])
    asked = next_experiment(bench, [best], [replace(found, larger=larger)], [0.0], [3.0])
    assert asked.start[0] > 1.0
    assert asked.fitted_again


@pytest.mark.parametrize(
    ("fitted_again", "end"),
    [(False, "come 58.2 times the noise apart."), (True, "fitted again, stay 58.2 standard errors apart.")],
)
def test_what_a_further_run_is_to_be_is_said_in_the_units_of_the_data(fitted_again, end):
    states = (Variable("temp (°C)", "temp", "°C"), Variable("N", "N"))
    given = Dataset("cup", Variable("minute", "t", "min"), states, ())
    said = rivals.asked_for(Experiment((27.06, -2.0), 46.0, 58.24, fitted_again), given)
    assert said.startswith("Start a run at temp = 27.1 °C, N = \N{MINUS SIGN}2: within 46 min these laws")
    assert said.endswith(end)


def test_a_time_without_a_unit_is_called_a_time():
    given = Dataset("cup", Variable("time", "t"), (Variable("V", "V", "mm3"),), ())
    said = rivals.asked_for(Experiment((70.8,), 12.0, 4.16, fitted_again=True), given)
    assert "V = 70.8 mm3: within a time of 12 these laws" in said
