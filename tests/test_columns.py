"""Columns of terms, many sets of inner parameters at once, and on fewer rows and samples."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core.fitting import Workbench
from dolq_core.fitting.coefficients import Fitter
from dolq_core.terms import compile_columns, compile_stack
from tests.numerics.known import lotka
from tests.test_fitting import dataset, skeletons

TEXT = "prey/(params[0] + prey**params[1])"
SETS = np.array([[0.5, 1.0], [20.0, 2.0], [3.0, 0.7], [1.0, 1.4]])


@pytest.fixture(scope="module")
def bench():
    t, x, _ = lotka(900)
    return Workbench.of(dataset(t, x, ["prey", "cat"]))


def test_a_stack_of_values_is_that_of_single_columns(bench):
    skeleton = skeletons(bench, TEXT)[0]
    stack = compile_stack(skeleton, bench.symbols)(bench.values, bench.t, SETS)
    one = compile_columns(skeleton, bench.symbols)
    singles = [one(bench.values, bench.t, inner) for inner in SETS.tolist()]
    assert stack == pytest.approx(np.array(singles), rel=1e-14)


@pytest.mark.parametrize("count", [1, 3, 4])
def test_a_stack_of_columns_is_that_of_single_ones(bench, count):
    skeleton = skeletons(bench, TEXT)[0]
    singles = [bench.column(skeleton, inner) for inner in SETS[:count].tolist()]
    assert bench.columns.stack(skeleton, SETS[:count]) == pytest.approx(np.array(singles), rel=1e-14)


def test_a_set_that_is_not_finite_leaves_the_others(bench):
    skeleton = skeletons(bench, "log(prey + params[0])")[0]
    rows = bench.columns.stack(skeleton, np.array([[1.0], [-1e6], [np.nan], [2.0]]))
    assert np.isfinite(rows).all(axis=1).tolist() == [True, False, False, True]
    assert np.isnan(rows[1:3]).all()


def test_a_set_out_of_the_range_of_numbers_is_no_column(bench):
    skeleton = skeletons(bench, "exp(params[0] + prey)")[0]
    usable = [bench.column(skeleton, [k]) is not None for k in (0.0, 500.0, -500.0)]
    rows = bench.columns.stack(skeleton, np.array([[0.0], [500.0], [-500.0]]))
    assert np.isfinite(rows).all(axis=1).tolist() == usable == [True, False, False]


def test_a_search_sees_fewer_rows_first_and_last_among_them(bench):
    few, some = bench.columns.fewer
    rows = bench.target.b.shape[1]
    assert 2 * len(some) <= rows
    assert (some[0], some[-1]) == (0, rows - 1)
    skeleton = skeletons(bench, TEXT)[0]
    assert few.stack(skeleton, SETS) == pytest.approx(bench.columns.stack(skeleton, SETS)[:, some], rel=1e-14)
    assert np.array_equal(few.target.b, bench.target.b[:, some])


def test_columns_from_fewer_samples_are_nearly_the_same(bench):
    few = bench.columns.fewer[0]
    assert len(few.coarse.t) < len(few.t) / 2
    skeleton = skeletons(bench, TEXT)[0]
    assert few.coarse.stack(skeleton, SETS) == pytest.approx(few.stack(skeleton, SETS), rel=1e-3)


@pytest.fixture(scope="module")
def fed():
    """A feed that swings, eaten by a saturating rate, with noise."""
    t = np.linspace(0.0, 20.0, 900)
    x = solve_ivp(lambda t, x: 1.0 + np.cos(t) - 2.0 * x / (0.7 + x), (0.0, 20.0), [0.5], t_eval=t, rtol=1e-9).y.T
    noise = 0.01 * np.std(x) * np.random.default_rng(3).normal(size=x.shape)
    bench = Workbench.of(dataset(t, x + noise, ["food"]))
    return bench, skeletons(bench, "1", "cos(t)", "food/(params[0] + food)")


def test_a_noisy_fit_ends_at_the_least_error_on_all_rows(fed):
    bench, terms = fed
    fit = bench.fit(0, terms)
    k = fit.terms[2].inner[0]
    assert k == pytest.approx(0.7, rel=0.05)
    fitter, b = Fitter(bench.columns), bench.target.b[0]
    for moved in (k * (1.0 + 1e-3), k * (1.0 - 1e-3)):
        columns = fitter.columns(terms, [(), (), (moved,)])
        left = np.linalg.lstsq(columns.T, b, rcond=None)[1][0] / len(b)
        assert fit.mse < left


def test_a_rough_fit_is_nearly_as_good(fed):
    bench, terms = fed
    assert bench.rough(0, terms).mse == pytest.approx(bench.fit(0, terms).mse, rel=0.05)
