from math import inf

import numpy as np
import pytest

from dolq_core.fitting.ranking import MOST_GAIN, SHARED, choose, description_of
from dolq_core.fitting.score import NAMING, complexity
from dolq_core.numerics.shooting import Shot
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Skeleton


def fit_of(equation, skeleton, score):
    return EquationFit(equation, (FittedTerm(Skeleton(skeleton), 1.0),), 1.0, 1.0, 1.0, 1.0, score)


def leaders():
    return [[fit_of(0, "a", -10.0), fit_of(0, "b", -8.0)], [fit_of(1, "c", -10.0), fit_of(1, "d", -9.0)]]


def names(fits):
    return "".join(fit.terms[0].skeleton for fit in fits)


def test_the_first_structures_stay_where_simulations_do_not_tell_them_apart():
    assert names(choose(leaders(), lambda fits: {"ac": 0.0, "bc": -0.5}.get(names(fits), 0.0))) == "ac"


def test_a_structure_that_simulates_better_ranks_before_the_one_it_replaces():
    first, second = choose(leaders(), lambda fits: {"ac": 0.0, "bc": -20.0, "bd": -15.0}.get(names(fits), 0.0))
    assert first.terms[0].skeleton == "b"
    assert first.score == -30.0
    assert second.score == -10.0


def test_a_system_that_fails_to_simulate_loses_against_one_that_does_not():
    first, _ = choose(leaders(), lambda fits: 500.0 if names(fits) == "bc" else inf)
    assert first.terms[0].skeleton == "b"
    assert first.score == -10.0 - MOST_GAIN


def test_nothing_is_chosen_where_every_system_fails():
    assert names(choose(leaders(), lambda _: inf)) == "ac"


def test_two_wrong_equations_are_replaced_together_where_neither_alone_gets_better():
    def judge(fits):
        return {"ac": 0.0, "bd": -20.0}.get(names(fits), 5.0)

    assert names(choose(leaders(), judge)) == "ac"
    together = choose(leaders(), judge, [[leaders()[0][1], leaders()[1][1]]])
    assert names(together) == "bd"
    assert [fit.score for fit in together] == [-30.0, -30.0]


def test_a_term_that_another_equation_has_costs_less_to_name():
    shot = Shot(np.ones(2), np.eye(2), np.ones((1, 2)), np.ones(2), np.full(2, 100.0), 100)
    own = description_of(shot, [0.0, 0.0], [fit_of(0, "x0*x1", 0.0), fit_of(1, "x0*x2", 0.0)])
    shared = description_of(shot, [0.0, 0.0], [fit_of(0, "x0*x1", 0.0), fit_of(1, "x0*x1", 0.0)])
    assert own - shared == pytest.approx(NAMING + complexity("x0*x1") - SHARED)
