"""What is seen in steps: rounding and jumps are told from noise, from smooth swings and from outliers."""

import numpy as np
import pytest

from dolq_core.arrays import frozen
from dolq_core.fitting.stepped import jump_words
from dolq_core.numerics.digits import last_digit, written_to
from dolq_core.numerics.noise import jumps, levels, noise_levels, resolution
from dolq_core.records import Dataset, Trajectory, Variable
from tests.every import none

T = np.linspace(0.0, 10.0, 400)
SWING = np.sin(T)
NOISE = np.random.default_rng(0).normal(size=len(T))


@pytest.mark.parametrize("step", [0.5, 0.1, 0.02, 1e-3, 1 / 3])
def test_the_step_in_which_a_curve_was_written_is_found(step):
    rounded = np.round(SWING / step) * step
    assert resolution(rounded) == pytest.approx(step)
    assert levels(rounded) == len(np.unique(np.round(SWING / step)))


@pytest.mark.parametrize(
    "x", [SWING, SWING + 0.01 * NOISE, 0.1 * np.arange(400.0), np.ones(400), 0.7 ** np.floor(T), SWING[:40].round(1)]
)
def test_what_was_not_rounded_has_no_step(x):
    assert resolution(x) == 0.0


def test_rounding_counts_as_noise_and_noise_that_is_larger_stays():
    rounded = np.round(SWING / 0.2) * 0.2
    assert noise_levels([(T, rounded[:, None])])[0] >= 0.999 * 0.2 / np.sqrt(12.0)
    noisy = np.round((SWING + 0.3 * NOISE) / 0.1) * 0.1
    assert noise_levels([(T, noisy[:, None])])[0] == pytest.approx(0.3, rel=0.2)


@pytest.mark.parametrize("digits", [3, 4])
def test_the_last_of_so_many_digits_counts_as_noise_where_differences_show_it(digits):
    curve = 60.0 + 50.0 * SWING
    table = np.array([float(f"{value:.{digits}g}") for value in curve])
    error = float(np.sqrt(np.mean((table - curve) ** 2)))
    assert noise_levels([(T, table[:, None])])[0] == pytest.approx(error, rel=0.25)


def test_a_ramp_in_round_numbers_has_no_noise():
    assert noise_levels([(T, (0.1 * np.arange(1.0, 401.0))[:, None])])[0] < 1e-10


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_jumps_are_found_where_they_are_and_are_no_noise(noise):
    x = np.floor(T / 2.5) + noise * NOISE + 0.1 * SWING
    assert T[jumps(x) + 1] == pytest.approx([2.5, 5.0, 7.5], abs=0.03)
    assert noise_levels([(T, x[:, None])])[0] == pytest.approx(noise, rel=0.2, abs=1e-6)


def test_what_is_smooth_and_fast_an_outlier_noise_and_rounding_are_no_jumps():
    outlier = SWING + 0.01 * NOISE
    outlier[200] += 3.0
    for x in (np.tanh(20.0 * (T - 5.0)), SWING + 0.1 * NOISE, np.cumsum(NOISE), outlier, np.round(SWING, 1), 0.0 * T):
        assert len(jumps(x)) == 0


def test_the_last_of_so_many_digits_has_a_unit_and_other_numbers_have_none():
    assert last_digit(np.array([9.996, 10.01, 0.05, -2000.0])) == pytest.approx([1e-3, 1e-2, 1e-5, 1.0])
    assert none(last_digit(SWING))
    assert written_to(np.array([9.996, 10.01, 0.05, -2000.0])) == pytest.approx([1e-3, 1e-2, 1e-3, 1.0])
    assert none(written_to(SWING))


def said_to_jump(x):
    run = Trajectory(frozen(T), frozen(x[:, None]))
    return jump_words(Dataset("one", Variable("t", "t"), (Variable("x", "x"),), (run,)), 0)


def test_the_last_digit_of_a_curve_that_levels_off_is_not_said_to_jump():
    assert said_to_jump(np.array([float(f"{value:.4g}") for value in 49.0 - 45.0 * np.exp(-(T**2))])) == ""


def test_a_dose_between_round_numbers_is_said_to_jump():
    dose = np.where(T < 5.0, 2.0, 3.0) + np.where(T < 2.0, 0.1 * np.sin(np.pi * T), 0.0)
    assert said_to_jump(dose) == "x jumps once, at t = 5.013."
