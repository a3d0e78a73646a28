"""A term that is infinite between two samples is no law of what lies on both sides."""

import numpy as np
import pytest

from dolq_core.fitting import Workbench
from dolq_core.fitting.likelihood import Likelihood
from dolq_core.records import FittedTerm
from dolq_core.terms.poles import divisors, is_infinite_between
from tests.agents.problems import noisy

OPENS = "(params[0] + x)/(1 - exp(-params[0] - x))"


@pytest.mark.parametrize(
    ("skeleton", "inner", "is_infinite"),
    [
        ("x/(params[0] + x)", (0.5,), False),
        ("x/(params[0] + x)", (-0.5,), True),
        ("x/(params[0] + x)**2", (-0.5,), True),
        ("x/(params[0] + x)", (-1.5,), False),
        ("x*y/((params[0] + x)*(params[1] + y))", (0.5, -2.5), True),
        ("1/(params[0] + params[1]*x**2 + x)", (0.5, -1.6), True),
        ("exp(x/(1 + params[0]*x))", (-2.0,), True),
        (OPENS, (-0.5,), False),
        ("1/(x - y)", (), False),
        ("sqrt(params[0] + x)", (0.5,), False),
    ],
)
def test_a_pole_is_where_a_fitted_sum_changes_its_sign_below_the_line(skeleton, inner, is_infinite):
    x = np.array([[0.0, 0.3, 0.8, 1.0], [2.0, 2.2, 2.4, 2.6]])
    assert is_infinite_between(skeleton, ("x", "y"), x, np.arange(4.0), inner) == is_infinite


def test_a_sum_that_a_function_is_part_of_may_vanish_with_what_it_divides():
    assert divisors(OPENS) == ()
    assert len(divisors("x*y/((params[0] + x)*(params[1] + y))")) == 2


def test_numbers_with_a_pole_among_the_samples_are_no_fit(monkeypatch):
    """A food that is used up: its steps pass over a pole just above where it ends, and are as near to the samples."""
    given = noisy(lambda _, x: [-1.6 * x[0] / (0.05 + x[0])], [3.0], 3.0, points=160, names=("food",))
    like = Workbench.of(given.dataset).likelihoods[0]

    def fitted(p):
        return like._fitted(((FittedTerm("food/(params[0] + food)", -1.6, None, (p,)),),), like.smooth, np.inf)

    assert fitted(0.02).system[0][0].inner[0] > 0.0
    assert fitted(0.02).fit < np.inf
    monkeypatch.setattr(Likelihood, "_has_pole", lambda *_: True)
    assert fitted(0.02).fit == np.inf


@pytest.mark.parametrize(("p", "is_there"), [(0.05, False), (-0.05, True)])
def test_a_pole_is_looked_for_in_each_run_and_not_between_two_of_them(p, is_there):
    given = noisy(lambda _, x: [1.0 - x[0]], [0.0], 3.0, points=160, names=("food",))
    like = Workbench.of(given.dataset).likelihoods[0]
    system = ((FittedTerm("food/(params[0] + food)", 1.0, None, (p,)),),)
    x = np.linspace(0.0, 1.0, len(like.smooth))[:, None]
    assert like._has_pole(system, x) == is_there
    assert not like._has_pole(system, np.abs(x) + 0.1)
