"""The insight and the status of an equation never contradict each other, and both know a walk of few samples."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.agents.builtin.objections import on_whole_runs
from dolq_core.fitting.chance import BEYOND_WALK, is_borne_out, says_something
from dolq_core.loop.status import status
from dolq_core.records import EquationFit, FittedTerm, Visited
from tests.agents.problems import begun, noisy, problem, run

RNG = np.random.default_rng(0)


def swing(**given):
    return noisy(lambda t, x: [x[1], -4.0 * x[0] - 0.3 * x[1]], [1.0, 0.0], 8.0, **given)


def insight_of(setup, state, attempt):
    return setup.scientist.review(state, attempt, (), setup.bench, RNG).insight


def test_the_insight_tells_of_the_best_law_and_not_of_a_worse_attempt():
    given = swing()
    state, setup = begun(given)
    fits = [setup.bench.fit(0, ["x1"]), setup.bench.fit(1, ["x0", "x1"])]
    worse = [fits[0], setup.bench.fit(1, ["x1"])]
    assert "No law of x1 yet: standing still explains the data as well." in insight_of(setup, state, worse)
    known = replace(state, best=tuple(Visited(fit, 1) for fit in fits))
    assert insight_of(setup, known, worse) == "x0 and x1: fitted to within the error of the training data."


def test_what_whole_runs_bear_out_is_not_said_to_show_no_law_though_rates_show_none():
    given = swing()
    state, setup = begun(given)
    fits = [setup.bench.fit(0, ["x1"]), setup.bench.fit(1, ["x0", "x1"])]
    assert all(map(is_borne_out, on_whole_runs(setup.bench, fits).values()))
    still = setup.bench.null(1).score
    said = insight_of(setup, replace(state, iteration=9), [fits[0], replace(fits[1], score=still + 1.0)])
    assert said == "x0 and x1: fitted to within the error of the training data."


def test_rates_that_show_nothing_have_the_last_word_where_no_whole_run_is_followed():
    fit = EquationFit(0, (FittedTerm("x", 1.0),), 1.0, 1.0, 1.0, 1.0, 1.0)
    assert not is_borne_out(fit)
    assert is_borne_out(replace(fit, above_rest=30.0, whiteness=0.5))
    assert not is_borne_out(replace(fit, above_rest=30.0, whiteness=1e-6))
    assert not is_borne_out(replace(fit, above_rest=30.0, whiteness=0.5, floor_ratio=4.0))


@pytest.mark.parametrize(("above", "stands"), [(BEYOND_WALK + 1.0, "provisional"), (BEYOND_WALK - 1.0, "none")])
def test_standing_still_is_not_said_to_explain_what_a_simulation_explains_far_better(above, stands):
    state = run(swing(points=200), 1)
    known = state.best[1]
    still = state.last.target.null_score[1]
    worse = replace(known.fit, score=still + 1.0, held_out=None)
    missed = replace(known.reported, above_rest=above, floor_ratio=1.7)
    assert says_something(missed) == (stands == "provisional")
    said, why = status(replace(state, best=(state.best[0], replace(known, fit=worse, refined=missed))), 1)
    assert said == stands
    assert ("standing still" in why) == (stands == "none")
    assert ("1.7 times" in why) == (stands == "provisional")


@pytest.mark.parametrize(("above", "claimed"), [(BEYOND_WALK - 1.0, False), (BEYOND_WALK + 1.0, True)])
@pytest.mark.parametrize(("points", "few"), [(40, True), (200, False)])
def test_a_law_of_few_samples_has_to_be_far_better_than_a_walk(points, few, above, claimed):
    state = run(swing(points=points), 1)
    best = [replace(known, refined=replace(known.reported, above_rest=above)) for known in state.best]
    stands, why = status(replace(state, best=tuple(best)), 1)
    assert (stands != "none") == (claimed or not few)
    assert ("random walk" in why) == (few and not claimed)


def test_a_walk_of_few_samples_is_said_to_explain_as_much():
    walk = np.random.default_rng(7).normal(size=(36, 1)).cumsum(axis=0)
    seen = walk + 2.0 * np.random.default_rng(1006).normal(size=walk.shape)
    state, setup = begun(problem(np.linspace(0.0, 10.0, 36), seen, ["x0"]))
    fit = setup.bench.fit(0, ["x0"])
    assert insight_of(setup, state, [fit]) == "With so few samples a random walk explains x0 as well."
