"""Few samples a turn: along the first reference the rates are off by more than noise, and smoothly."""

from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core.agents.builtin.choice import Library
from dolq_core.agents.builtin.pursuit import Pursuit
from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.fitting.likelihood import MISSED, shape
from dolq_core.fitting.prior import Prior
from dolq_core.records import FittedTerm, Trajectory
from dolq_core.terms import parse_term
from tests.agents.problems import problem

NAMES = ("x0", "x1", "x2")
CUBIC = tuple(
    parse_term("*".join(some) or "1", NAMES).skeleton
    for degree in range(4)
    for some in combinations_with_replacement(NAMES, degree)
)
TORUS = (("x0*x1", "x0*x2", "x1"), ("1", "x0**2", "x1*x2"), ("x0", "x0**2", "x1**2"))
LAW = ((1.9, 1.0, 1.0), (1.1, -2.0, 1.0), (1.0, -1.0, -1.0))


def turning(_, x):
    return [x[1] * (1.0 + 1.9 * x[0]) + x[0] * x[2], 1.1 - 2.0 * x[0] ** 2 + x[1] * x[2], x[0] - x[0] ** 2 - x[1] ** 2]


@pytest.fixture(scope="module")
def given():
    t, noise = 0.25 * np.arange(300), np.random.default_rng(1)
    runs = []
    for start in ([0.7, -0.27, 1.3], [0.69, -0.18, 0.57]):
        x = solve_ivp(turning, (0.0, t[-1]), start, t_eval=t, method="DOP853", rtol=1e-10, atol=1e-12).y.T
        runs.append(Trajectory(frozen(t), frozen(x + 0.006 * noise.normal(size=x.shape))))
    return problem(t, None, NAMES, "", tuple(runs))


def test_the_few_terms_of_the_law_are_tried_where_more_of_them_follow_what_is_no_noise(given):
    bench = Workbench.of(given.dataset)
    found = Pursuit(bench, bench.new_likelihoods(), Prior(given), [Library((CUBIC,))] * 3, 8).run()
    assert shape(found[0].system) == TORUS


def test_a_law_that_was_missed_from_bad_numbers_is_found_from_better_ones(given):
    like = Workbench.of(given.dataset).likelihoods[0]

    def law(by):
        return tuple(
            tuple(FittedTerm(s, by * c) for s, c in zip(skeletons, values, strict=True))
            for skeletons, values in zip(TORUS, LAW, strict=True)
        )

    more = (law(1.0)[0] + (FittedTerm("1", 0.0),), *law(1.0)[1:])
    known = like.judged(more)
    extra = 0, "1"
    assert not like.has_missed(known, *extra), "not tried yet"
    like.judged(law(-20.0))
    assert like.has_missed(known, *extra)
    assert like.judged(law(1.1), afresh=True).misfit == pytest.approx(1.0, abs=0.2)
    assert not like.has_missed(known, *extra)


def test_a_fit_without_a_term_that_was_caught_elsewhere_is_made_again_from_where_the_law_is(given, monkeypatch):
    like = Workbench.of(given.dataset).likelihoods[0]
    law = tuple(
        tuple(FittedTerm(s, c) for s, c in zip(skeletons, values, strict=True))
        for skeletons, values in zip(TORUS, LAW, strict=True)
    )
    known = like.judged((law[0] + (FittedTerm("1", 0.0),), *law[1:]))
    right = like.judged(law, known)
    caught = replace(right, fit=known.fit + 2.0 * MISSED)
    monkeypatch.setitem(like._known, shape(law), caught)
    assert like.has_missed(known, 0, "1")
    assert like.without(known, 0, "1").fit == pytest.approx(right.fit, abs=0.01)
    assert not like.has_missed(known, 0, "1")
    needed = law[0][0].skeleton
    without = (law[0][1:], *law[1:])
    monkeypatch.setitem(like._known, shape(without), replace(right, system=without, fit=known.fit + 2.0 * MISSED))
    assert not like.has_missed(right, 0, needed), "much is lost without it, as its error promises"
