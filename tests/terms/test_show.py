"""Terms as people and other programs see them."""

import ast
import re

import pytest
import sympy
from hypothesis import assume, given, settings

from dolq_core.errors import TermError
from dolq_core.terms import in_sentence, latex_name, open_sum, parse_term, safe_names, to_latex, to_python, to_text
from dolq_core.terms.expr import Add, Mul, Num, Pow, Sym
from dolq_core.terms.show import latex_number, write
from tests.terms.strategies import SYMBOLS, terms

NAMES = safe_names(["hare_thousands", "temp (°C)", "S", "x", "lambda", "theta"], time="year")


def skeleton(text, names=NAMES):
    return parse_term(text, names).skeleton


@pytest.mark.parametrize(
    ("text", "inner", "shown"),
    [
        ("S*x/2", (), "S*x"),
        ("`temp (°C)`*x", (), "temp*x"),
        ("lambda*x", (), "lambda_*x"),
        ("t*x", (), "year*x"),
        ("x/(params[0] + x)", (), "x/(p1 + x)"),
        ("x/(params[0] + x)", (1.23456,), "x/(1.235 + x)"),
        ("x/(1 + params[0]*x)", (-2.0,), "x/(1 - 2*x)"),
        ("x*exp(-params[0]*x)", (-2.0,), "x*exp(2*x)"),
        ("x**params[0]", (-0.5,), "1/sqrt(x)"),
        ("sqrt(x - params[0])", (1.5,), "sqrt(x - 1.5)"),
        ("S*sqrt(params[0] - x)", (1.5,), "S*sqrt(1.5 - x)"),
        ("log(-2 - x + 5*S)", (), "log(5*S - 2 - x)"),
        ("(x - params[0])**params[1]", (0.4, 1.7), "(x - 0.4)**1.7"),
    ],
)
def test_text_is_in_own_names(text, inner, shown):
    assert to_text(skeleton(text), NAMES, inner) == shown


def test_a_sentence_has_the_names_of_several_words_and_can_be_typed_again():
    names = safe_names(["beam deflection (mm)", "C/N ratio", "beam_dot", "a-b c", "S (x)", "S (y)"], time="day")
    term = skeleton("beam_deflection**2*sin(params[0]*t)*C_N_ratio*beam_dot*a_b_c*S_x", names)
    shown = in_sentence(term, names)
    assert "beam deflection**2" in shown
    assert "sin(p1*day)" in shown
    assert {"C_N_ratio", "beam_dot", "a_b_c", "S_x"} <= set(re.findall(r"\w+", shown))  # signs and brackets mislead
    assert "beam_deflection" in to_text(term, names)
    assert skeleton(shown.replace("p1", "params[0]"), names) == term


@given(terms)
@settings(max_examples=150, deadline=None)
def test_what_is_shown_reads_back_as_the_same_term(text):
    own = safe_names(["temp (°C)", "lambda", "E"], time="year")
    try:
        term = parse_term(text, own)
    except TermError:
        assume(False)
    assert parse_term(to_text(term.skeleton, own), own).skeleton == term.skeleton


def test_parameters_read_back_as_shown():
    text = skeleton("x*sin(params[0]*x)/(params[1] + x)")
    assert parse_term(to_text(text, NAMES), NAMES).skeleton == text


def test_a_formula_leaves_out_a_unit_where_one_column_alone_is_called_so():
    names = safe_names(["x (m)", "S (mM)", "y (m)", "y (s)", "z", "z (m)"])
    assert list(names.short_of.values()) == ["x", "S", "y (m)", "y (s)", "z", "z (m)"]
    assert to_latex(skeleton("`S (mM)`*`y (s)`", names), names) == r"S\,\text{y (s)}"
    assert to_text(skeleton("`S (mM)`*`x (m)`", names), names) == "S*x"


def test_a_sum_begins_with_what_has_no_minus_sign():
    assert to_text(skeleton("x/(x + params[0])"), NAMES, (-0.13,)) == "x/(x - 0.13)"


def test_python_has_symbols_and_full_precision():
    text = skeleton("S*exp(-params[0]*`temp (°C)`)")
    assert to_python(text, (0.1234567890123456,)) == "S_*exp(-0.1234567890123456*temp)"


def test_a_product_below_the_line_is_in_brackets():
    tree = Pow(Mul((Sym("x0"), Sym("x1"))), Num(-1.0))
    assert write(tree) == "1/(x0*x1)"
    assert write(Mul((Sym("x2"), Pow(Add((Sym("x0"), Num(-1.0))), Num(-1.0))))) == "x2/(x0 - 1)"


@given(terms)
@settings(max_examples=60, deadline=None)
def test_python_is_read_alike_by_python_and_sympy(text):
    try:
        shown = to_python(parse_term(text, SYMBOLS).skeleton)
    except TermError:
        assume(False)
    ast.parse(shown, mode="eval")
    assert {str(symbol) for symbol in sympy.sympify(shown, evaluate=False).free_symbols} <= {*SYMBOLS, "t"}


@pytest.mark.parametrize(
    ("text", "inner", "latex"),
    [
        ("x*theta", (), r"\theta x"),
        ("x/(1 + theta)", (), r"\frac{x}{1 + \theta}"),
        ("1/x**2", (), r"\frac{1}{x^{2}}"),
        ("sin(x)**2", (), r"\sin^{2}\left(x\right)"),
        ("exp(-x/2)", (), r"e^{-0.5 x}"),
        ("sqrt(x)", (), r"\sqrt{x}"),
        ("abs(x)", (), r"\left\lvert x \right\rvert"),
        ("x*hare_thousands", (), r"\mathrm{hare\_thousands}\,x"),
        ("x*`temp (°C)`", (), r"\mathrm{temp}\,x"),
        ("lambda**2", (), r"\lambda^{2}"),
        ("x*(1 - x)", (), r"x \left(1 - x\right)"),
        ("(1 + x)**2*theta", (), r"\theta \left(1 + x\right)^{2}"),
        ("sin(params[0]*x)", (), r"\sin\left(p_{1} x\right)"),
        ("sin(params[0]*x)", (2e-7,), r"\sin\left(2 \times 10^{-7} x\right)"),
        ("x/(x + params[0])", (-2.0,), r"\frac{x}{x - 2}"),
        ("x**params[0]", (-1.5,), r"\frac{1}{x^{1.5}}"),
        ("sqrt(x - params[0])", (), r"\sqrt{x - p_{1}}"),
        ("log(x)*asin(x)", (), r"\arcsin\left(x\right) \ln\left(x\right)"),
        ("sin(3*2**x)", (), r"\sin\left(3 \cdot 2^{x}\right)"),
        ("1", (), "1"),
        ("t*x", (), r"\mathrm{year}\,x"),
    ],
)
def test_latex(text, inner, latex):
    assert to_latex(skeleton(text), NAMES, inner) == latex


def test_a_power_stands_on_the_whole_of_a_name_that_ends_in_a_unit():
    """0.11 v m/s**2 read as an acceleration."""
    names = safe_names(["v m/s", "x y"])
    assert to_latex(parse_term("`v m/s`**2", names).skeleton, names) == r"\left(\text{v m/s}\right)^{2}"
    assert to_latex(parse_term("`v m/s`*`x y`", names).skeleton, names) == r"\text{v m/s}\,\text{x y}"


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("x", "x"),
        ("x0", "x_{0}"),
        ("x_12", "x_{12}"),
        ("theta", r"\theta"),
        ("theta1", r"\theta_{1}"),
        ("θ", r"\theta"),
        ("ω", r"\omega"),
        ("µ", r"\mu"),
        ("Omega", r"\Omega"),
        ("omicron", "o"),
        ("k_on", r"k_{\mathrm{on}}"),
        ("CO2", r"\mathrm{CO2}"),
        ("hare_thousands", r"\mathrm{hare\_thousands}"),
        ("temp (°C)", r"\text{temp (°C)}"),
        ("x y", r"\text{x y}"),
        ("", r"\text{}"),
        (r"\input{a}", r"\text{\textbackslash{}input\{a\}}"),
        ("$x$", r"\text{\textdollar{}x\textdollar{}}"),
        ("<script>", r"\text{\textless{}script\textgreater{}}"),
        ("50% & #1", r"\text{50\% \& \#1}"),
        ("a`b", r"\text{a'b}"),
        ("a\nb\0", r"\text{a b }"),
    ],
)
def test_names_in_latex_cannot_break_out(name, latex):
    assert latex_name(name) == latex


@pytest.mark.parametrize(
    ("value", "latex"),
    [
        (2.0, "2"),
        (-0.123456, "-0.1235"),
        (273.15, "273.15"),
        (1e-7, "10^{-7}"),
        (-1.5e12, r"-1.5 \times 10^{12}"),
        (12345.0, "12345"),
    ],
)
def test_numbers_in_latex(value, latex):
    assert latex_number(value) == latex


def test_each_number_of_an_open_sum_has_a_name_that_stands_for_nothing_else():
    """C stood for two coefficients, p1 for two numbers, in a run about a concentration C."""
    names = safe_names(["A_gut (mg)", "C_plasma (mg/L)"])
    skeletons = [
        parse_term(text, names).skeleton for text in ("A_gut*C_plasma/(p1 + C_plasma)", "C_plasma/(p1 + C_plasma)")
    ]
    assert open_sum([*skeletons, "1"], names) == (
        "c1*A_gut*C_plasma/(p1 + C_plasma) + c2*C_plasma/(p2 + C_plasma) + c3"
    )
    assert open_sum(["C1", "x"], safe_names(["C1", "x"])) == "k1*C1 + k2*x"
