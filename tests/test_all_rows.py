"""The last fit of a chosen structure uses every sample, also of data that the search sees thinned."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.fitting import Workbench
from dolq_core.fitting.all_rows import on_all_rows
from dolq_core.fitting.in_stretches import STRETCHES
from tests.every import every
from tests.loop.states import logistic_problem
from tests.numerics.known import lotka
from tests.stored import found
from tests.test_fitting import dataset, skeletons
from tests.test_held_out import noisy

TRUE = np.array([0.5, -0.025, -0.9, 0.027])


def bench_of(noise, n=50_000, held=0.2, spoil=None):
    t, x, _ = lotka(n, noise)
    if spoil is not None:
        spoil(t, x)
    return Workbench.of(dataset(t, x, ["prey", "cat"]), "auto", held)


def chosen(bench):
    return [
        bench.fit(0, skeletons(bench, "prey", "prey*cat")),
        bench.fit(1, skeletons(bench, "cat", "prey*cat")),
    ]


def off(fits):
    """Root mean square of the relative errors of the coefficients."""
    values = np.array([term.coefficient for fit in fits for term in fit.terms])
    return float(np.sqrt(np.mean((values / TRUE - 1.0) ** 2)))


@pytest.mark.parametrize("held", [0.0, 0.2])
def test_weak_noise_is_averaged_over_all_rows_not_over_one_in_thirteen(held):
    bench = bench_of(3e-5, held=held)
    thin, final = chosen(bench.whole), bench.final(chosen(bench))
    assert off(final) < 0.5 * off(thin)
    assert {fit.strategy for fit in final} == {"least squares, all rows"}
    assert every(term.std_error > 0.0 for fit in final for term in fit.terms)
    assert [fit.held_out for fit in final] == [fit.held_out for fit in chosen(bench)]


def test_on_noisy_data_all_rows_say_more_than_simulations_of_some():
    bench = bench_of(0.01)
    refined, final = bench.whole.refine(chosen(bench.whole)), bench.final(chosen(bench))
    assert {fit.strategy for fit in refined} == {"trajectory"}
    assert off(final) < 0.5 * off(refined)


def test_standard_errors_are_of_the_size_of_the_errors():
    (prey, cat) = bench_of(3e-5).final(chosen(bench_of(3e-5)))
    errors = np.array([term.std_error for fit in (prey, cat) for term in fit.terms])
    values = np.array([term.coefficient for fit in (prey, cat) for term in fit.terms])
    assert np.all(np.abs(values - TRUE) < 4.0 * errors)
    assert np.all(errors < 1e-4 * np.abs(TRUE))


def test_inner_parameters_stay_and_the_strategy_says_how_they_were_found():
    bench = bench_of(3e-5, n=10_000, held=0.0)
    fit = bench.fit(0, skeletons(bench, "prey", "prey*cat**params[0]"))
    (long,) = bench.on_all_rows((fit,))
    assert [term.inner for term in long.terms] == [term.inner for term in fit.terms]
    assert long.terms != fit.terms
    assert long.strategy == "variable projection"


def test_a_term_that_is_not_finite_on_some_row_keeps_the_thinned_fit_and_says_why():
    t, x, _ = lotka(50_000)
    x[25_001, 1] = 0.0
    bench = bench_of(0.0, held=0.0)
    fit = bench.fit(0, skeletons(bench, "prey", "prey*cat", "1/cat"))
    empty = [np.empty((len(t), 0))]
    (kept,) = on_all_rows([fit], bench.target, [(t, x)], empty, bench.symbols)
    assert kept.terms == fit.terms
    assert "not finite on all samples" in kept.note


def test_terms_that_no_row_tells_apart_keep_the_thinned_fit():
    bench = bench_of(3e-5, n=10_000, held=0.0)
    fit = bench.fit(0, skeletons(bench, "prey", "exp(log(prey) + 1)", "prey*cat"))
    (kept,) = bench.on_all_rows((fit,))
    assert kept.terms == fit.terms
    assert "no better coefficients" in kept.note


def test_coefficients_from_trajectories_stay_where_the_system_simulates_better_with_them():
    bench = bench_of(0.01, n=8_000, held=0.0)
    refined = bench.refine(chosen(bench))
    long = bench.on_all_rows(refined)
    assert [fit.terms for fit in long] == [fit.terms for fit in refined]
    assert every("simulate no better" in fit.note for fit in long)


def test_uneven_times_keep_the_thinned_fit_and_say_why():
    def spoil(t, x):
        t[7] += 0.3 * (t[8] - t[7])

    bench = bench_of(0.01, n=6_000, spoil=spoil)
    final = bench.final(chosen(bench))
    assert every("uneven" in fit.note for fit in final)


def test_a_run_reports_coefficients_from_all_rows_also_when_nothing_is_held_out():
    problem = noisy(logistic_problem(10_000), 0.01)
    done = found(problem, iterations=2, held_out=0.0)
    (best,) = done.state.best
    assert best.refined.strategy == "least squares, all rows"
    assert best.blind is None
    bench = Workbench.of(problem.dataset)
    assert done.state.last.trajectory == bench.trajectory_score([best.refined])


def test_data_that_fit_the_search_are_left_as_they_are():
    bench = bench_of(0.0, n=400, held=0.0)
    assert bench.final(chosen(bench)) == ()
    assert bench.on_all_rows(tuple(chosen(bench))) == tuple(chosen(bench))


def test_the_same_data_give_the_same_coefficients_to_the_last_bit():
    once, again = (bench.final(chosen(bench)) for bench in (bench_of(3e-5, 20_000), bench_of(3e-5, 20_000)))
    assert once == again


def test_numbers_from_stretches_of_runs_stay():
    bench = bench_of(3e-3, n=8000)
    found = tuple(replace(fit, strategy=STRETCHES) for fit in chosen(bench))
    assert bench.on_all_rows(found) == found != bench.on_all_rows(tuple(chosen(bench)))
