"""Noise in proportion to the value, the usual kind of a laboratory: errors of the numbers are as large as they are."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.fitting import Workbench
from dolq_core.fitting.weighing import noisy_as
from dolq_core.numerics.growing import EVEN, Growth
from dolq_core.numerics.whiteness import grows
from dolq_core.records import Dataset, Given, Trajectory, Variable
from dolq_core.terms import Skeleton
from tests.every import every

DRAWS, RATE = 40, 0.9


def off(seed: int, *, in_proportion: bool) -> float:
    """Return by how many of its standard errors a rate of growth lies off; 4 % of noise."""
    t = np.linspace(0.0, 7.0, 80)
    x = 0.1 * np.exp(RATE * t)
    size = x if in_proportion else np.full_like(x, 0.5 * x.std())
    x = x + 0.04 * size * np.random.default_rng(seed).normal(size=len(t))
    bench = Workbench.of(Dataset("growth", Variable("t", "t"), (Variable("x", "x"),), (Trajectory(t, x[:, None]),)))
    (found,) = bench.refine([bench.fit(0, [Skeleton("x")])])
    (term,) = found.terms
    return (term.coefficient - RATE) / term.std_error


@pytest.mark.parametrize("in_proportion", [True, False])
def test_a_number_lies_as_far_off_as_its_standard_error_says(in_proportion):
    z = np.array([off(seed, in_proportion=in_proportion) for seed in range(DRAWS)])
    assert 0.7 < float(np.sqrt(np.mean(z**2))) < 1.35


def test_residuals_that_grow_with_the_state_are_told_from_even_ones():
    draw, x = np.random.default_rng(1).normal(size=200), np.linspace(0.1, 5.0, 200)
    assert grows(draw * x, x)
    assert not grows(draw, x)
    assert not grows(draw, np.ones(200))
    assert not grows(np.full(200, np.nan), x)
    assert not grows(np.zeros(200), x), "equal ones have one rank"


@pytest.mark.parametrize("seed", range(3))
def test_samples_count_by_the_noise_they_have(seed):
    """A decay over a range of fifty, in three runs: what small values say counts, and the law leaves what noise is."""
    rng, runs = np.random.default_rng(seed), []
    for start, n in ((3.2, 70), (2.0, 50), (1.0, 60)):
        t = np.linspace(0.0, 18.0, n)
        x = 0.08 / ((0.08 / start + 0.35) * np.exp(0.08 * t) - 0.35)  # x' = -0.08*x - 0.35*x**2
        runs.append(Trajectory(t, (x * (1.0 + 0.01 * rng.normal(size=n)))[:, None]))
    dataset = Dataset("afterglow", Variable("t", "t"), (Variable("x", "x"),), tuple(runs))
    benches = [Workbench.of(noisy_as(dataset, said)) for said in ("auto", "even")]
    read, even = (bench.refine([bench.fit(0, [Skeleton("x"), Skeleton("x**2")])])[0] for bench in benches)
    assert benches[0].growth[0].share == pytest.approx(0.01, rel=0.4)
    assert 0.85 < read.floor_ratio < 1.15
    assert read.score < benches[0].fit(0, []).score - 50.0, "as many rows as there are samples"
    errors = [(own.coefficient - true, own.std_error) for own, true in zip(read.terms, (-0.08, -0.35), strict=True)]
    assert every([abs(off) < 3.5 * error for off, error in errors])
    assert every([error < 0.8 * other.std_error for (_, error), other in zip(errors, even.terms, strict=True)])


def growth(samples, **more):
    """Return one state that grows, with 3 % of its value as noise."""
    t = np.linspace(0.0, 5.0, samples)
    x = 0.1 * np.exp(RATE * t) * (1.0 + 0.03 * np.random.default_rng(4).normal(size=samples))
    run = Trajectory(t, x[:, None], **more)
    return Dataset("growth", Variable("t", "t"), (Variable("x", "x"),), (run,))


def test_what_a_person_says_of_the_samples_stands():
    assert noisy_as(growth(200)).noise[0].share > 0.0
    assert noisy_as(growth(200), "even").noise == (EVEN,)
    weighed = replace(growth(200, weights=np.ones((200, 1))), weights=(Given("w", "x"),))
    given = replace(growth(200, derivatives=np.ones((200, 1))), derivatives=(Given("v", "x"),))
    for one in (weighed, given):
        assert noisy_as(one, "proportional").noise == (EVEN,)


def test_forty_samples_are_as_many_as_of_even_noise():
    kinds = [Workbench.of(noisy_as(growth(45), said)).target.kind for said in ("proportional", "even")]
    assert kinds == ["weak", "weak"]


def test_numbers_of_thinned_samples_stay_where_noise_grows():
    """All rows at once would count alike."""
    bench = Workbench.of(growth(30_000))
    fits = (bench.fit(0, [Skeleton("x")]),)
    assert bench.growth[0].share > 0.0
    assert bench.on_all_rows(fits) is fits


def test_where_the_noise_of_one_state_was_read_off_that_of_another_still_stands_for_itself():
    t, z = np.linspace(0.0, 7.0, 80), []
    true = np.column_stack((0.1 * np.exp(RATE * t), 0.2 * np.exp(0.8 * t)))
    states = (Variable("x", "x"), Variable("y", "y"))
    for seed in range(DRAWS):
        x = true * (1.0 + 0.04 * np.random.default_rng(seed).normal(size=true.shape))
        known = (Growth(1e-3, 0.04), EVEN)
        bench = Workbench.of(Dataset("growth", Variable("t", "t"), states, (Trajectory(t, x),), noise=known))
        _, found = bench.refine([bench.fit(0, [Skeleton("x")]), bench.fit(1, [Skeleton("y")])])
        z.append((found.terms[0].coefficient - 0.8) / found.terms[0].std_error)
    assert 0.7 < float(np.sqrt(np.mean(np.square(z)))) < 1.5, "as where both are taken for even; without, 2.5"
