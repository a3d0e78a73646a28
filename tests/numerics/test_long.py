import tracemalloc

import numpy as np
import pytest

from dolq_core.numerics.least_squares import least_squares
from dolq_core.numerics.long import PER_HALF, long_rows, long_runs, placed
from dolq_core.numerics.targets import choose_target
from dolq_core.numerics.weak import half_samples, stencil
from tests.numerics.known import logistic, lotka


def without_inputs(runs):
    return [np.empty((len(t), 0)) for t, _ in runs]


def prepared(runs):
    target = choose_target(runs, "auto")
    return long_runs(runs, without_inputs(runs), target), target


def law(values, t):
    return np.array([values[0], values[0] * values[1]])


def dense(runs, width, state):
    """The same regression with the whole matrix over all samples: (k, M) and (M,)."""
    columns, sides = [], []
    for run in runs:
        n, h = len(run.t), float(run.t[-1] - run.t[0]) / (len(run.t) - 1)
        half = half_samples(n, h, width)
        mean, slope = np.zeros((2, len(starts := placed(n, half)), n))
        for row, at in enumerate(starts):
            mean[row, at : at + 2 * half + 1], slope[row, at : at + 2 * half + 1] = stencil(half, h)
        raw, values = run.block(0, n)
        columns.append(law(values, run.t) @ mean.T)
        sides.append(slope @ raw[:, state])
    return np.hstack(columns), np.concatenate(sides)


@pytest.mark.parametrize("block", [700, 32_768])
def test_blocks_give_what_the_whole_matrix_gives(block):
    runs = [lotka(6_000, 0.01)[:2], lotka(4_500, 0.01, 1)[:2]]
    long, target = prepared(runs)
    a, b, effective = long_rows(long, target.rows.width, law, 1, block)
    whole, side = dense(long, target.rows.width, 1)
    assert a == pytest.approx(whole, rel=1e-10, abs=1e-10)
    direct = np.linalg.lstsq(whole.T, side, rcond=None)[0]
    assert least_squares(a, b, effective).coefficients == pytest.approx(direct, rel=1e-9)


@pytest.mark.parametrize(("n", "half"), [(5_000, 12), (5_001, 833), (100_000, 1_500), (61, 20)])
def test_every_sample_is_under_a_test_function_and_their_number_is_bounded(n, half):
    starts = placed(n, half)
    assert starts[0] == 0
    assert starts[-1] + 2 * half + 1 == n
    assert np.max(np.diff(starts)) <= half // PER_HALF + 1
    assert len(starts) <= PER_HALF * n / half + 1


def test_missing_cells_are_filled_from_the_curve():
    t, x, _ = lotka(20_000, 0.01)
    x[5_000:5_050, 0] = np.nan
    x[::997, 1] = np.nan
    long, target = prepared([(t, x)])
    a, b, effective = long_rows(long, target.rows.width, law, 0)
    assert least_squares(a, b, effective).coefficients == pytest.approx([0.5, -0.025], rel=3e-3)


def test_a_large_constant_under_the_states_does_no_harm():
    t, x, _ = logistic(200_000)
    (low, target), (high, _) = prepared([(t, x)]), prepared([(t, x + 1e6)])
    _, want, _ = long_rows(low, target.rows.width, lambda v, t: v, 0)
    _, b, _ = long_rows(high, target.rows.width, lambda v, t: v, 0)
    assert b == pytest.approx(want, abs=1e-9)


def test_terms_are_evaluated_on_smooth_states_so_that_squares_of_the_noise_do_not_add_up():
    long, target = prepared([logistic(50_000, 0.3)[:2]])
    a, b, effective = long_rows(long, target.rows.width, lambda v, t: np.array([v[0], v[0] ** 2]), 0)
    assert least_squares(a, b, effective).coefficients == pytest.approx([1.0, -1.0], rel=5e-3)


def test_uneven_times_and_derivatives_at_the_samples_are_left_to_the_thinned_view():
    t, x, _ = logistic(t=np.linspace(0.0, 8.0**0.5, 6_000) ** 2)
    assert "uneven" in prepared([(t, x)])[0]
    even = [logistic(6_000)[:2]]
    assert "weak form" in long_runs(even, without_inputs(even), choose_target(even, "savgol"))


def test_data_that_are_not_thinned_have_nothing_to_add():
    assert prepared([logistic(4_000)[:2]])[0] == ""


def test_memory_holds_a_block_of_the_columns_not_all():
    n, k = 400_000, 20
    t = np.linspace(0.0, 8.0, n)
    long, target = prepared([logistic(t=t, noise=0.01)[:2]])
    tracemalloc.start()
    a, _, _ = long_rows(long, target.rows.width, lambda v, t: np.array([v[0] + i for i in range(k)]), 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(a) == k
    assert peak < n * k * 8 / 3
