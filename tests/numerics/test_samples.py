import numpy as np
import pytest

from dolq_core.errors import THIN
from dolq_core.fitting import Workbench
from dolq_core.numerics.samples import LEAST_HEAD, MOST_SAMPLES, MOST_UNTHINNED, is_few, thinned
from dolq_core.records import Dataset, Trajectory, Variable


def long_run(noise, n=20_000):
    t = np.linspace(0.0, 10.0, n)
    return t, np.sin(t)[:, None] + noise * np.random.default_rng(0).normal(size=(n, 1))


def test_clean_data_keep_single_samples_that_lie_on_the_curve():
    [(t, x)] = thinned([long_run(0.0)], [np.empty((20_000, 0))], np.array([0.0])).runs
    assert len(t) <= MOST_SAMPLES
    assert x[:, 0] == pytest.approx(np.sin(t), abs=1e-15)


def test_noisy_data_are_averaged_so_that_every_sample_counts():
    [(t, x)] = thinned([long_run(0.1)], [np.empty((20_000, 0))], np.array([0.1])).runs
    assert np.std(x[:, 0] - np.sin(t)) == pytest.approx(0.1 / np.sqrt(5), rel=0.05)


def fast_run(noise, n):
    """Some forty samples in a period, however long."""
    t = np.arange(n) * 0.15
    return t, np.sin(t)[:, None] + noise * np.random.default_rng(0).normal(size=(n, 1))


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_what_thinning_would_lose_is_not_thinned(noise):
    run = fast_run(noise, 6000)
    found = thinned([run], [np.empty((6000, 0))], np.array([noise]))
    assert np.array_equal(found.runs[0][1], run[1])
    assert found.spread is None
    assert found.reason == ""


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_of_long_and_fast_data_the_first_part_of_each_run_is_used_and_that_is_said(noise):
    runs = [fast_run(noise, 50_000), fast_run(noise, 300)]
    inputs = [np.zeros((50_000, 1)), np.ones((300, 1))]
    found = thinned(runs, inputs, np.array([noise]))
    (t, x), (short, _) = found.runs
    assert np.array_equal(x, runs[0][1][: len(t)])
    assert len(t) == int(MOST_UNTHINNED / 50_300 * 50_000)
    assert len(short) == LEAST_HEAD
    assert [u.shape for u in found.inputs] == [(len(t), 1), (LEAST_HEAD, 1)]
    assert found.reason == f" Of 50{THIN}300 samples the first 10{THIN}140 are used, from the beginning of each run."


def test_what_a_mean_stands_for_is_known():
    found = thinned([long_run(0.1)], [np.empty((20_000, 0))], np.array([0.1]))
    assert found.spread is not None
    step = 10.0 / 19_999
    assert found.spread[0] == pytest.approx(np.full(len(found.runs[0][0]), 2.0 * step**2), rel=1e-6)


def test_a_short_run_beside_long_ones_stays_as_it_is_and_counts_less():
    short = (np.linspace(0.0, 3.0, 12), np.ones((12, 1)))
    found = thinned([long_run(0.1), short], [np.empty((20_000, 0)), np.empty((12, 0))], np.array([0.1]))
    assert [len(t) for t, _ in found.runs] == [3333, 12]
    assert found.shares == (1.0, 1.0 / 6.0)
    assert found.spread is not None
    assert not found.spread[1].any()


def test_a_switch_now_and_then_leaves_long_data_to_be_averaged():
    """Not cut: what a logger kept over days is used to its end."""
    t = np.arange(100_000.0)
    x = np.abs((t % 8000) / 4000.0 - 1.0)[:, None] + 0.02 * np.random.default_rng(0).normal(size=(100_000, 1))
    found = thinned([(t, x)], [np.empty((100_000, 0))], np.array([0.02]))
    assert found.reason == ""
    assert found.runs[0][0][-1] > 99_900
    assert MOST_SAMPLES // 2 <= len(found.runs[0][0]) <= MOST_UNTHINNED


@pytest.mark.parametrize(
    ("lengths", "few"), [([49], True), ([50], False), ([40, 40, 60], True), ([40, 40, 501], False), ([40, 60], False)]
)
def test_few_samples_are_fewer_than_fifty_in_half_of_the_runs_and_no_long_run_beside_them(lengths, few):
    assert is_few(lengths) == few


@pytest.mark.parametrize("place", [9, 6, 4])
def test_times_that_are_rounded_shift_no_coefficient(place):
    even = np.linspace(0.0, 10.0, 800)
    t = np.round(even, place)
    data = Dataset("fall", Variable("t", "t"), (Variable("x", "x"),), (Trajectory(t, np.exp(-even)[:, None]),))
    (term,) = Workbench.of(data, "auto").fit(0, ["x"]).terms
    first = (t[1] - t[0]) / (10.0 / 799) - 1.0
    assert abs(first) > 1e-8
    assert abs(term.coefficient + 1.0) < 0.1 * abs(first)
