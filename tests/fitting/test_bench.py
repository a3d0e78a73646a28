"""The figures of a fit are what their words say, on rows that are at hand: errors, scores, evidence, held-out parts."""

from dataclasses import replace
from math import inf, log

import numpy as np
import pytest

from dolq_core.fitting import Workbench
from dolq_core.fitting.columns import Columns
from dolq_core.fitting.evidence import Question, support
from dolq_core.fitting.identify import in_words, next_experiment, ties
from dolq_core.fitting.trajectories import with_covariance
from dolq_core.numerics.least_squares import jackknife_t, least_squares, left_out
from dolq_core.records import Blocks, Bound, EquationBlocks, FittedTerm
from tests.loop.states import logistic_problem
from tests.numerics.known import logistic
from tests.test_fitting import dataset, lotka_bench, skeletons

LAW = ("x", "x**2")


@pytest.fixture(scope="module")
def bench():
    return Workbench.of(dataset(*logistic(120, 0.02)[:2], ["x"]), "auto", 0.2)


@pytest.fixture(scope="module")
def clean():
    return Workbench.of(logistic_problem(120).dataset)


@pytest.fixture(scope="module")
def few():
    return Workbench.of(dataset(*logistic(16, 0.02)[:2], ["x"]))


def rows(bench, fit):
    a = np.array([bench.column(term.skeleton, term.inner) for term in fit.terms])
    return a, bench.target.b[fit.equation], np.array([term.coefficient for term in fit.terms])


def test_errors_of_a_fit_are_those_of_its_rows(bench):
    fit = bench.fit(0, LAW)
    a, b, c = rows(bench, fit)
    mse = np.mean((b - c @ a) ** 2)
    assert fit.mse == pytest.approx(mse)
    assert fit.nmse == pytest.approx(mse / np.var(b))
    assert fit.cv_nmse == pytest.approx(left_out(a, b, bench.target.blocks) / np.var(b))
    assert fit.floor_ratio == pytest.approx(np.sqrt(mse) / bench.target.floor[0], rel=1e-3)
    rows_, floor = bench.target.effective, bench.target.floor[0]
    error = (mse * rows_ / (rows_ - 2) + floor**2) / np.mean(b**2)
    assert fit.score == pytest.approx(0.5 * rows_ * log(error) + 2 * 2.5 + 1 + 2 + log(rows_), abs=0.01)
    assert [t.std_error for t in fit.terms] == pytest.approx(least_squares(a, b, rows_).std_errors)
    assert fit.correlation[0][1] == pytest.approx(least_squares(a, b, rows_).correlation[0, 1])


def test_the_residual_is_what_the_law_leaves_of_the_rates_at_the_samples(bench):
    fit = bench.fit(0, LAW)
    x, (first, second) = bench.x[0], [t.coefficient for t in fit.terms]
    assert bench.residual(fit) == pytest.approx(bench.dx[0] - first * x - second * x**2)
    assert (bench.residual(replace(fit, terms=(FittedTerm("log(-x)", 1.0),))) == 0.0).all()


def test_numbers_from_elsewhere_are_measured_on_the_same_rows(bench):
    fit = bench.fit(0, LAW)
    moved = replace(fit, terms=tuple(replace(t, coefficient=1.1 * t.coefficient) for t in fit.terms), note="n")
    a, b, c = rows(bench, moved)
    found = bench.measured(moved, "by hand")
    assert (found.mse, found.strategy, found.score, found.note) == (
        pytest.approx(np.mean((b - c @ a) ** 2)), "by hand", fit.score, "n",
    )  # fmt: skip
    assert found.correlation == fit.correlation
    gone = replace(fit, terms=(FittedTerm("log(-x)", 1.0), *fit.terms))
    assert bench.measured(gone, "by hand") is gone


def test_evidence_of_a_term_is_what_its_absence_does(bench):
    fit = bench.fit(0, LAW)
    a, b, c = rows(bench, fit)
    (x, zeroed, _), (square, _, refitted) = bench.ablate(fit)
    assert (x, square) == LAW
    without = np.mean((b - c[1] * a[1]) ** 2)
    assert zeroed == pytest.approx((without - fit.mse) / fit.mse, rel=1e-3)
    blocks, floor = bench.target.blocks, bench.target.floor[0]
    ratio = (left_out(a[:1], b, blocks) + floor**2) / (left_out(a, b, blocks) + floor**2)
    assert refitted == pytest.approx(ratio, rel=1e-3)
    assert bench.certainty(fit) == pytest.approx(jackknife_t(a, b, blocks), rel=1e-3)
    failed = bench.fit(0, ["log(-x)"])
    assert (bench.ablate(failed), bench.certainty(failed)) == ((), (0.0,))
    assert bench.ablate(replace(fit, terms=())) == ()


def test_a_term_that_chance_explains_is_not_needed(bench):
    fit = bench.fit(0, (*LAW, "sin(3*x)"))
    spurious = bench.ablate(fit)[2]
    assert bench.certainty(fit)[2] < 3.0
    assert spurious[2] <= 1.0


def test_nothing_explains_a_state_by_its_own_power(bench):
    null = bench.null(0)
    assert null.mse == pytest.approx(np.mean(bench.target.b[0] ** 2))
    assert bench.power(0) == pytest.approx(null.mse)
    assert bench.fit(0, ()) == null


def test_the_held_out_end_is_measured_with_the_spread_of_all_rows(bench):
    fit = bench.fit(0, LAW)
    assert 0.0 < fit.held_out < 0.1
    assert bench.rough(0, LAW).held_out is None
    off = replace(fit, terms=tuple(replace(t, coefficient=2.0 * t.coefficient) for t in fit.terms))
    assert bench.held.nmse(off) > fit.held_out
    assert bench.held.nmse(replace(fit, failure="no")) is None
    assert bench.held.nmse(replace(fit, terms=(FittedTerm("log(-x)", 1.0),))) == inf


def test_clean_coefficients_have_the_errors_of_the_blocks(clean):
    fit = clean.fit(0, LAW)
    a, b, c = rows(clean, fit)
    told = jackknife_t(a, b, clean.target.blocks)
    own = least_squares(a, b, clean.target.effective).std_errors
    expected = np.sqrt(own**2 + (c / told) ** 2 + (1e-11 * c) ** 2)
    assert [t.std_error for t in fit.terms] == pytest.approx(np.abs(expected), rel=1e-6)
    assert clean.refine([fit]) == ()


def test_too_many_numbers_are_refused_before_they_are_fitted(few):
    many = [f"x**{k}" for k in range(1, 11)] + [f"sin({k}*x)" for k in range(1, 11)]
    assert "the data are worth" in few.fit(0, many).failure


def test_few_samples_are_judged_by_the_equation_simulated_without_the_term(few):
    assert few.is_sparse
    whole = few.fit(0, LAW)
    less = few.fit(0, ["x"])
    (_, _, x), (_, _, square) = few.ablate(whole)
    assert square == pytest.approx((less.floor_ratio / whole.floor_ratio) ** 2, rel=1e-3)
    assert x > 1.0
    assert few.info.walk_score[0] < few.null(0).score
    assert few.trajectory_score([whole]).nmse[0] < 0.05


def test_rules_hold_a_number_at_its_limit_and_count_it_no_more(bench):
    bound = Blocks(equations=(EquationBlocks(0, bounds=(Bound("x", low=2.0),)),))
    held = Workbench.of(dataset(*logistic(120, 0.02)[:2], ["x"]), "auto", 0.2, blocks=bound).fit(0, LAW)
    assert held.terms[0].coefficient == 2.0
    assert held.terms[0].std_error is None
    a, b, _ = rows(bench, held)
    rest = least_squares(a[1:], b - 2.0 * a[0], bench.target.effective)
    assert held.terms[1].coefficient == pytest.approx(rest.coefficients[0])
    assert held.terms[1].std_error == pytest.approx(rest.std_errors[0])
    assert held.mse == pytest.approx(rest.mse)


def test_simulations_start_and_go_on_where_the_run_does(bench):
    fit = bench.fit(0, LAW)
    times = bench.times(0)
    assert len(times) == 120
    whole = bench.simulate([fit], 0)
    assert whole.x.shape == (120, 1)
    later = bench.simulate([fit], 0, t=times[60:])
    assert later.x == pytest.approx(whole.x[60:], abs=1e-5)
    low, high = bench.band([fit], 0)
    assert (low < whole.x).all()
    assert (whole.x < high).all()
    assert (high - low)[:90].max() < 0.1
    score = bench.trajectory_score([fit])
    seen = np.mean((whole.x[:96, 0] - bench.dataset.trajectories[0].x[:, 0]) ** 2)
    assert score.nmse[0] == pytest.approx(seen / np.var(bench.dataset.trajectories[0].x), rel=1e-6)
    assert 0.0 < score.held_out[0] < 0.1


def test_correlations_are_those_of_the_outer_coefficients(bench):
    fit = replace(bench.fit(0, LAW), terms=(FittedTerm("x", 1.0), FittedTerm("exp(params[0]*x)", 1.0, None, (2.0,))))
    covariance = np.array([[4.0, 9.0, 1.0], [9.0, 99.0, 9.0], [1.0, 9.0, 1.0]])[[0, 2, 1]][:, [0, 2, 1]]
    (found,) = with_covariance([fit], covariance)
    assert found.correlation == ((1.0, pytest.approx(0.5)), (pytest.approx(0.5), 1.0))


def test_a_law_that_fits_as_well_ties_and_a_larger_one_is_kept_beside(clean):
    wide = Workbench.of(dataset(*logistic(60, 0.3)[:2], ["x"]))
    best = wide.fit(0, ["x", "x**2"])
    found = ties(wide, best, [("1", "x"), ("1", "x**3")])
    assert found.count >= len(found.fits) > 0
    limit = log(best.mse + wide.target.floor[0] ** 2) + 8.0 / wide.target.effective
    for fit in (*found.fits, *found.twins):
        assert log(wide.rough(0, [t.skeleton for t in fit.terms]).mse + wide.target.floor[0] ** 2) <= limit
        assert len(fit.terms) <= 2
    scores = [fit.score for fit in found.fits]
    assert scores == sorted(scores)
    assert found.larger is None or (len(found.larger.terms) == 3 and found.larger.score < best.score + 4.0)
    assert found.words == in_words(found.count)
    assert ties(clean, clean.fit(0, LAW), []).count == 0


@pytest.mark.parametrize(
    ("count", "said"), [(0, ""), (1, "1 other law explains the data"), (2, "2 other laws explain the data")]
)
def test_how_many_laws_tie_is_said_in_words(count, said):
    assert in_words(count).startswith(said)
    assert bool(in_words(count)) == bool(count)


def test_a_start_is_offered_where_tied_laws_part(clean):
    wide = Workbench.of(dataset(*logistic(60, 0.3)[:2], ["x"]))
    best = wide.fit(0, LAW)
    tied = ties(wide, best, [("1", "x")])
    found = next_experiment(wide, [best], [tied], [0.5], [4.0], most=4)
    assert 0.5 <= found.start[0] <= 4.0
    assert found.duration == pytest.approx(8.0)
    none = ties(clean, clean.fit(0, LAW), [])
    assert next_experiment(clean, [best], [replace(none, larger=None)], [0.5], [4.0], most=4) is None


# --- evidence and columns ---------------------------------------------------------------------------

X = np.linspace(0.5, 2.0, 80)


def asked(a, b, floor=0.0, effective=40.0):
    names = [("x", 0), ("x**2", 0), ("x**3", 0)][: len(a)]
    return support(Question(a, b, names, floor, effective, np.arange(80) * 8 // 80))


def test_what_is_lost_without_a_term_is_the_difference_of_two_scores():
    noise = 0.01 * np.random.default_rng(0).normal(size=80)
    a, b = np.array([X, X**2]), 1.0 * X - 0.5 * X**2 + noise
    found = asked(a, b, 0.01)

    def score(*members):
        error = least_squares(a[list(members)], b).mse * 40.0 / (40.0 - len(members)) + 1e-4
        return 20.0 * log(error / np.mean(b**2)) + sum(2.5 + m + 1 + 0.5 * log(40.0) for m in members)

    without = [min(score(1), 20.0 * log(1.0 + 1e-4 / np.mean(b**2))), min(score(0), 0.0)]
    assert found.lost == pytest.approx([without[0] - score(0, 1), without[1] - score(0, 1)], abs=0.05)
    blocks = np.arange(80) * 8 // 80
    ratio = (left_out(a[:1], b, blocks) + 1e-4) / (left_out(a, b, blocks) + 1e-4)
    assert found.ratio[1] == pytest.approx(ratio)
    assert found.told == pytest.approx(jackknife_t(a, b, blocks))


def test_a_dependent_set_of_columns_is_no_structure():
    found = asked(np.array([X, 2.0 * X, X**2]), X**2)
    assert found.lost[2] > 0.0
    assert np.isfinite(found.ratio).all()
    assert asked(np.array([X]), X, effective=0.9).lost[0] == -inf


def test_a_search_for_numbers_inside_sees_as_many_rows_as_there_is_to_know():
    long = Workbench.of(dataset(*logistic(3000, 0.02)[:2], ["x"])).columns
    few, some = long.fewer
    count = len(some)
    assert few.target.b.shape[1] == count
    assert count == round(max(2.0 * long.target.effective, 64))
    assert (some[0], some[-1]) == (0, long.target.b.shape[1] - 1)
    x, y = long.one("x"), few.one("x")
    assert y == pytest.approx(x[some])
    assert long.coarse.t.shape[0] < long.t.shape[0] / 2
    assert np.corrcoef(long.coarse.one("x**2"), long.one("x**2"))[0, 1] > 0.999
    short = Workbench.of(dataset(*logistic(60, 0.02)[:2], ["x"])).columns
    assert short.fewer == (short, slice(None))
    assert short.coarse is short


def test_columns_beyond_the_range_of_numbers_are_none():
    bench = lotka_bench(60)
    columns = Columns(bench.target, bench.values * 1e100, bench.symbols)
    prey, square = skeletons(bench, "prey", "prey**2")
    assert columns.one(prey) is not None
    assert columns.one(square) is None
    found = bench.columns.stack("exp(params[0]*x0)" if "x0" in bench.symbols else f"exp(params[0]*{bench.symbols[0]})",
                                np.array([[0.01], [1e3]]))  # fmt: skip
    assert np.isfinite(found[0]).all()
    assert np.isnan(found[1]).all()
