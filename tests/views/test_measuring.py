"""Where a further run can start: in what the table shows, and where such a state can be at all."""

import numpy as np
import pytest

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.records import Dataset, Problem, Trajectory, Variable
from dolq_core.store.memory import MemoryStore
from dolq_core.views.fan import box
from tests.every import every

T = np.linspace(0.0, 20.0, 200)


def possible(*columns: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the ranges of starts that are offered for these states."""
    states = tuple(Variable(f"u{j}", f"u{j}") for j in range(len(columns)))
    run = Trajectory(frozen(T), frozen(np.column_stack(columns)))
    store = MemoryStore()
    return box(runs.load(store, runs.start(store, Problem(Dataset("two", Variable("t", "t"), states, (run,))))))


def test_an_amount_that_is_negative_within_its_noise_is_not_offered_below_zero():
    noise = 0.01 * np.random.default_rng(1).standard_normal((2, len(T)))
    decay, rise = np.exp(-T) + noise[0], 5.0 * (1.0 - np.exp(-0.3 * T)) + noise[1]
    rise[0] = -0.01
    assert every(column.min() < 0.0 for column in (decay, rise))
    low, high = possible(decay, rise)
    assert low == (0.0, 0.0)
    assert high[1] == pytest.approx(5.0 + 0.25 * 5.0, rel=0.02)


def test_a_state_that_takes_both_signs_is_offered_beyond_both():
    swing = np.sin(T) + 0.01 * np.random.default_rng(1).standard_normal(len(T))
    faint = 0.02 * np.sin(T) + 0.01 * np.random.default_rng(2).standard_normal(len(T))
    low, _ = possible(swing, faint)
    assert low[0] < -1.4
    assert low[1] < faint.min()


def test_a_clean_state_that_dips_below_zero_does_so():
    low, _ = possible(np.exp(-0.3 * T) * np.cos(T), np.cos(T))
    assert low[0] < -0.4
