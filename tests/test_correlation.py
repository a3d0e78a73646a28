"""Printed standard errors and correlations are those of coefficients from many noises, and are said in words."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.records import Dataset, EquationFit, FittedTerm, Trajectory, Variable
from dolq_core.store.codec import from_json, to_json
from dolq_core.terms import Names, Skeleton
from dolq_core.views.equations import correlation_of, panels
from dolq_core.views.summary import result
from tests.loop.states import logistic_problem
from tests.stored import found

LINEAR = (Skeleton("1"), Skeleton("x"))
NAMES = Names(("x", "y"), ("x", "y"), "t")


def relaxing(seed: int, samples: int = 60, sigma: float = 0.01) -> Workbench:
    """x' = 1 - 0.5 x from 0, with noise."""
    t = np.linspace(0.0, 6.0, samples)
    x = 2.0 - 2.0 * np.exp(-0.5 * t) + sigma * np.random.default_rng(seed).normal(size=samples)
    run = Trajectory(frozen(t), frozen(x[:, None]))
    return Workbench.of(Dataset("", Variable("t", "t"), (Variable("x", "x"),), (run,)), "weak")


def numbers(fits):
    """Coefficients, standard errors (fits, k) and the median of each correlation (k, k)."""
    found = [([t.coefficient for t in fit.terms], [t.std_error for t in fit.terms]) for fit in fits]
    return *np.array(found).transpose(1, 0, 2), np.median([fit.correlation for fit in fits], axis=0)


@pytest.mark.parametrize("trajectories", [False, True], ids=["weak form", "trajectories"])
def test_errors_and_correlation_are_those_of_many_noises(trajectories):
    benches = [relaxing(seed) for seed in range(16)]
    fits = [bench.fit(0, LINEAR) for bench in benches]
    if trajectories:
        fits = [bench.refine([fit])[0] for bench, fit in zip(benches, fits, strict=True)]
        assert {fit.strategy for fit in fits} == {"trajectory"}
    coefficients, errors, printed = numbers(fits)
    assert printed[0, 1] == pytest.approx(np.corrcoef(coefficients.T)[0, 1], abs=0.03)
    ratios = np.std(coefficients, axis=0, ddof=1) / np.median(errors, axis=0)
    assert np.all((ratios > 0.6) & (ratios < 1.6))


def test_an_inner_parameter_that_is_fitted_too_makes_its_coefficient_less_sure():
    free = relaxing(0).fit(0, (Skeleton("exp(-params[0]*t)"),))
    (term,) = free.terms
    fixed = relaxing(0).fit(0, (Skeleton(f"exp(-{term.inner[0]!r}*t)"),))
    assert fixed.terms[0].coefficient == pytest.approx(term.coefficient)
    assert term.std_error > 1.5 * fixed.terms[0].std_error


def fit_of(*terms, r):
    found = tuple(FittedTerm(Skeleton(text), value, error) for text, value, error in terms)
    return replace(EquationFit(0, found, 0.0, 0.0, 0.0, 0.0, 0.0), correlation=((1.0, r), (r, 1.0)))


@pytest.mark.parametrize(
    ("fit", "said"),
    [
        (
            fit_of(("x", 0.5, 0.05), ("x**2", -0.01, 0.001), r=-0.99),
            "The data fix only the ratio of the coefficients of x and x**2, −50.00 ± 0.71 (correlation −0.990).",
        ),
        (
            fit_of(("x", 0.5, 0.05), ("y", 0.1, 0.05), r=-0.98),
            "The data fix only the sum of the coefficients of x and y, 0.600 ± 0.010 (correlation −0.980).",
        ),
        (
            fit_of(("x", 0.5, 0.05), ("y", 0.1, 0.05), r=0.98),
            "The data fix only the difference of the coefficients of x and y, 0.400 ± 0.010 (correlation 0.980).",
        ),
        (
            fit_of(("1", 1.0, 0.02), ("x", -0.5, 0.002), r=-0.96),
            "The data fix best the constant plus 9.6 times the coefficient of x,"
            " −3.8000 ± 0.0056 (correlation −0.960).",
        ),
        (
            fit_of(("x", 5e-5, 4e-6), ("x**2", -1e-6, 8e-8), r=-0.9999),
            "The data fix only the ratio of the coefficients of x and x**2,"
            " −50.000 ± 0.057 (correlation below −0.999).",
        ),
        (
            fit_of(("1", 1e-5, 2e-7), ("x", -5e-6, 2e-8), r=-0.96),
            "The data fix best the constant plus 9.6 times the coefficient of x, "
            "(−3.8000 ± 0.0056)×10⁻⁵ (correlation −0.960).",
        ),
        (
            fit_of(("x", 0.7, 8e-7), ("x**2", -0.0875, 1e-7), r=-0.99),
            "The data fix best the ratio of the coefficients of x and x**2,"
            " −8.0000000 ± 1.3×10⁻⁶ (correlation −0.990).",
        ),
        (fit_of(("x", 0.5, 0.05), ("y", 0.1, 0.05), r=0.94), ""),
        (fit_of(("x", 0.5, None), ("y", 0.1, 0.05), r=None), ""),
    ],
    ids=["ratio", "sum", "difference", "weighted", "all but one", "small", "small error", "loose", "not known"],
)
def test_tied_coefficients_are_said_with_what_the_data_do_tell(fit, said):
    assert correlation_of(fit, NAMES).words == said


def test_what_is_said_of_a_ratio_is_its_own_standard_error():
    rng, r = np.random.default_rng(3), -0.99
    drawn = rng.multivariate_normal([0.5, -0.01], [[4e-6, r * 8e-8], [r * 8e-8, 1.6e-9]], size=20_000)
    fit = fit_of(("x", 0.5, 2e-3), ("x**2", -0.01, 4e-5), r=r)
    assert f"± {np.std(drawn[:, 0] / drawn[:, 1]):.2g} (" in correlation_of(fit, NAMES).words


def test_one_term_and_a_fit_without_errors_have_no_correlation():
    alone = fit_of(("x", 0.5, 0.05), r=None)
    assert correlation_of(alone, NAMES) is None
    assert correlation_of(replace(fit_of(("x", 1.0, None), ("y", 1.0, None), r=None), correlation=()), NAMES) is None
    assert correlation_of(None, NAMES) is None


def test_a_run_keeps_and_exports_it_and_an_older_log_is_read_without_it():
    done = found(logistic_problem(), iterations=1)
    (panel,), equation = panels(done), result(done)["equations"]["x"]
    assert [term["skeleton"] for term in equation["terms"]] == ["x", "x**2"]
    assert equation["correlation"][0][1] == equation["correlation"][1][0] == panel.correlation.values[0][1]
    assert -1.0 < equation["correlation"][0][1] < -0.9
    old = json.loads(to_json(panel.best))
    del old["correlation"]
    assert from_json(EquationFit, json.dumps(old)) == replace(panel.best, correlation=())
