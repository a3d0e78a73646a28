"""Columns whose names look like something else: a column's own name always wins, and nothing is guessed."""

import pytest

from dolq_core.errors import TermError
from dolq_core.terms import parse_term

MEANS = [
    (("X1", "X2"), "x1", "X1"),
    (("X1", "X2"), "x2", "X2"),
    (("X1", "X2"), "X1", "X1"),
    (("x1 (m)", "x2 (m)"), "x1", "x1_m"),
    (("x1 (m)", "x2 (m)"), "x2", "x2_m"),
    (("x1 [m]", "x2 [m]"), "x1**2", "x1_m**2"),
    (("x.1", "x.2"), "x1", "x_1"),
    (("x.1", "x.2"), "x2", "x_2"),
    (("x_1", "x_2"), "x1", "x_1"),
    (("x2", "x1"), "x1", "x1"),
    (("Prey", "Predator"), "prey*predator", "Predator*Prey"),
    (("Temp (°C)", "y"), "temp", "Temp_C"),
    (("a", "b"), "x1", "b"),
    (("X", "x"), "x", "x"),
    (("X", "x"), "X", "X"),
]


@pytest.mark.parametrize(("own", "text", "skeleton"), MEANS)
def test_a_columns_own_name_wins_without_case_and_unit(own, text, skeleton):
    assert parse_term(text, own).skeleton == skeleton


ASKED = [
    (("X1", "X2"), "x0"),
    (("x1 (m)", "x2 (m)"), "x0"),
    (("x1 (m)", "x1 (s)"), "x1"),
    (("X1", "x.1"), "x1"),
    (("x.1", "y"), "x0"),
    (("A b", "a_B"), "ab"),
]


@pytest.mark.parametrize(("own", "text"), ASKED)
def test_what_may_be_two_columns_or_a_place_is_asked_for(own, text):
    with pytest.raises(TermError, match="is not known"):
        parse_term(text, own)
