"""Noise in proportion to the value, the usual kind of a laboratory: errors of the numbers are as large as they are."""

import numpy as np
import pytest

from dolq_core.fitting import Workbench
from dolq_core.numerics.whiteness import grows
from dolq_core.records import Dataset, Trajectory, Variable
from dolq_core.terms import Skeleton

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
