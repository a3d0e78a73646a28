"""The integral form: few samples against integrals of the terms."""

import numpy as np
import pytest

from dolq_core.numerics.target import swings_between_samples
from dolq_core.numerics.targets import choose_target


def decay(n, noise=0.0, uneven=False):
    t = np.geomspace(1.0, 9.0, n) - 1.0 if uneven else np.linspace(0.0, 8.0, n)
    x = 10.0 * np.exp(-0.4 * t)
    return t, (x + noise * np.random.default_rng(0).normal(size=n))[:, None]


def rate(target):
    a, b = target.apply(target.x)[0], target.b[0]
    return float(a @ b / (a @ a)), b - float(a @ b / (a @ a)) * a


@pytest.mark.parametrize("uneven", [False, True])
def test_clean_samples_give_the_rate_and_the_floor_is_what_is_left(uneven):
    target = choose_target([decay(20, uneven=uneven)])
    k, left = rate(target)
    assert target.kind == "integral"
    assert k == pytest.approx(-0.4, rel=1e-5)
    assert float(np.sqrt(np.mean(left**2))) < 3.0 * target.floor[0]


def test_noise_leaves_about_the_floor():
    target = choose_target([decay(30, noise=0.1)])
    k, left = rate(target)
    assert k == pytest.approx(-0.4, rel=0.1)
    assert 0.5 < float(np.sqrt(np.mean(left**2))) / target.floor[0] < 2.0


def test_a_constant_state_has_no_left_hand_side():
    t, x = decay(20, noise=0.1)
    shifted = choose_target([(t, x + 50.0)])
    assert np.allclose(shifted.b, choose_target([(t, x)]).b, atol=1e-9)


def test_runs_stay_apart():
    first, second = decay(12), (decay(9)[0], 3.0 * decay(9)[1])
    target = choose_target([first, second])
    assert target.sums.shape == (12 + 9, (11 + 8) * 5)
    assert not target.sums[:12, 55:].count_nonzero()
    assert rate(target)[0] == pytest.approx(-0.4, rel=1e-2)


def test_a_missing_cell_is_bridged():
    t, x = decay(20, noise=0.05)
    x[7] = np.nan
    target = choose_target([(t, np.column_stack((x[:, 0], decay(20)[1][:, 0])))])
    assert np.isfinite(target.b).all()
    assert target.effective == pytest.approx((19 + 20) / 2 - 1)


def test_a_rhythm_of_one_period_a_sample_is_refused_and_a_slow_one_is_not():
    target = choose_target([decay(21)])
    step = 8.0 / 20
    assert swings_between_samples(np.sin(2.0 * np.pi / step * 1.01 * target.t))
    assert not target.resolves(target.x[0] * np.sin(2.0 * np.pi / step * 1.01 * target.t))
    assert target.resolves(np.sin(2.0 * np.pi / (4.0 * step) * target.t))


def test_a_term_that_is_huge_or_not_finite_is_looked_at_without_a_warning():
    values = np.linspace(1.0, 2.0, 50)
    assert not swings_between_samples(1e300 * values)
    assert not swings_between_samples(np.where(values > 1.5, np.inf, values))
    assert not swings_between_samples(np.where(values > 1.5, np.nan, values))
