"""Signals without a law of their states alone: steps, switches and smooth chance are never given for settled."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d

from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.fitting.changes import change_words
from dolq_core.loop.followed import MISSED
from dolq_core.loop.status import status
from dolq_core.records import Blocks, Dataset, Problem, Trajectory, Variable
from tests import stored

T = np.linspace(0.0, 10.0, 200)
RNG = np.random.default_rng(1)
NOISE = 0.01 * RNG.normal(size=len(T))


PLAIN = Blocks(functions=(), ratios=False, inner=False, time=False)
"""For signals of which the same is said, for the same reason, whatever else is tried."""
RIGID = Blocks(inner=False)
"""The same where functions, ratios and time have a say: without terms that have numbers of their own."""


def found(*columns, blocks=None):
    states = tuple(Variable(f"x{j}", f"x{j}") for j in range(len(columns)))
    run = Trajectory(frozen(T), frozen(np.column_stack(columns)))
    given = Problem(Dataset("steps", Variable("t", "t"), states, (run,)), blocks=blocks or Blocks())
    return stored.found(given).state


def statuses(state):
    return [status(state, j) for j in range(len(state.best))]


DEATH = np.where(T < 6.0, 10.0 / (1.0 + 9.0 * np.exp(-T)), 9.8 * np.exp(6.0 - T))
STEPS = {
    "floor(t)": (np.floor(T), PLAIN),
    "floor(t) with noise": (np.floor(T) + NOISE, PLAIN),
    "a switch": (np.sign(np.sin(2.0 * T)), None),
    "one step": ((T > 4.3) + NOISE, RIGID),
    "stairs that settle": (1.0 - 0.7 ** np.floor(1.5 * T), PLAIN),
    "growth, then death": (DEATH + NOISE, PLAIN),
    "rest, then decay after what was fitted": (np.where(T < 8.5, 5.0, 5.0 * np.exp(8.5 - T)) + NOISE, None),
}


@pytest.mark.parametrize("signal", STEPS)
def test_what_goes_in_steps_or_breaks_is_not_settled(signal):
    seen, blocks = STEPS[signal]
    ((standing, reason),) = statuses(found(seen, blocks=blocks))
    assert standing != "settled", reason


def test_when_a_signal_jumps_is_said():
    state = found(np.floor(T / 2.5) + 0.3 * T + NOISE, blocks=PLAIN)
    assert state.last.target.jumps == ("x0 jumps 3 times, at t = 2.513, 5.025, 7.538.",)
    ((standing, reason),) = statuses(state)
    assert standing != "settled"
    assert "jumps 3 times" in reason


def two_states(*columns):
    t = np.linspace(0.0, 10.0, len(columns[0]))
    states = tuple(Variable(f"x{j}", f"x{j}") for j in range(2))
    run = Trajectory(frozen(t), frozen(np.column_stack(columns)))
    return Workbench.of(Dataset("turns", Variable("t", "t"), states, (run,)), held_out=0.2)


def test_when_a_law_changes_is_said_and_nothing_of_what_does_not_change():
    t = np.linspace(0.0, 10.0, 400)
    at, speed, after = np.cos(10.0), -2.0 * np.sin(10.0), t - 5.0
    x = np.where(t < 5.0, np.cos(2.0 * t), at * np.cos(3.0 * after) + speed / 3.0 * np.sin(3.0 * after))
    v = np.where(t < 5.0, -2.0 * np.sin(2.0 * t), speed * np.cos(3.0 * after) - 3.0 * at * np.sin(3.0 * after))
    noise = 0.01 * RNG.normal(size=(2, len(t)))
    words = change_words(two_states(x + noise[0], v + noise[1]), 1)
    assert words.startswith("The law of x1 seems to change near t = ")
    assert float(words.split("near t = ")[1].split(":")[0]) == pytest.approx(5.0, abs=0.4)
    still = two_states(np.cos(2.0 * t) + noise[0], -2.0 * np.sin(2.0 * t) + noise[1])
    walk = two_states(*np.cumsum(RNG.normal(size=(2, len(t))), axis=1))
    assert [change_words(bench, j) for bench in (still, walk) for j in (0, 1)] == [""] * 4


def test_smooth_chance_in_two_states_is_no_law():  # more draws: python -m lab nothing
    walk = np.cumsum(np.random.default_rng(3).normal(size=(len(T), 2)), axis=0)
    state = found(*gaussian_filter1d(walk, 4.0, axis=0).T, blocks=RIGID)
    assert [standing for standing, _ in statuses(state)] == ["none", "none"]


def cooling(step):
    return np.round((20.0 + 60.0 * np.exp(-0.4 * T)) / step) * step


def test_rounded_data_say_their_resolution_and_are_fitted_with_it():
    state = found(cooling(0.5))
    assert "x0 was read in steps of 0.5 (90 values)" in state.last.target.reason
    assert state.last.target.noise[0] == pytest.approx(0.5 / np.sqrt(12.0), rel=0.05)
    ((standing, _),) = statuses(state)
    assert standing == "settled"
    assert [term.skeleton for term in state.best[0].fit.terms] == ["1", "x0"]


def test_a_law_of_a_few_values_is_not_borne_out_by_them():
    ((standing, reason),) = statuses(found(cooling(3.0), blocks=PLAIN))
    assert standing == "provisional"
    assert "x0 takes 21 values only, 3 apart, and stays at each (it first changes at t = " in reason


def test_a_law_that_misses_what_follows_the_data_it_was_fitted_to_is_not_settled():
    state = found(20.0 + 60.0 * np.exp(-0.4 * T) + NOISE)
    assert statuses(state)[0][0] == "settled"
    far = replace(state.last, trajectory=replace(state.last.trajectory, held_out=(0.5,)))
    fit = replace(state.best[0], fit=replace(state.best[0].fit, held_out=0.5))
    assert status(replace(state, last=far), 0)[0] == "settled"  # the rates are right: chaos
    assert status(replace(state, last=far, best=(fit,), ended=(fit,)), 0) == ("provisional", MISSED)
