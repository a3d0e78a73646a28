"""Jumps and kinks of a law.

Of dry friction the exact motion from one turning point to the next is a cosine about where the friction holds.
"""

import numpy as np
import pytest

from dolq_core.fitting.whole_runs import Laws
from dolq_core.numerics.lifted import fit
from dolq_core.numerics.noise import bends, noise_levels
from dolq_core.numerics.steps import carried
from dolq_core.numerics.stretches import Stretches, one_stretch_a_run
from dolq_core.numerics.targets import choose_target
from dolq_core.records import FittedTerm
from dolq_core.terms import parse_term

FRICTION = 0.3
TRUE = np.array([1.0, -1.0, -FRICTION])


def sliding(t, start=10.3):
    """Position and speed (n, 2) of x'' = -x - FRICTION * sign(x'), let go at `start`, while it moves."""
    halves = np.floor(t / np.pi)
    side = (-1.0) ** halves
    held = FRICTION * side  # the speed is negative first
    reach = start - FRICTION - 2.0 * FRICTION * halves
    phase = t - np.pi * halves
    return np.column_stack((held + side * reach * np.cos(phase), -side * reach * np.sin(phase)))


def law(friction="sign(v)"):
    equations = (("v",), ("x", friction))
    return Laws(
        [[FittedTerm(parse_term(s, ["x", "v"]).skeleton, 1.0) for s in terms] for terms in equations], ("x", "v")
    )


def samples(n=301):
    t = np.linspace(0.0, 30.0, n)
    x = sliding(t)
    return Stretches(t, x, np.empty((n, 0)), np.full(2, 1e-4), one_stretch_a_run([n]))


def test_a_step_across_a_jump_is_as_exact_as_any_other():
    data = samples()
    inside = data.inside
    end = carried(data, law(), TRUE, data.y[inside].T)
    assert np.abs(end.T - data.y[inside + 1]).max() < 1e-5
    smooth = carried(data, law("tanh(30*v)"), TRUE, data.y[inside].T)
    assert np.abs(smooth.T - data.y[inside + 1]).max() > 1e-3


def test_a_step_across_a_kink_is_as_exact_as_any_other():
    """A spring that is four times as stiff on one side of its rest: -x where x > 0, -4*x where x < 0."""
    t = np.linspace(0.0, 15.0 * np.pi, 943)
    within = t % (1.5 * np.pi)
    soft, phase = within < np.pi, 2.0 * (within - np.pi)
    exact = np.where(soft, np.sin(within), -0.5 * np.sin(phase)), np.where(soft, np.cos(within), -np.cos(phase))
    data = Stretches(t, np.column_stack(exact), np.empty((len(t), 0)), np.full(2, 1e-6), one_stretch_a_run([len(t)]))
    ends = carried(data, law("abs(x)"), np.array([1.0, -2.5, 1.5]), data.y[data.inside].T)
    assert np.abs(ends.T - data.y[data.inside + 1]).max() < 2e-7


def test_friction_is_fitted_to_samples_of_many_turns():
    data = samples()
    path = fit(data, law(), TRUE * [1.01, 0.99, 1.1], data.y)
    assert path is not None
    assert path.is_simulation
    assert path.theta == pytest.approx(TRUE, abs=1e-5)
    assert path.chi2 < 1.0


def test_samples_that_bend_where_friction_turns_are_not_noisy():
    data = samples(361)
    turns = np.pi * np.arange(1, 10) / (data.t[1] - data.t[0])
    found = bends(data.t, data.y)
    apart = np.abs(found[:, None] - turns)
    assert apart.min(axis=0).max() <= 1.0
    assert apart.min(axis=1).max() <= 4.0
    spread = data.y.std(axis=0)
    assert noise_levels([(data.t, data.y)])[1] > 1e-4 * spread[1]
    assert choose_target([(data.t, data.y)]).noise == pytest.approx(2e-4 * spread, rel=0.02)


@pytest.mark.parametrize("noise", [0.0, 1e-3])
def test_a_smooth_swing_and_a_noisy_one_have_no_bends(noise):
    t = np.linspace(0.0, 30.0, 361)
    x = np.column_stack((np.cos(t), np.exp(-((t - 9.0) ** 2)))) + noise * np.random.default_rng(2).normal(size=(361, 2))
    assert not len(bends(t, x))
