"""Where a law jumps."""

import numpy as np
import pytest

from dolq_core.terms import parse_term
from dolq_core.terms.jumps import compile_sided, has_direction, jumps_in, turns_in

NAMES = ["a", "b"]
SIDES = ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0))


def skeleton(text):
    return parse_term(text, NAMES).skeleton


def test_a_term_is_taken_on_the_side_that_is_asked_for():
    terms = [skeleton("sign(a - b)*sqrt(abs(a - b))"), skeleton("a*sign(b)**2"), skeleton("a*sign(b)"), skeleton("a")]
    jumps = jumps_in(terms)
    assert len(jumps) == 2
    x, t = np.array([[4.0, 1.0], [3.0, 2.0]]), np.zeros(2)
    sides = np.array([[-1.0, 1.0], [1.0, -1.0]])
    flow, _, turned, plain = (compile_sided(s, ("a", "b"), jumps)(np.vstack((x, sides)), t, ()) for s in terms)
    assert abs(flow).tolist() == [1.0, 1.0]
    assert (flow * turned).tolist() in ([-4.0, -1.0], [4.0, 1.0])
    assert plain.tolist() == [4.0, 1.0]


def test_a_kink_is_taken_on_a_side_as_well():
    terms = [skeleton("b*abs(a)"), skeleton("sign(a)"), skeleton("abs(a - params[0])"), skeleton("sqrt(abs(b))")]
    (turn,) = turns_in(terms)
    values = np.array([[2.0, 2.0], [3.0, 3.0], [1.0, -1.0]])  # a, b, and the side of a
    drag = compile_sided(terms[0], ("a", "b"), (turn,))(values, np.zeros(2), ())
    assert drag.tolist() == [6.0, -6.0]
    plain = compile_sided(skeleton("b*abs(a)"), ("a", "b"), ())(values[:2], np.zeros(2), ())
    assert plain.tolist() == [6.0, 6.0]


def test_a_kink_that_a_jump_moves_is_taken_on_a_side_of_both():
    term = skeleton("b*abs(a - sign(b))")
    jump, kink = turns_in([term])
    flow = compile_sided(term, ("a", "b"), (jump, kink))
    at = {
        sides: flow(np.array([[4.0], [2.0], *([side] for side in sides)]), np.zeros(1), ()).tolist() for sides in SIDES
    }
    assert at == {(1.0, 1.0): [6.0], (1.0, -1.0): [-6.0], (-1.0, 1.0): [10.0]}


def test_numbers_to_be_fitted_and_terms_without_a_sign_are_no_jumps():
    assert jumps_in([skeleton("sign(a - params[0])"), skeleton("abs(a)"), skeleton("a**2")]) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a/sqrt(a**2 + b**2)", True),
        ("b/sqrt(a**2 + b**2)", True),
        ("a*sqrt(a**2 + b**2)", False),
        ("a/(a**2 + b**2)**1.5", False),  # it grows without bounds there: a path is thrown out
        ("a/sqrt(1 + a**2)", False),
        ("a/sqrt(a**2 + b)", False),
        ("a/sqrt(a**4 + b**2)", False),
        ("a/sqrt(b)", False),
    ],
)
def test_a_part_of_a_unit_vector_has_no_direction_where_it_points(text, expected):
    assert has_direction([skeleton("a"), skeleton(text)]) is expected
