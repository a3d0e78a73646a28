"""How two series go together, and whether one swings."""

import numpy as np
import pytest

from dolq_core.numerics.patterns import correlation, period

T = np.linspace(0.0, 20.0, 200)


def test_correlation_is_pearsons():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 50))
    assert correlation(a, b) == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert correlation(a, np.ones(50)) == 0.0


def test_a_swing_has_its_period_also_at_uneven_times():
    t = np.sort(np.random.default_rng(1).uniform(0.0, 20.0, 300))
    assert period(np.sin(2 * np.pi * t / 4.0), t) == pytest.approx(4.0, rel=0.05)


@pytest.mark.parametrize(
    ("values", "t"),
    [
        (np.random.default_rng(2).normal(size=200), T),
        (np.sin(2 * np.pi * T / 15.0), T),
        (np.sin(T[:10]), T[:10]),
        (np.sin(T), np.concatenate((T[:100], T[:100]))),
    ],
    ids=["noise", "less than two periods", "too few samples", "two runs"],
)
def test_what_does_not_swing_has_no_period(values, t):
    assert period(values, t) is None


def test_the_period_is_that_of_the_drive_and_not_of_the_state_that_it_moves():
    t = np.linspace(0.0, 60.0, 600)
    state = np.sin(2 * np.pi * t / 3.43)
    left = 0.5 * np.cos(2 * np.pi * t / 9.42) + 0.8 * state
    assert period(left, t) == pytest.approx(3.43, rel=0.02)
    assert period(left, t, state[None, :]) == pytest.approx(9.42, rel=0.02)
    assert period(0.8 * state + 1e-9 * np.cos(t**2), t, state[None, :]) is None
