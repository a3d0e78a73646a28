"""Columns whose names look like something else: a column's own name always wins, and nothing is guessed."""

import numpy as np
import pytest

from dolq_core.arrays import frozen
from dolq_core.errors import TermError
from dolq_core.loop.advance import begin
from dolq_core.records import Dataset, Problem, Settings, Start, Trajectory, Variable
from dolq_core.terms import parse_term, safe_names
from dolq_core.views.terms import read_equation, read_key

MEANS = [
    (("X1", "X2"), "x1", "X1"),
    (("X1", "X2"), "x2", "X2"),
    (("X1", "X2"), "X1", "X1"),
    (("x1 (m)", "x2 (m)"), "x1", "x1"),
    (("x1 (m)", "x2 (m)"), "x2", "x2"),
    (("x1 [m]", "x2 [m]"), "x1**2", "x1**2"),
    (("x.1", "x.2"), "x1", "x_1"),
    (("x.1", "x.2"), "x2", "x_2"),
    (("x_1", "x_2"), "x1", "x_1"),
    (("x2", "x1"), "x1", "x1"),
    (("Prey", "Predator"), "prey*predator", "Predator*Prey"),
    (("Temp (°C)", "y"), "temp", "Temp"),
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


def state_of(time, *own):
    states = tuple(Variable(name, symbol) for name, symbol in zip(own, safe_names(own, time).symbols, strict=True))
    t = np.linspace(0.0, 3.0, 9)
    run = Trajectory(frozen(t), frozen(np.cos(np.outer(t, np.arange(1, 1 + len(own))))))
    return begin(Start(Problem(Dataset("d", Variable(time, "t"), states, (run,))), Settings()))


@pytest.mark.parametrize("text", ["t", "x*t", "`t`", "sin(2*t)", "t**2", "x(t)*t"])
def test_a_state_called_t_is_asked_about_and_not_taken_for_the_time(text):
    state = state_of("hour", "t", "x")
    for read in (read_key, read_equation):
        with pytest.raises(TermError, match="Write t_ for the column, and hour for the time"):
            read(state, 0, text)


def test_a_state_called_t_and_the_time_have_a_spelling_each():
    state = state_of("hour", "t", "x")
    assert read_key(state, 0, "t_*x").skeleton == "t_*x"
    assert read_key(state, 0, "sin(hour)").skeleton == "sin(t)"
    assert read_equation(state, 0, "dt/dhour = x(t)").skeletons == ("x",)
    assert read_key(state_of("t", "x"), 0, "x*t").skeleton == "t*x"
