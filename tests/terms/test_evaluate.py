"""Columns and right-hand sides: the values, and what is said where there are none."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings

from dolq_core.errors import TermError
from dolq_core.terms import compile_columns, compile_rhs, parse_term
from tests.every import every
from tests.terms.strategies import SYMBOLS, points, terms

SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 800.0, -800.0, 1e200, -1e200, math.inf, -math.inf, math.nan]


def column(text, x, t=None, inner=()):
    names = [f"x{k}" for k in range(len(x))]
    x = np.array(x, dtype=float)
    times = np.arange(x.shape[1], dtype=float) if t is None else t
    return compile_columns(parse_term(text, names).skeleton, tuple(names))(x, times, inner)


@pytest.mark.parametrize(
    ("text", "inner", "expected"),
    [
        ("x0*x1", (), [3.0, 8.0]),
        ("1", (), [1.0, 1.0]),
        ("t*x0", (), [0.0, 2.0]),
        ("x0/(params[0] + x1)", (2.0,), [0.2, 1 / 3]),
        ("x1**params[0]*exp(-params[1]*x0)", (2.0, 0.0), [9.0, 16.0]),
        ("sqrt(x0)", (), [1.0, math.sqrt(2)]),
        ("2**x0 - x1", (), [1.0, 0.0]),
    ],
)
def test_columns_have_the_values_of_the_term(text, inner, expected):
    assert column(text, [[1.0, 2.0], [3.0, 4.0]], inner=inner) == pytest.approx(expected)


def test_a_column_is_a_new_array_of_floats():
    x = np.array([[1.0, 2.0]])
    values = compile_columns("x0", ("x0",))(x, np.zeros(2), ())
    values[:] = 0
    assert x.tolist() == [[1.0, 2.0]]
    assert values.dtype == np.float64


def test_columns_are_compiled_once():
    assert compile_columns("x0*x1", SYMBOLS) is compile_columns("x0*x1", SYMBOLS)


def test_a_right_hand_side_adds_its_terms():
    rhs = compile_rhs([[("x0", 2.0, ()), ("sin(params[0]*x1)", -1.0, (0.5,))], [], [("t", 1.0, ())]], ("x0", "x1"))
    expected = [2.0 - math.sin(1.5), 0.0, 7.0]
    assert rhs(7.0, [1.0, 3.0]) == pytest.approx(expected)
    assert rhs(7, np.array([1, 3])) == pytest.approx(expected)
    assert every(type(value) is float for value in rhs(np.float64(7), np.array([1.0, 3.0])))


@pytest.mark.parametrize(
    "text",
    [
        "1/x0", "x0/x1", "1/x0**2", "1/x0**3", "x0**3", "x0**11", "x0**1.5", "x0**0.3", "sqrt(x0)", "1/sqrt(x0)",
        "log(x0)", "exp(x0)", "exp(exp(x0))", "sinh(x0)", "cosh(x0)", "tanh(x0)", "sin(x0)", "tan(x0)", "asin(x0)",
        "acos(x0)", "atan(x0)", "sign(x0)", "abs(x0)", "x0**x1", "2**x0", "(-2)**x0", "x0**2 - x1**2",
        "exp(x0)/exp(x1)",
    ],
)  # fmt: skip
def test_columns_and_right_hand_sides_agree_at_the_edges(text):
    a, b = (grid.ravel() for grid in np.meshgrid(SPECIAL, SPECIAL))
    skeleton = parse_term(text, ["x0", "x1"]).skeleton
    columns = compile_columns(skeleton, ("x0", "x1"))(np.stack([a, b]), a, ())
    rhs = compile_rhs([[(skeleton, 1.0, ())]], ("x0", "x1"))
    scalars = [rhs(0.0, [one, other])[0] for one, other in zip(a, b, strict=True)]
    np.testing.assert_allclose(scalars, columns, rtol=1e-12)


@given(terms)
@settings(max_examples=200, deadline=None)
def test_columns_and_right_hand_sides_agree(text):
    try:
        skeleton = parse_term(text, SYMBOLS).skeleton
    except TermError:
        assume(False)
    x, t = points(8)
    columns = compile_columns(skeleton, SYMBOLS)(x, t, ())
    rhs = compile_rhs([[(skeleton, 1.0, ())]], SYMBOLS)
    scalars = np.array([rhs(t[k], x[:, k])[0] for k in range(8)])
    small = ~(np.abs(columns) > 1e9)
    np.testing.assert_allclose(scalars[small], columns[small], rtol=1e-7, atol=1e-9)
