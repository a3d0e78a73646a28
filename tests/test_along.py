"""Samples along a rough system tell structures apart that the weak form does not."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.fitting import Workbench
from dolq_core.loop.status import status
from dolq_core.terms import parse_term
from tests.agents.problems import problem, run, simulated


def prey(sigma, points=600, seed=0):
    """Prey that reproduce and are eaten, with noise of `sigma` standard deviations."""
    clean = simulated(lambda _, x: [x[0] - 0.5 * x[0] * x[1], 0.4 * x[0] * x[1] - x[1]], [3.0, 1.0], 12.0, "", points)
    (one,) = clean.dataset.trajectories
    noisy = one.x + sigma * one.x.std(axis=0) * np.random.default_rng(seed).normal(size=one.x.shape)
    return problem(one.t, noisy, ["x0", "x1"])


def fitted(bench, equation, *texts):
    return bench.fit(equation, [parse_term(text, bench.names).skeleton for text in texts])


def truth(bench):
    return [fitted(bench, 0, "x0", "x0*x1"), fitted(bench, 1, "x0*x1", "x1")]


def test_the_true_structure_stands_at_the_noise_and_a_wrong_one_does_not():
    bench = Workbench.of(prey(0.02).dataset)
    near = bench.along(truth(bench), 0)
    assert fitted(near, 0, "x0", "x0*x1").floor_ratio == pytest.approx(1.0, abs=0.2)
    assert fitted(near, 0, "x0", "x0**2*x1").floor_ratio > 5.0


def test_clean_and_uneven_data_are_left_to_the_weak_form():
    clean = Workbench.of(prey(0.0).dataset)
    assert clean.along(truth(clean), 0) is None
    (one,) = prey(0.02).dataset.trajectories
    some = np.sort(np.random.default_rng(1).permutation(len(one.t))[:300])
    uneven = Workbench.of(problem(one.t[some], one.x[some], ["x0", "x1"]).dataset)
    assert uneven.along(truth(uneven), 0) is None


def test_an_equation_whose_simulation_misses_the_samples_is_not_settled():
    state = run(prey(0.02), iterations=1)
    assert status(state, 0)[0] == "settled"
    best = state.best[0]
    far = replace(state, best=(replace(best, refined=replace(best.refined, floor_ratio=4.0)), state.best[1]))
    assert status(far, 0) == ("provisional", "The simulation is 4 times the noise away from the samples.")
