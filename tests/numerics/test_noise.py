import numpy as np
import pytest

from dolq_core.numerics.noise import noise_levels
from tests.numerics.known import logistic, lotka


@pytest.mark.parametrize("level", [1e-4, 1e-2, 1e-1])
def test_the_noise_level_is_found_without_knowing_the_curve(level):
    t, x, _ = lotka(1000, level)
    clean = lotka(1000)[1]
    assert noise_levels([(t, x)]) == pytest.approx(level * clean.std(axis=0), rel=0.15)


def test_uneven_times_are_as_good_as_even_ones():
    t = np.sort(np.random.default_rng(3).uniform(0.0, 8.0, 400))
    t, x, _ = logistic(noise=0.05, t=t)
    assert noise_levels([(t, x)])[0] == pytest.approx(0.05 * np.std(logistic(t=t)[1]), rel=0.2)


def test_clean_data_have_no_noise():
    t, x, _ = logistic(1000)
    assert noise_levels([(t, x)])[0] < 1e-12


def test_missing_cells_are_left_out():
    t, x, _ = lotka(400, 0.02)
    holes = x.copy()
    holes[::7, 1] = np.nan
    assert noise_levels([(t, holes)]) == pytest.approx(noise_levels([(t, x)]), rel=0.25)


def test_the_longest_of_many_short_pieces_do_not_tell_the_noise_alone():
    """A heated room of 400 samples, the heater switched 30 times: 0.011 to 0.022 was told."""
    t, cuts = np.arange(400.0), np.arange(13, 400, 13)
    pieces = np.split(t, np.delete(cuts, 20))  # one of 26, the others of 13
    room = np.concatenate([(-1.0) ** k * (1.0 - np.exp(-(own - own[0]) / 20.0)) for k, own in enumerate(pieces)])
    switches = [np.cumsum([len(own) for own in pieces])[:-1] - 1]
    told = [
        float(noise_levels([(t, (room + 0.02 * np.random.default_rng(seed).normal(size=400))[:, None])], switches)[0])
        for seed in range(20)
    ]
    assert told == pytest.approx([0.02] * 20, rel=0.25)


def test_too_few_samples_count_as_clean():
    assert noise_levels([(np.arange(4.0), np.ones((4, 2)))]).tolist() == [0.0, 0.0]
