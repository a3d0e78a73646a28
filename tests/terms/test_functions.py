"""Every line of the table of functions holds, a new one too."""

import math

import numpy as np
import pytest

from dolq_core.terms import KINDS, compile_columns, compile_rhs, is_of_kind, parse_term, safe_names, to_latex
from dolq_core.terms.functions import FUNCTIONS

POINTS = np.array([-2.5, -0.7, -0.2, 0.2, 0.7, 2.5])
NAMES = safe_names(["x"])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_the_same_values_at_a_number_in_a_column_and_in_a_right_hand_side(name):
    skeleton = parse_term(f"{name}(x)", NAMES).skeleton
    column = compile_columns(skeleton, NAMES.symbols)(POINTS[None, :], POINTS, ())
    rhs = compile_rhs([[(skeleton, 1.0, ())]], NAMES.symbols)
    assert [rhs(0.0, [x])[0] for x in POINTS] == pytest.approx(column, nan_ok=True, rel=1e-14)
    known = np.isfinite(column)
    assert known.sum() >= 2
    folded = [parse_term(f"x*{name}({x})", NAMES).coefficient for x in POINTS[known]]
    assert folded == pytest.approx(column[known], rel=1e-14)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_symmetry_and_sign_of_a_function_are_those_of_its_values(name):
    function = FUNCTIONS[name]
    with np.errstate(all="ignore"):
        values, mirrored = function.array(POINTS), function.array(-POINTS)
    assert not function.positive or np.nanmin(values) >= 0.0
    if name in ("abs", "sign"):  # the normal form takes more out of these than a sign
        return
    both = np.isfinite(values) & np.isfinite(mirrored)
    odd, even = (bool(np.all(np.isclose(values, s * mirrored)[both])) and bool(both.any()) for s in (-1.0, 1.0))
    assert function.symmetry == ("odd" if odd else "even" if even else "")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_shown_and_of_its_kind_alone(name):
    skeleton = parse_term(f"{name}(x)", NAMES).skeleton
    assert (FUNCTIONS[name].latex or {"exp": "e^", "abs": r"\lvert"}[name]) in to_latex(skeleton, NAMES)
    kinds = {kind for kind in KINDS if is_of_kind(skeleton, kind)}
    assert kinds == {"any", FUNCTIONS[name].kind}


def test_a_function_that_is_odd_overflows_to_both_sides():
    rhs = compile_rhs([[("sinh(x)", 1.0, ())], [("cosh(x)", 1.0, ())]], NAMES.symbols)
    assert rhs(0.0, [-1e4]) == [-math.inf, math.inf]
