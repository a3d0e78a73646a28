"""Equations as LaTeX: own names, signs, and no more digits than the numbers bear."""

from dataclasses import replace

import pytest

from dolq_core.export.latex import as_printed, equation, in_text, left_side, measured, rounded
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import safe_names

NAMES = safe_names(["x0", "E", "theta", "temp (°C)"])


def fitted(*terms):
    return EquationFit(0, tuple(FittedTerm(*term) for term in terms), 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("state", "written"),
    [
        (0, r"\dot{x}_{0}"),
        (1, r"\dot{E}"),
        (2, r"\dot{\theta}"),
        (3, r"\tfrac{\mathrm{d}}{\mathrm{d}t}\,\mathrm{temp}"),
    ],
)
def test_short_names_get_a_dot_and_long_ones_d_by_dt(state, written):
    assert left_side(NAMES, state) == written


def test_signs_stand_between_the_terms_and_a_factor_of_one_is_not_written():
    fit = fitted(("x0**2", -0.2), ("1", 3.0), ("x0", 1.0), ("E_", -1.0))
    assert equation(fit, NAMES) == r"\dot{x}_{0} = - 0.2\,x_{0}^{2} + 3 + x_{0} - E"


def test_a_term_that_is_a_sum_stands_in_brackets_behind_its_factor():
    assert equation(fitted(("2 - x0", -3.0)), NAMES) == r"\dot{x}_{0} = - 3\,\left(2 - x_{0}\right)"


def test_an_equation_without_a_term_is_open():
    assert equation(fitted(), NAMES) == r"\dot{x}_{0} = ?"


@pytest.mark.parametrize(
    ("value", "std_error", "written"),
    [
        (0.547123, None, "0.5471"),
        (0.547123, 0.0056, "0.547"),
        (1.00049, 0.3, "1"),
        (2.5e-7, None, r"2.5\times 10^{-7}"),
        (663.123456, 1e-9, "663.123"),
    ],
)
def test_a_number_has_the_digits_that_its_error_leaves(value, std_error, written):
    assert rounded(value, std_error) == written


def test_coefficients_that_lean_on_each_other_keep_the_digits_of_their_sum():
    leaning = ((1.0, -0.9999), (-0.9999, 1.0))
    fit = fitted(("x0", 31.5617, 4.9), ("1", -49641.7, 7900.0))
    assert equation(fit, NAMES) == r"\dot{x}_{0} = 32\,x_{0} - 5\times 10^{4}"
    fit = replace(fit, correlation=leaning)
    assert equation(fit, NAMES) == r"\dot{x}_{0} = 31.56\,x_{0} - 4.964\times 10^{4}"


@pytest.mark.parametrize("same", [1.0, -1.0])
def test_coefficients_of_which_only_the_sum_is_known_have_every_digit(same):
    fit = replace(fitted(("x0", 2.0412345, 1.5), ("1", 3.0123456, 1.5)), correlation=((1.0, same), (same, 1.0)))
    assert equation(fit, NAMES) == r"\dot{x}_{0} = 2.04123\,x_{0} + 3.01235"


def test_a_coefficient_without_an_error_has_four_digits_and_the_others_their_own():
    fit = replace(fitted(("x0", 2.0412345, 0.1), ("1", 3.0123456)), correlation=((1.0, None), (None, None)))
    assert equation(fit, NAMES) == r"\dot{x}_{0} = 2.04\,x_{0} + 3.012"


@pytest.mark.parametrize(
    ("error", "written"), [(6.1e-08, "251.327"), (0.004, "251.327"), (0.2, "251.33"), (9.0, "251.3"), (None, "251.327")]
)
def test_a_number_inside_a_function_has_the_digits_that_its_error_leaves(error, written):
    term = FittedTerm("cos(params[0]*t)", 1.0, inner=(251.3274122871,), inner_errors=(error,))
    fit = replace(fitted(), terms=(term,))
    assert equation(fit, NAMES) == rf"\dot{{x}}_{{0}} = \cos\left({written} t\right)"
    assert in_text(term, NAMES) == f"cos({written}*t)"
    (read,) = as_printed((fit,))[0].terms
    assert read.inner == (float(written),)


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (251.3274122871, 6.1e-08, "251.327412287 +- 6.1e-08"),
        (-4002812345.0, 4.7e6, "-4.0028e+09 +- 4.7e+06"),
        (1.00012345, 0.00032, "1.00012 +- 0.00032"),
        (0.1, 0.2, "0.1 +- 0.2"),
        (1.0 / 3.0, 1e-15, "0.333333333333 +- 1e-15"),
        (1.0 / 3.0, None, "0.333333"),
        (0.0, 0.5, "0 +- 0.5"),
    ],
)
def test_a_number_beside_its_error_has_the_digits_that_the_error_leaves(value, error, said):
    assert measured(value, error) == said
