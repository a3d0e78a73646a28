"""Samples along a rough system tell structures apart that the weak form does not."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.fitting.whole_runs import system_of
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
    near = bench.output_error(truth(bench), 0)
    assert fitted(near, 0, "x0", "x0*x1").floor_ratio == pytest.approx(1.0, abs=0.2)
    assert fitted(near, 0, "x0", "x0**2*x1").floor_ratio > 5.0


def test_clean_data_are_left_to_the_weak_form():
    clean = Workbench.of(prey(0.0).dataset)
    assert clean.output_error(truth(clean), 0) is None


def uneven(given):
    """Every second sample or so, and a gap of a tenth of the run."""
    (one,) = given.dataset.trajectories
    some = np.sort(np.random.default_rng(1).permutation(len(one.t))[:400])
    some = some[(some < 200) | (some > 260)]
    return problem(one.t[some], one.x[some], ["x0", "x1"])


def missing(given):
    """Every tenth cell is empty."""
    (one,) = given.dataset.trajectories
    empty = np.random.default_rng(1).uniform(size=one.x.shape) < 0.1
    return problem(one.t, np.where(empty, np.nan, one.x), ["x0", "x1"])


@pytest.mark.parametrize("spoiled", [uneven, missing])
def test_uneven_times_gaps_and_missing_cells_are_judged_as_sharply(spoiled):
    given = spoiled(prey(0.02))
    near = Workbench.of(given.dataset).output_error(truth(Workbench.of(given.dataset)), 0)
    assert fitted(near, 0, "x0", "x0*x1").floor_ratio == pytest.approx(1.0, abs=0.2)
    assert fitted(near, 0, "x0", "x0**2*x1").floor_ratio > 4.0
    state = run(given, iterations=1)
    assert [status(state, j)[0] for j in range(2)] == ["settled", "settled"]


def test_a_bad_sample_counts_by_its_weight():
    (one,) = prey(0.02).dataset.trajectories
    rng = np.random.default_rng(3)
    bad = rng.uniform(size=one.x.shape) < 0.3
    x = np.where(bad, one.x + one.x.std(axis=0) * rng.normal(size=one.x.shape), one.x)
    given = problem(one.t, x, ["x0", "x1"])
    counted = replace(one, x=frozen(x), weights=frozen(np.where(bad, 4e-4, 1.0)))
    weighted = Workbench.of(replace(given.dataset, trajectories=(counted,)))
    alike = Workbench.of(given.dataset)
    exact = alike.likelihoods[0].judged(system_of(truth(alike)))
    sharp = weighted.likelihoods[0].judged(system_of(truth(weighted)))
    assert sharp.misfit == pytest.approx(1.0, abs=0.25)
    assert np.trace(sharp.covariance) < 0.1 * np.trace(exact.covariance)


def test_an_equation_whose_simulation_misses_the_samples_is_not_settled():
    state = run(prey(0.02), iterations=1)
    assert status(state, 0)[0] == "settled"
    best = state.best[0]
    far = replace(state, best=(replace(best, refined=replace(best.refined, floor_ratio=4.0)), state.best[1]))
    assert status(far, 0) == ("provisional", "Its simulation misses the samples by 4 times the noise.")
