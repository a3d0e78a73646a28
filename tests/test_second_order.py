"""Positions only: a second-order law is found from one noisy column; maps are told from flows."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core import runs
from dolq_core.agents.builtin.objections import ReviewCase
from dolq_core.agents.builtin.scientist import _insight as insight_of
from dolq_core.errors import DataError
from dolq_core.fitting import Workbench, names_of, with_rates
from dolq_core.fitting.hidden import map_words
from dolq_core.loop.status import reason_to_stop, status
from dolq_core.mechanisms import Words, explanations
from dolq_core.records import Dataset, FittedTerm, Given, Problem, Settings, TermKey, Trajectory, Variable
from tests.every import none

WORDS = "The angle of a pendulum with friction."


def pendulum(noise=0.02, points=400):
    t = np.linspace(0.0, 20.0, points)
    path = solve_ivp(
        lambda _, x: [x[1], -2.0 * np.sin(x[0]) - 0.2 * x[1]], (0.0, 20.0), [1.5, 0.0], t_eval=t, rtol=1e-9
    )
    x = path.y[:1].T + noise * np.random.default_rng(0).standard_normal((points, 1))
    states = (Variable("angle", "angle", "rad"),)
    return Problem(Dataset("pendulum", Variable("t", "t", "s"), states, (Trajectory(t, x),)), WORDS)


def one_column(x):
    states = tuple(Variable(f"x{j}", f"x{j}") for j in range(x.shape[1]))
    return Dataset("steps", Variable("t", "t"), states, (Trajectory(np.arange(len(x), dtype=float), x),))


@pytest.fixture(scope="module")
def found():
    store = runs.memory_store()
    run = runs.start(store, runs.with_second_order(pendulum(), ["angle"]), Settings(), seed=0)
    return runs.auto(store, run)


def test_a_pendulum_is_found_from_its_noisy_angle_alone(found):
    first, second = (best.refined or best.fit for best in found.state.best)
    assert [(t.skeleton, t.coefficient) for t in first.terms] == [("angle_dot", 1.0)]
    assert {t.skeleton: t.coefficient for t in second.terms} == {
        "angle_dot": pytest.approx(-0.2, abs=4e-3),
        "sin(angle)": pytest.approx(-2.0, abs=6e-3),
    }
    assert [status(found.state, j)[0] for j in range(2)] == ["settled", "settled"]


def test_a_definition_holds_by_definition(found):
    assert status(found.state, 0) == ("settled", "It holds by definition: angle_dot is the rate of angle.")
    (term,) = [one for one in found.state.last.verdicts if one.key == TermKey(0, "angle_dot")]
    assert (term.semantic, term.reason) == ("good", "angle_dot is the rate of angle by definition.")
    spring = explanations(found.state.problem, names_of(found.state.problem.dataset), 1)["angle"]
    assert spring.meaning == "angle drives angle_dot in proportion, as a spring does"
    assert "no rival among" in status(found.state, 1)[1]
    assert found.state.insight.startswith("angle_dot: fitted to within the error of the training data.")
    assert none("turns into angle or" in reason for key, reason in found.state.reasons.items() if key.equation == 0)


def missing(found, times):
    """The state where the simulation misses the angle by so many times its noise."""
    angle, rate = found.state.best
    away = replace(angle.reported, floor_ratio=times)
    return replace(found.state, best=(replace(angle, refined=away), rate))


def test_the_law_of_the_rate_is_blamed_where_the_runs_are_missed(found):
    state = missing(found, 78.6)
    assert status(state, 0) == status(found.state, 0)
    blamed = status(state, 1)
    assert blamed[0] == "provisional"
    assert "the samples of angle by 78.6 times the noise." in blamed[1]
    stop = reason_to_stop(replace(state, since_better=state.settings.patience))
    assert "Settled: angle. Provisional: angle_dot (error 78.6 times the noise" in stop
    setup = runs.workbench(found)
    fits = [replace(state.best[0].reported, above_rest=None), found.state.best[1].fit]
    case = ReviewCase(state.problem, setup, Words(), fits, 1, dict(enumerate(fits)))
    assert insight_of(case, "").startswith("Something is still missing in angle_dot (")


def test_a_definition_is_no_law_where_its_rate_has_none(found):
    state = replace(found.state, best=(found.state.best[0], None))
    said = "It holds by definition: angle_dot is the rate of angle. There is no law of angle_dot yet."
    assert status(state, 0) == ("none", said)


def test_no_fit_is_compared_with_the_slopes():
    problem = runs.with_second_order(pendulum(), ["angle"])
    run = problem.dataset.trajectories[0]
    shifted = replace(run, x=run.x + np.array([0.0, 0.3]))
    law = (
        (FittedTerm("angle_dot", 1.0, None),),
        (FittedTerm("sin(angle)", -3.0, None), FittedTerm("angle_dot", -0.1, None)),
    )
    fits = []
    for own in (run, shifted):
        dataset = replace(problem.dataset, trajectories=(own,))
        judged = Workbench.of(dataset, blocks=problem.blocks).likelihoods[0].judged(law)
        assert judged.misfit[1] == 0.0
        fits.append(judged.system[1][0].coefficient)
    assert fits == pytest.approx([-2.0, -2.0], abs=6e-3)


def test_the_rate_is_a_state_with_its_unit_and_its_equation_is_a_rule():
    problem = runs.with_second_order(pendulum(), ["angle"])
    data = problem.dataset
    assert [(s.name, s.unit) for s in data.states] == [("angle", "rad"), ("angle_dot", "rad/s")]
    assert data.unmeasured == (Given("angle_dot", "angle"),)
    (rule,) = problem.blocks.equations
    assert (rule.equation, rule.terms, rule.fixed) == (0, ("angle_dot",), (("angle_dot", 1.0),))
    told = runs.with_blocks(pendulum(), 'second_order = ["angle"]\n[equations.angle_dot]\nsigns = {"angle_dot" = "-"}')
    assert told.dataset.unmeasured == data.unmeasured
    assert {rule.equation for rule in told.blocks.equations} == {0, 1}


@pytest.mark.parametrize("names", [["speed"], ["angle", "angle_dot"]])
def test_what_has_no_second_order_is_refused_in_words(names):
    problem = pendulum() if names == ["speed"] else runs.with_second_order(pendulum(), ["angle"])
    with pytest.raises(DataError, match="no such state|is a state already"):
        with_rates(problem.dataset, names)


def test_steps_of_a_map_are_told_from_noise_and_from_samples_of_a_flow():
    rng = np.random.default_rng(1)
    henon = np.full((300, 2), 0.1)
    for n in range(299):
        henon[n + 1] = 1.0 - 1.4 * henon[n, 0] ** 2 + henon[n, 1], 0.3 * henon[n, 0]
    assert "steps of a map" in map_words(one_column(henon + 0.005 * rng.standard_normal(henon.shape)))
    others = [rng.standard_normal((200, 1)), np.cumsum(rng.standard_normal((200, 2)), axis=0)]
    assert [map_words(one_column(x)) for x in others] == ["", ""]
    assert map_words(pendulum(0.0).dataset) == ""
