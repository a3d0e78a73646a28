"""A curve such as exp is taken of numbers: exp of so many litres would be another law in millilitres."""

from dataclasses import replace

import numpy as np
import pytest

from dolq_core.agents.builtin.objections import ReviewCase, objections
from dolq_core.blocks import curve_of_amount
from dolq_core.fitting import Workbench
from dolq_core.fitting.prior import FOREIGN, Prior
from dolq_core.mechanisms import words_of
from tests.agents.problems import problem


def tank(unit="mol/L", other="K", description="A reaction in the Arrhenius way."):
    t = np.linspace(0.0, 5.0, 80)
    given = problem(t, np.column_stack((np.exp(-t), 3.0 + np.sin(t))), ["c", "T"], description)
    states = tuple(replace(v, unit=u) for v, u in zip(given.dataset.states, (unit, other), strict=True))
    return replace(given, dataset=replace(given.dataset, states=states))


@pytest.mark.parametrize(
    ("term", "curve"),
    [
        ("exp(-c)", "exp"),
        ("tanh(T)", "tanh"),
        ("sqrt(T)*sin(c)", "sin"),
        ("exp(params[0]*c)", ""),
        ("c*exp(-params[0]/T)", ""),
        ("c*log(c)", ""),
        ("sign(c)*sqrt(T)", ""),
        ("exp(c - T)", ""),  # another fault: what is added has unlike units
    ],
)
def test_a_curve_of_what_has_a_unit_is_named(term, curve):
    assert curve_of_amount(tank().dataset, term) == curve


@pytest.mark.parametrize("unit", ["", "1", "%", "rad"])
def test_a_curve_of_a_number_a_share_an_angle_or_an_unknown_unit_is_none(unit):
    assert curve_of_amount(tank(unit).dataset, "exp(-c)") == ""
    assert curve_of_amount(tank(unit).dataset, "sin(c)") == ""


def test_it_costs_as_much_as_a_mechanism_of_another_subject_whatever_word_speaks_for_exponentials():
    bare, with_units = Prior(tank("", "")), Prior(tank())
    assert with_units.name(0, "exp(-c)") == bare.name(0, "exp(-c)") + FOREIGN
    for term in ("c", "exp(params[0]*c)", "c*exp(-params[0]/T)"):
        assert with_units.name(0, term) == bare.name(0, term)


def test_the_scientist_says_why():
    for given, said in ((tank(), True), (tank("", ""), False)):
        bench = Workbench.of(given.dataset)
        fit = bench.fit(0, ["exp(-c)"])
        case = ReviewCase(given, bench, words_of(given), [fit, None])
        found = objections(case, fit, fit.terms[0], None, {"exp(-c)"})
        assert ("It takes exp of what has a unit: in another unit the law would be another one." in found) == said
