"""Rivals of a law under noise: other functions that are as likely, and not the law in other words."""

from types import SimpleNamespace

import numpy as np
import pytest

from dolq_core.fitting import Workbench
from dolq_core.fitting.prior import Prior
from dolq_core.fitting.ranking import DOUBTFUL
from dolq_core.fitting.rivals import CLOSE, Fields, comes_to, differ, rivals_of_system
from dolq_core.records import FittedTerm
from tests.test_likelihood import noisy


@pytest.mark.parametrize(("inflow", "rivals"), [(0.003, 1), (0.0, 0)])
def test_a_law_with_a_further_term_is_a_rival_only_where_the_two_are_as_likely(inflow, rivals):
    given = noisy(lambda _, x: [inflow - 0.5 * x[0]], [2.0], 8.0, sigma=0.03, points=200, names=("x0",), seed=3)
    like, prior = Workbench.of(given.dataset).likelihoods[0], Prior(given)
    plain = like.judged(((FittedTerm("x0", -0.5, None),),))
    more = like.judged(((FittedTerm("1", 0.03, None), FittedTerm("x0", -0.5, None)),))
    (found,) = rivals_of_system(like, plain, prior)
    assert (like.length(more, prior) - like.length(plain, prior) <= DOUBTFUL) == bool(rivals)
    assert len(found.close) == rivals


def test_laws_that_part_beyond_a_narrow_range_of_data_are_rivals():
    """Between 7.3 and 9.5 a parabola says what the law of a budworm says; ten other laws do as well."""
    given = noisy(lambda _, x: [0.5 * x[0] * (1.0 - x[0] / 10.0) - x[0] ** 2 / (1.0 + x[0] ** 2)], [9.5], 20.0,
                  sigma=0.01, names=("x0",))  # fmt: skip
    bench = Workbench.of(given.dataset)
    like, prior = bench.likelihoods[0], Prior(given)
    parabola = like.judged(
        ((FittedTerm("1", -0.9, None), FittedTerm("x0", 0.5, None), FittedTerm("x0**2", -0.05, None)),)
    )
    other = like.judged(
        ((FittedTerm("1/x0", -2.3, None), FittedTerm("x0", 0.4, None), FittedTerm("x0**2", -0.05, None)),)
    )
    assert abs(like.length(parabola, prior) - like.length(other, prior)) < CLOSE
    best = min((parabola, other), key=lambda judged: like.length(judged, prior))
    (found,) = rivals_of_system(like, best, prior)
    assert found.close


@pytest.mark.parametrize(("level", "rivals"), [(293.0, 1), (0.5, 0)])
def test_curves_over_little_of_a_level_are_rivals_though_they_are_nearly_one_function(level, rivals):
    """A body that radiates, in kelvins: a square or a cube of 293 to 313 K, either with a line."""
    given = noisy(lambda _, x: [-0.02 * (x[0] - level) - 1e-9 * (x[0] ** 4 - level**4)], [level + 20.0], 60.0,
                  sigma=0.01, points=300, names=("x0",))  # fmt: skip
    like, prior = Workbench.of(given.dataset).likelihoods[0], Prior(given)
    line = (FittedTerm("1", 0.02 * level, None), FittedTerm("x0", -0.02, None))
    square, cube = (like.judged(((*line, FittedTerm(f"x0**{power}", -1e-9, None)),)) for power in (2, 3))
    assert abs(like.length(square, prior) - like.length(cube, prior)) < CLOSE
    best = min((square, cube), key=lambda judged: like.length(judged, prior))
    (found,) = rivals_of_system(like, best, prior)
    assert len(found.close) == rivals


@pytest.mark.parametrize(
    ("wide", "plain", "comes"),
    [
        ("x0/(params[0] + x0)", "x0", True),
        ("x0**params[0]", "x0**2", True),
        ("x0**params[0]", "x0**1.5", True),
        ("x0**params[0]", "x0**0.3333333333333333", False),  # a third is a guess where the samples say 0.3 to 0.4
        ("sin(params[0]*x0)", "x0", True),
        ("x0/(params[0] + x0)", "x0**2", False),
        ("x0**params[0]", "x0*x1", False),
    ],
)
def test_a_term_comes_to_a_plainer_one_at_a_limit_of_its_number(wide, plain, comes):
    rng = np.random.default_rng(0)
    at = rng.uniform(0.5, 3.0, size=(2, 200)), np.zeros(200)
    one = (FittedTerm(wide, 1.0, None, (1.7,)),)
    assert comes_to(one, (FittedTerm(plain, 1.0, None),), ("x0", "x1"), at) == comes


def test_the_same_law_with_a_number_at_its_limit_is_no_rival():
    """Uptake that saturates far above the data is the uptake in proportion that was found."""
    words = "An enzyme takes it up; uptake saturates."
    given = noisy(lambda _, x: [-0.5 * x[0]], [2.0], 8.0, points=300, description=words, names=("x0",), seed=1)
    like, prior = Workbench.of(given.dataset).likelihoods[0], Prior(given)
    plain = like.judged(((FittedTerm("x0", -0.5, None),),))
    level = like.judged(((FittedTerm("x0/(params[0] + x0)", -500.0, None, (1000.0,)),),))
    assert like.length(plain, prior) < like.length(level, prior) < like.length(plain, prior) + CLOSE
    (found,) = rivals_of_system(like, plain, prior)
    assert found.close == ()


@pytest.mark.parametrize(
    ("rival", "behind", "gain", "counts"),
    [
        ((("x0/(params[0] + x0)", (30.0,)),), 5.0, 1.0, False),  # comes to the law, and is less likely
        ((("x0/(params[0] + x0)", (30.0,)),), 1.0, 1.0, False),  # as likely, by its name alone
        ((("x0/(params[0] + x0)", (30.0,)),), 1.0, 3.0, True),
        ((("1", ()), ("x0", ())), 5.0, 3.0, False),
        ((("1", ()), ("x0", ())), 1.0, 1.0, False),
        ((("1", ()), ("x0", ())), 1.0, 3.0, True),
        ((("x0**2", ()),), 5.0, -1.0, True),  # another law with as many numbers
        ((("x0**3/(params[0] + x0)", (30.0,)),), 5.0, 1.0, True),  # another law at every limit
        ((("x0**2", ()),), 7.0, -1.0, False),
    ],
)
def test_what_says_the_same_and_more_counts_where_more_is_significant(rival, behind, gain, counts):
    own = SimpleNamespace(system=((FittedTerm("x0", -1.0, None),),), fit=10.0)
    other = SimpleNamespace(system=(tuple(FittedTerm(s, -31.0, None, inner) for s, inner in rival),), fit=10.0 - gain)
    lengths = {id(own): 20.0, id(other): 20.0 + behind}
    data = SimpleNamespace(inputs=np.zeros((50, 0)), t=np.linspace(0.0, 5.0, 50))
    like = SimpleNamespace(known=[own, other], symbols=("x0",), data=data, smooth=np.linspace(0.5, 9.0, 50)[:, None],
                           length=lambda judged, _: lengths[id(judged)], ghosts=lambda _: frozenset())  # fmt: skip
    prior = SimpleNamespace(is_natural=lambda *_: True, expects=lambda *_: True)
    (found,) = rivals_of_system(like, own, prior)
    assert (found.close == (other,)) == counts


def test_laws_are_held_against_all_others_at_once_as_they_are_one_by_one():
    rng = np.random.default_rng(4)
    bases = rng.normal(size=(90, 40)) * 10.0 ** rng.uniform(-3.0, 3.0, size=(90, 1))
    near = bases * (1.0 + 0.02 * rng.normal(size=(90, 1)))  # about half of them within 2 % of their own
    rows = np.concatenate((bases, near))[rng.permutation(180)]
    rows[5, :10] = np.nan
    rows[6, :30] = np.nan
    rows[7, 3] = np.inf
    rows[8] = 1e200
    fields, kept = Fields(40), []
    for row in rows:
        is_new = all(differ(row, other) for other in kept)
        assert fields.add(row) == is_new
        kept += [row] if is_new else []
    assert 100 < len(kept) < 180
