"""The exact scorer knows a right law from one that only looks like it."""

import pytest

from dolq_core.laws import compared, is_exact
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import parse_term, safe_names
from lab.campaign.expand import expanded

NAMES = safe_names(["x0", "x1"])


def skeletons(*texts):
    return [parse_term(text, NAMES).skeleton for text in texts]


def fitted(*terms):
    return EquationFit(0, tuple(FittedTerm(s, 1.0, None, inner) for s, inner in terms), 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("slope", "offset", "exact"), [(4.9, 1.4, True), (4.7, 1.4, True), (4.2, 1.4, False), (4.89, 1.0, False)]
)
def test_constants_inside_a_term_count_within_five_percent(slope, offset, exact):
    sigmoid = parse_term("1/(1 + exp(-params[0] + params[1]*x1))", NAMES).skeleton
    true = skeletons("1/(1 + exp(4.89*x1 - 1.4))")
    assert is_exact(fitted((sigmoid, (offset, slope))), true, NAMES) is exact


def test_powers_are_no_constants_to_be_rounded():
    missed, beyond = compared(skeletons("x0**4*x1**7"), skeletons("x0**4*x1**8"))
    assert (len(missed), len(beyond)) == (1, 1)


def test_a_term_beyond_the_true_ones_or_a_missing_one_is_named():
    missed, beyond = compared(skeletons("x0", "x1"), skeletons("x0", "x0*x1"))
    assert (missed, beyond) == (skeletons("x0*x1"), skeletons("x1"))


def test_one_true_term_matches_only_once():
    missed, beyond = compared(skeletons("sin(2*x0)", "sin(2.01*x0)"), skeletons("sin(2*x0)"))
    assert (len(missed), len(beyond)) == (0, 1)


def test_a_product_of_powers_that_nobody_may_type_is_compared_as_it_is():
    skeleton, inner = parse_term("x0**params[0]*x1**params[1]", NAMES).skeleton, (9.6, 7.7)
    assert expanded(skeleton, 2.0, inner) == ((skeleton, 2.0),)
    assert expanded(skeleton, 2.0, (1.5, 2.5)) == ((skeletons("x0**1.5*x1**2.5")[0], 2.0),)
