"""A model's equations in SymPy are its own: every function of the language, every digit."""

import numpy as np
import pytest
import sympy
from scipy.special import erf

from dolq_core.estimator.algebra import expression
from dolq_core.terms import compile_columns, parse_term
from dolq_core.terms.functions import FUNCTIONS

X, Y, T = (sympy.Symbol(name, real=True) for name in "xyt")
AT = np.array([[0.31, 0.72, -0.45], [0.93, 0.12, 0.58]])
TIMES = np.array([0.0, 0.4, 1.7])


def values(skeleton, inner=()):
    made = sympy.lambdify((X, Y, T), expression(skeleton, inner, {"x": X, "y": Y, "t": T}), [{"erf": erf}, "numpy"])
    return made(*AT, TIMES) + np.zeros(3)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_of_the_language(name):
    skeleton = parse_term(f"{name}(y)", ("x", "y")).skeleton
    assert values(skeleton) == pytest.approx(compile_columns(skeleton, ("x", "y"))(AT, TIMES, ()), rel=1e-14)


@pytest.mark.parametrize("text", ["x*y**2", "1", "sqrt(y)", "x/(p1 + x**2)", "y**p1", "cos(p1*t + p2)", "abs(x)**1.5"])
def test_numbers_inside_time_and_powers(text):
    skeleton = parse_term(text, ("x", "y")).skeleton
    inner = (1.234567890123456, 0.1)[: text.count("p")]
    assert values(skeleton, inner) == pytest.approx(compile_columns(skeleton, ("x", "y"))(AT, TIMES, inner), rel=1e-14)
