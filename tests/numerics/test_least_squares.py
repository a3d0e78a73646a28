import numpy as np
import pytest

from dolq_core.numerics.least_squares import jackknife_t, least_squares, left_out, zeroed

RNG = np.random.default_rng(5)
A = RNG.normal(size=(3, 120)) * np.array([[1e-6], [1.0], [1e8]])
TRUTH = np.array([3e6, -2.0, 0.0])
NOISE = 0.1 * RNG.normal(size=120)
B = TRUTH @ A + NOISE
BLOCKS = np.arange(120) * 8 // 120


def test_columns_of_any_size_give_their_coefficients():
    assert least_squares(A, TRUTH @ A).coefficients * [1e-6, 1.0, 1e8] == pytest.approx([3.0, -2.0, 0.0], abs=1e-12)


def test_standard_errors_cover_the_truth():
    fit = least_squares(A, B)
    assert np.all(np.abs(fit.coefficients - TRUTH) < 4.0 * fit.std_errors)
    assert fit.std_errors * np.linalg.norm(A, axis=1) == pytest.approx([0.1] * 3, rel=0.3)


def test_the_correlation_is_that_of_coefficients_from_many_noises():
    tied = A + np.array([0.0, 0.9, 0.0])[:, None] * A[2] / 1e8
    found = [least_squares(tied, TRUTH @ tied + RNG.normal(size=120)).coefficients for _ in range(400)]
    fit = least_squares(tied, B)
    assert fit.correlation == pytest.approx(np.corrcoef(np.array(found).T), abs=0.12)
    assert fit.correlation[1, 2] == pytest.approx(-0.67, abs=0.1)
    assert np.all(np.diag(fit.correlation) == 1.0)


def test_fewer_independent_rows_give_larger_errors():
    assert np.all(least_squares(A, B, effective=20.0).std_errors > 1.05 * least_squares(A, B).std_errors)


def test_a_dependent_column_gets_no_coefficient_and_no_error():
    fit = least_squares(np.vstack((A, A[0] + 1e-6 * A[1])), B)
    assert fit.rank == 3
    assert np.sum(np.isinf(fit.std_errors)) == 1
    assert fit.mse == pytest.approx(least_squares(A, B).mse)
    loose = np.isinf(fit.std_errors)
    assert np.isnan(fit.correlation[loose]).all()
    assert np.isnan(fit.correlation[:, loose]).all()
    assert np.isfinite(fit.correlation[np.ix_(~loose, ~loose)]).all()


def by_hand(a):
    errors = np.empty(len(B))
    for block in range(8):
        out = BLOCKS == block
        errors[out] = B[out] - least_squares(a[:, ~out], B[~out]).coefficients @ a[:, out]
    return np.mean(errors**2)


def test_left_out_errors_are_those_of_fits_without_the_block():
    assert left_out(A, B, BLOCKS) == pytest.approx(by_hand(A), rel=1e-10)


def test_zeroing_is_the_papers_figure():
    fit = least_squares(A, B)
    without = np.mean((B - fit.coefficients[[0, 2]] @ A[[0, 2]]) ** 2)
    assert zeroed(A, B, fit.coefficients)[1] == pytest.approx(without / fit.mse - 1.0)


def test_the_jackknife_is_sure_of_true_terms_only():
    certainty = jackknife_t(A, B, BLOCKS)
    assert np.all(certainty[:2] > 50.0)
    assert certainty[2] < 5.0


def test_no_columns_leave_everything():
    assert least_squares(np.empty((0, 120)), B).mse == pytest.approx(np.mean(B**2))
    assert left_out(np.empty((0, 120)), B, BLOCKS) == pytest.approx(np.mean(B**2))


def test_the_jackknife_is_that_of_fits_without_each_block():
    rng = np.random.default_rng(5)
    a, blocks = rng.normal(size=(3, 40)), np.repeat([0, 1, 3, 4], 10)  # of block 2 no row is used
    b = np.array([2.0, -1.0, 0.0]) @ a + 0.1 * rng.normal(size=40)
    without = [np.linalg.lstsq(a[:, blocks != k].T, b[blocks != k], rcond=None)[0] for k in range(5)]
    spread = np.sqrt(4 / 5 * np.sum((np.array(without) - np.mean(without, axis=0)) ** 2, axis=0))
    whole = np.linalg.lstsq(a.T, b, rcond=None)[0]
    assert jackknife_t(a, b, blocks) == pytest.approx(np.abs(whole) / spread, rel=1e-9)
    errors = [b[blocks == k] - c @ a[:, blocks == k] for k, c in enumerate(without)]
    assert left_out(a, b, blocks) == pytest.approx(np.mean(np.concatenate(errors) ** 2), rel=1e-9)
