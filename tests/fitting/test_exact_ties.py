"""Clean samples: another law of as many plain terms, which along these runs is the same to the last digit."""

import numpy as np
import pytest

from dolq_core.fitting import Workbench, exact_ties, rivals
from dolq_core.fitting.prior import Prior
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton
from tests.agents.problems import noisy, simulated


def crystals(_, x):
    """Number, length and surface of crystals that grow, and what is dissolved: a moment less in each rate."""
    above = x[3] - 4.0
    return [0.03 * above**2, 0.12 * above * x[0], 0.24 * above * x[1], -0.09 * above * x[2]]


@pytest.fixture(scope="module")
def bench():
    return Workbench.of(simulated(crystals, [0.5, 0.8, 1.5, 6.0], 8.0, points=400).dataset)


def tied(bench, equation, *terms):
    fit = bench.fit(equation, [Skeleton(term) for term in terms])
    assert not fit.failure
    return [{term.skeleton for term in one.terms} for one in exact_ties.exact_ties(bench, fit)]


def test_three_terms_that_are_three_others_along_the_run(bench):
    assert {"1", "x3", "x3**2"} in tied(bench, 0, "1", "x0*x2", "x1**2")
    assert {"1", "x0*x2", "x1**2"} in tied(bench, 0, "1", "x3", "x3**2")


def test_laws_that_no_others_are_equal_to(bench):
    assert tied(bench, 1, "x0", "x0*x3") == []
    assert tied(bench, 3, "x2", "x2*x3") == []


def test_a_person_may_forbid_the_other_one(bench):
    fit = bench.fit(0, [Skeleton(term) for term in ("1", "x0*x2", "x1**2")])
    assert exact_ties.exact_ties(bench, fit, (), lambda skeletons: "x3**2" not in skeletons) == []


@pytest.mark.parametrize(
    ("nearer", "natural", "is_rival"), [(-0.1, True, False), (0.1, True, True), (-0.1, False, True)]
)
def test_a_rival_that_nothing_led_to_has_to_come_closer(monkeypatch, nearer, natural, is_rival):
    given = noisy(lambda _, x: [0.5 * x[0] * (1.0 - x[0] / 10.0) - x[0] ** 2 / (1.0 + x[0] ** 2)], [9.5], 20.0,
                  0.01, names=("x0",))  # fmt: skip
    like, prior = Workbench.of(given.dataset).likelihoods[0], Prior(given)
    some = [("1", -0.9), ("x0", 0.5), ("x0**2", -0.05)], [("1/x0", -2.3), ("x0", 0.4), ("x0**2", -0.05)]
    both = [like.judged((tuple(FittedTerm(text, value, None) for text, value in law),)) for law in some]
    law, other = sorted(both, key=lambda one: like.length(one, prior))
    behind = like.length(other, prior) - like.length(law, prior)
    assert 0.0 < behind < rivals.CLOSE
    strange = {term.skeleton for term in other.system[0]}
    monkeypatch.setattr(prior, "expects", lambda _, skeletons: set(skeletons) != strange)
    monkeypatch.setattr(prior, "is_natural", lambda *_: natural)
    monkeypatch.setattr(rivals, "STRANGE", behind + nearer)
    (found,) = rivals.rivals_of_system(like, law, prior)
    assert bool(found.close) == is_rival


def test_a_law_of_two_shapes_that_nothing_speaks_for_is_not_natural():
    given = noisy(lambda _, x: [0.5 - 0.3 * x[0]], [0.2], 6.0, 0.02, 200, names=("x0",))
    prior = Prior(given)
    assert prior.is_natural(0, ["1", "x0", "x0/(params[0] + x0)"])
    assert not prior.is_natural(0, ["1/sqrt(x0)", "x0/(params[0] + x0)"])
    assert prior.expects(0, ["1/sqrt(x0)", "x0/(params[0] + x0)"])
    assert not prior.is_natural(0, ["1", "x0**1.5*sin(params[0]*t)"])
    assert not prior.expects(0, ["1", "exp(-(params[0] + params[1]*t)**2)", "x0"])  # a pulse, by words alone


def test_a_law_longer_than_there_are_plain_terms_has_no_other(bench, monkeypatch):
    fit = bench.fit(0, [Skeleton(term) for term in ("1", "x3", "x3**2")])
    monkeypatch.setattr(exact_ties, "polynomials", lambda *_: [])
    assert exact_ties._as_short(bench, fit) == []


def test_two_terms_that_an_energy_makes_two_others(monkeypatch):
    """A swing hung on a counterweight: what its angle says of the length, its energy says as well."""

    def swing(_, x):
        pulled = (x[0] * x[3] ** 2 + 9.81 * np.cos(x[2]) - 14.7) / 2.5
        return [x[1], pulled, x[3], -(2.0 * x[1] * x[3] + 9.81 * np.sin(x[2])) / x[0]]

    bench = Workbench.of(simulated(swing, [1.0, 0.0, 1.5, 0.0], 8.0, points=400).dataset)
    by_energy, by_angle = ["1/x0", "x0*x3**2", "x1**2/x0"], ["1", "cos(x2)", "x0*x3**2"]
    fit = bench.fit(1, [Skeleton(term) for term in by_energy])
    library = [Skeleton(term) for term in (*by_angle, "x1", "sin(x2)", "x0/x3")]
    found = [sorted(term.skeleton for term in one.terms) for one in exact_ties.exact_ties(bench, fit, library)]
    assert found == [by_angle]
    monkeypatch.setattr(exact_ties, "TIE", -1e9)  # the last fit of a run leaves less, by a finer rule
    assert len(exact_ties.exact_ties(bench, fit, library)) == 1
    monkeypatch.setattr(exact_ties, "AS_EXACT", 0.0)
    assert exact_ties.exact_ties(bench, fit, library) == []
    monkeypatch.undo()
    longer = bench.fit(1, [Skeleton(term) for term in by_angle])
    assert exact_ties.exact_ties(bench, longer, [Skeleton(term) for term in by_energy]) == []
