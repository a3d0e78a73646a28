"""Samples count as their weights say: in the target, on trajectories, and not at all with weight 0."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.records import Dataset, Given, Trajectory, Variable
from dolq_core.terms import parse_term

K = 0.7
X = parse_term("x", ["x"]).skeleton


def decay(n, noise, weights, seed=0, gross=None):
    """x' = -K x with noise (n,); weights (n,) or None."""
    t = np.linspace(0.0, 3.0, n)
    x = np.exp(-K * t) + noise * np.random.default_rng(seed).standard_normal(n)
    if gross is not None:
        x[gross] += 3.0
    run = Trajectory(frozen(t), frozen(x[:, None]), weights=None if weights is None else frozen(weights[:, None]))
    given = () if weights is None else (Given("w", "x"),)
    return Dataset("d", Variable("t", "t"), (Variable("x", "x"),), (run,), weights=given)


def rate(dataset, kind="auto"):
    """The coefficient as a run of the loop would report it."""
    bench = Workbench.of(dataset, kind)
    (fit,) = bench.refine([bench.fit(0, [X])]) or [bench.fit(0, [X])]
    return fit.terms[0].coefficient


def misses(n, kind="auto", weigh=True, seeds=3):
    half = np.arange(n) < n // 2
    noise = np.where(half, 0.002, 0.1)
    weights = np.where(half, 1.0, (0.002 / 0.1) ** 2)
    found = [rate(decay(n, noise, weights if weigh else None, seed), kind) for seed in range(seeds)]
    return float(np.sqrt(np.mean((np.array(found) + K) ** 2)))


@pytest.mark.parametrize("n", [30, 200])
def test_noisy_samples_of_small_weight_harm_less(n):
    assert misses(n) < 0.5 * misses(n, weigh=False)


def test_the_target_alone_is_weighed():
    half = np.arange(200) < 100
    off = []
    for weight in (1.0, 2500.0):
        data = [decay(200, np.where(half, 0.002, 0.1), np.where(half, weight, 1.0), seed) for seed in range(4)]
        off.append(np.mean([(Workbench.of(d, "weak").fit(0, [X]).terms[0].coefficient + K) ** 2 for d in data]))
    assert off[1] < 0.5 * off[0]


@pytest.mark.parametrize("kind", ["gradient", "spline"])
def test_a_row_at_a_sample_counts_as_the_sample_does(kind):
    weights = np.linspace(1.0, 5.0, 40)
    bench = Workbench.of(decay(40, 0.01, weights), kind)
    assert bench.target.scales[0] ** 2 == pytest.approx(weights / weights.mean(), rel=1e-9)
    assert bench.for_equation(0).target.b[0] == pytest.approx(bench.target.b[0] * bench.target.scales[0])


@pytest.mark.parametrize("n", [30, 200])
def test_a_sample_of_weight_zero_does_not_count_at_all(n):
    weights = np.ones(n)
    weights[[n // 3, n // 2]] = 0.0
    spoiled = decay(n, 0.01, weights, gross=[n // 3, n // 2])
    (run,) = spoiled.trajectories
    missing = replace(run, x=frozen(np.where(run.weights > 0.0, run.x, np.nan)), weights=None)
    assert rate(spoiled) == rate(replace(spoiled, trajectories=(missing,), weights=()))
    assert rate(spoiled) == pytest.approx(-K, abs=0.05)


@pytest.mark.parametrize("n", [30, 200])
def test_weights_that_are_all_alike_change_nothing(n):
    assert rate(decay(n, 0.01, np.full(n, 7.0))) == rate(decay(n, 0.01, None))


def test_weights_of_one_state_leave_the_others():
    n = 200
    t = np.linspace(0.0, 3.0, n)
    x = np.column_stack((np.exp(-K * t), np.exp(-0.2 * t))) + 0.01 * np.random.default_rng(2).standard_normal((n, 2))
    weights = np.column_stack((np.linspace(1.0, 9.0, n), np.ones(n)))
    run = Trajectory(frozen(t), frozen(x), weights=frozen(weights))
    states = (Variable("x", "x"), Variable("y", "y"))
    data = Dataset("d", Variable("t", "t"), states, (run,), weights=(Given("w", "x"),))
    plain = replace(data, trajectories=(replace(run, weights=None),), weights=())
    y = parse_term("y", ["x", "y"]).skeleton
    with_, without = Workbench.of(data), Workbench.of(plain)
    same, other = ([bench.fit(j, [s]).terms[0].coefficient for bench in (with_, without)] for j, s in ((1, y), (0, X)))
    assert same[0] == pytest.approx(same[1], rel=1e-12)
    assert abs(other[0] - other[1]) > 1e-5


def test_weights_survive_cutting_off_an_end():
    n = 200
    weights = np.linspace(1.0, 5.0, n)
    bench = Workbench.of(decay(n, 0.01, weights), held_out=0.2)
    assert bench.dataset.trajectories[0].weights.shape == (160, 1)
    assert bench.fit(0, [X]).held_out is not None
    assert "Samples of x count by the column 'w'." in bench.info.reason


def test_few_weighted_samples_are_few_for_a_weak_form_that_was_asked_for():
    assert misses(40, kind="weak") < 0.05


@pytest.mark.parametrize("weights", [None, np.linspace(1.0, 3.0, 40)])
def test_forty_noisy_samples_are_few_only_where_some_may_count_for_little(weights):
    assert Workbench.of(decay(40, 0.01, weights)).is_sparse == (weights is not None)
