"""What scientists write is read where it means one thing only, and is refused with a way out elsewhere."""

import math

import numpy as np
import pytest

from dolq_core.errors import TermError
from dolq_core.terms import compile_columns, parse_equation, parse_term, safe_names

OWN = ("x", "y", "λ", "θ", "N")
READ = [
    ("x^2", "x**2"), ("x²", "x**2"), ("x⁻¹", "x**(-1)"), ("x ^ 2", "x**2"), ("(x+1)²", "(x+1)**2"),
    ("2x", "2*x"), ("2 x", "2*x"), ("0.5x²", "0.5*x**2"), ("3(x+1)", "3*(x+1)"), ("1e-3x", "1e-3*x"),
    ("x·y", "x*y"), ("x×y", "x*y"), ("x⋅y", "x*y"), ("x÷y", "x/y"), ("x − y*x", "x - y*x"), ("−x", "-x"),
    ("|x|", "abs(x)"), ("x*|x|", "x*abs(x)"), ("|x - y|²", "abs(x - y)**2"), ("√(x)", "sqrt(x)"),
    ("sin x", "sin(x)"), ("x*cos θ", "x*cos(θ)"), ("exp x + 1", "exp(x) + 1"), ("ln N", "log(N)"),
    ("λ", "λ"), ("λ²", "λ**2"), ("2θ", "2*θ"), ("λ·θ", "λ*θ"), ("x(t)", "x"), ("x(t)*y(t)", "x*y"), ("N(t)²", "N**2"),
    ("`x`^2", "x**2"), ("x^-1", "x**-1"), ("x^(1/2)", "x**(1/2)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "python"), [pair for pair in READ if pair[1]])
def test_what_means_one_thing_is_read(text, python):
    assert parse_term(text, OWN).skeleton == parse_term(python, OWN).skeleton
    assert parse_term(text, OWN).coefficient == parse_term(python, OWN).coefficient


REFUSED = [
    ("||x|-y|", 0), ("sin 2x", None), ("sin x*y", None), ("0x10", None), ("2e", None), ("x y", 1), ("x(t-1)", 1),
    ("x = y", 2), ("²", None), ("x*z²", 2), ("x²*z", 3),
]  # fmt: skip


@pytest.mark.parametrize(("text", "position"), REFUSED)
def test_what_may_mean_two_things_is_refused_at_its_place_with_a_way_out(text, position):
    with pytest.raises(TermError) as caught:
        parse_term(text, OWN)
    assert caught.value.way_out
    assert position is None or caught.value.position == position


def test_an_equation_as_it_stands_in_a_paper_is_read():
    names = safe_names(("x", "y"))
    found = [term.skeleton for term in parse_equation("dx/dt = 2x − 0.5x·y + |y|", names, 0)]
    assert found == ["x", "x*y", "abs(y)"]
    assert [term.skeleton for term in parse_equation("x' = x^-1 - y²", names, 0)] == ["1/x", "y**2"]


FUNCTIONS = {
    "asinh(x)": math.asinh, "arcsinh(x)": math.asinh, "acosh(2 + x**2)": lambda x: math.acosh(2 + x * x),
    "atanh(x/9)": lambda x: math.atanh(x / 9), "max(x, 1)": lambda x: max(x, 1.0), "min(x, 1)": lambda x: min(x, 1.0),
    "heaviside(x)": lambda x: float(x > 0), "step(x - 1)": lambda x: float(x > 1),
    "max(x, x**2)": lambda x: max(x, x * x), "erf(x)": math.erf, "erfc(x/2)": lambda x: math.erfc(x / 2),
}  # fmt: skip


@pytest.mark.parametrize("text", FUNCTIONS)
def test_further_functions_have_their_values(text):
    term = parse_term(text, ("x",))
    values = np.array([[-2.5, -0.5, 0.3, 1.7, 4.0]])
    found = term.coefficient * compile_columns(term.skeleton, ("x",))(values, np.zeros(5), ())
    assert found == pytest.approx([FUNCTIONS[text](x) for x in values[0].tolist()], abs=1e-12)


CAPITALS = ("algae density", "rotifers (1/ml)", "yeast", "S", "s", "Big cell", "big cell", "Abc", "abc")


@pytest.mark.parametrize(
    ("text", "skeleton"),
    [
        ("Algae Density * k", "algae_density"),
        ("`ALGAE density`*Yeast", "algae_density*yeast"),
        ("YEAST(1 - Yeast/K)", "yeast*(1 - yeast/params[0])"),
        ("2Yeast", "yeast"),
        ("Day*S*s", "S_*s*t"),
        ("Rotifers + EXP(Rotifers (1/ml))", "rotifers + exp(rotifers)"),
        ("abc*Big cell", "Big_cell*abc"),
    ],
)
def test_a_column_is_known_in_other_capitals(text, skeleton):
    names = safe_names(CAPITALS, "day")
    assert parse_term(text, names, letters=True).skeleton == parse_term(skeleton, names).skeleton


@pytest.mark.parametrize("text", ["BIG cell*k", "k*Big Cell", "ABC"])
def test_capitals_that_leave_two_columns_are_said_to(text):
    with pytest.raises(TermError, match=r"may be '.*' and '.*', which differ in capitals\. Write it as the column is"):
        parse_term(text, safe_names(CAPITALS, "day"), letters=True)


def test_a_left_side_may_have_other_capitals_unless_they_tell_two_states_apart():
    names = safe_names(("algae density", "S", "s"), "day")
    (term,) = parse_equation("d Algae Density/dt = k*ALGAE density", names, 0, letters=True)
    assert term.skeleton == "algae_density"
    assert parse_equation("D(algae Density) = 1", names, 0)
    with pytest.raises(TermError, match="is not the rate of S"):
        parse_equation("ds/dt = s", names, 1)
