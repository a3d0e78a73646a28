"""Laws drawn at random."""

import re

import numpy as np
import pytest

from dolq_core.terms import Skeleton, safe_names
from lab import campaign
from lab.benchmarks import drawn as page
from lab.benchmarks import lost
from lab.campaign.drawn import _is_at_work, _share, drawn
from lab.campaign.laws import trajectory, true_law
from tests.every import every

KINDS = {"x": 5.0, "1": 3.0, "x*y": 2.0, "y**2/(params[0] + y**2)": 1.0}
T = np.linspace(0.0, 10.0, 200)
U = safe_names(["u"]).symbols


def test_a_seed_is_a_law_and_another_seed_another_one():
    assert drawn(3, KINDS) == drawn(3, KINDS)
    assert drawn(3, KINDS).equations != drawn(4, KINDS).equations


@pytest.mark.parametrize("seed", range(8))
def test_a_law_can_be_followed_and_has_the_terms_that_were_asked_for(seed):
    case = drawn(seed, KINDS)
    t, x = trajectory(case, 0, "id")
    assert len(t) == len(x) == case.points
    assert every(spread > 0.0 for spread in np.ptp(x, axis=0))
    shapes = {re.sub("[uvw]", "y", part[0]) for parts in true_law(case) for part in parts}
    assert every(re.fullmatch(r"y|1|y\*y|y\*\*2/\(.+\)|(y\*)?sin\(.+\)", shape) for shape in shapes), shapes


def kept(terms, begin=2.0):
    return _is_at_work([terms], U, np.array([begin]), T, np.array([100.0]))


def test_only_laws_are_kept_whose_every_term_is_at_work():
    x, one, square = (Skeleton(text) for text in ("u", "1", "u**2"))
    falls = (x, -0.3, ())
    assert kept([falls])
    assert not kept([(one, 0.0, ()), falls])
    assert not kept([(square, 1e-6, ()), falls])


def test_a_law_that_rests_or_blows_up_is_not_kept():
    x, square = Skeleton("u"), Skeleton("u**2")
    assert not kept([(x, -1e-4, ())])
    assert not kept([(x, -20.0, ())])
    assert not kept([(square, 1.0, ())])


@pytest.mark.parametrize("seed", range(6))
def test_what_leaves_one_state_enters_the_other(seed):
    law = [[(Skeleton("u*v"), -0.5, ())], [(Skeleton("v"), 0.1, ())]]
    _share(np.random.default_rng(seed), law)
    left, right = ({skeleton: factor for skeleton, factor, _ in terms} for terms in law)
    (flow,) = left.keys() & right.keys()
    assert -1.0 <= min(left[flow] / right[flow], right[flow] / left[flow], key=abs) < 0.0


def test_a_rhythm_drives_some_laws():
    driven = ["sin(" in "".join(drawn(seed, KINDS).equations) for seed in range(12)]
    assert 0 < sum(driven) < 6


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_a_run_of_one_says_what_came_of_it(noise):
    case = drawn(0, {"x": 1.0, "1": 1.0})
    task = campaign.Task("drawn", case, noise=noise, words="none", seed=1)
    row = page.outcome(task)
    assert row["right"]
    assert row["verdict"] == ""
    assert row["true"] == list(case.equations)


def test_a_wrong_law_is_compared_with_the_true_one():
    case = campaign.Case(
        "own", "", "", drawn(0, {"x": 1.0}).states[:1], ("0.5 - 0.4*u",), ((4.0,),), (0.0, 10.0), (0.0, 10.0), 200
    )
    task = campaign.Task("drawn", case, noise=0.02, words="none", seed=1)
    assert lost.compared(task, {"law": ["-0.3*u"]})["verdict"] == lost.SEARCH
