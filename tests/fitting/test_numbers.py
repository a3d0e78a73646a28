"""Numbers of a law: their slopes, errors and places, what is declared of them, and how well one of them is told."""

from itertools import pairwise
from math import inf, log, nan

import numpy as np
import pytest

from dolq_core.fitting.by_condition import columns_of, nats_of, shared_by
from dolq_core.fitting.coefficients import Fitted, bare_terms, rows_of, slopes_of, split, with_errors
from dolq_core.fitting.coefficients import with_systematic_errors as with_system
from dolq_core.fitting.equal import equal
from dolq_core.fitting.profile import profile
from dolq_core.fitting.restriction import Restriction, places_of, restriction_of
from dolq_core.fitting.whole_runs import Laws, numbers_of, with_numbers
from dolq_core.numerics.least_squares import least_squares
from dolq_core.numerics.shooting import Shot
from dolq_core.records import Blocks, Bound, EquationBlocks, EquationFit, FittedTerm, Tie

HALF = "x/(params[0] + x)"
SYSTEM = ((FittedTerm("x", 2.0), FittedTerm("x*y", -0.5)), (FittedTerm("exp(params[0]*y)", 3.0, None, (-0.7,)),))


# --- slopes and errors ------------------------------------------------------------------------------


def test_the_slope_of_a_column_is_its_derivative_by_each_number_inside():
    x = np.linspace(1.0, 3.0, 5)
    own, other = slopes_of(lambda p: p[0] ** 2 * x + p[1] * x**2, (3.0, -2.0))
    assert own == pytest.approx(6.0 * x, rel=1e-6)
    assert other == pytest.approx(x**2, rel=1e-6)
    (at_zero,) = slopes_of(lambda p: 4.0 * p[0] * x, (0.0,))
    assert at_zero == pytest.approx(4.0 * x, rel=1e-3)


@pytest.mark.parametrize("ends", [1.9999999, 2.0000001])
def test_a_column_that_is_not_finite_beside_a_number_has_no_slope(ends):
    assert slopes_of(lambda p: None if (p[0] - 2.0) * (ends - 2.0) > 0.0 else np.ones(3), (2.0,)) == [None]


def test_errors_of_all_numbers_are_those_of_one_fit():
    rng = np.random.default_rng(0)
    a, slopes = rng.normal(size=(2, 40)), rng.normal(size=(1, 40))
    b = np.array([1.5, -2.0]) @ a + 0.1 * rng.normal(size=40)
    linear = least_squares(a, b, 20.0)
    found, inner = with_errors(linear, a, slopes, b, 20.0)
    joint = np.vstack((a, slopes))
    spread = float(linear.residual @ linear.residual) / (20.0 - 3)
    errors = np.sqrt(spread * np.diag(np.linalg.inv(joint @ joint.T)))
    assert found.std_errors == pytest.approx(errors[:2])
    assert inner == pytest.approx(errors[2:])
    assert found.coefficients is linear.coefficients


def test_numbers_are_cut_by_term_and_errors_that_are_not_known_are_none():
    assert split(np.array([1.0, 2.0, 3.0]), [0, 2, 1]) == ((), (1.0, 2.0), (3.0,))
    linear = least_squares(np.ones((2, 3)), np.ones(3))
    found = Fitted(linear, ((), (1.0, 2.0)), np.ones((2, 3)), np.array([0.1, inf]))
    first, second = bare_terms(["x", "y"], found)
    assert (first.inner, first.inner_errors) == ((), ())
    assert (second.inner, second.inner_errors) == ((1.0, 2.0), (0.1, None))
    assert rows_of(np.array([[1.0, nan], [nan, nan]])) == ((1.0, None), (None, None))
    assert rows_of(np.full((2, 2), nan)) == ()


def test_an_error_of_clean_data_is_never_below_what_the_blocks_and_the_digits_say():
    terms = [FittedTerm("x", 4.0, 3e-3), FittedTerm("y", 4.0, None), FittedTerm("z", 0.0, 0.5, (2.0,), (3e-11,))]
    x, y, z = with_system(terms, np.array([1000.0, 1000.0, 0.0]))
    assert x.std_error == pytest.approx(5e-3, rel=1e-6)
    assert y.std_error is None
    assert z.std_error == 0.5
    assert z.inner_errors == (pytest.approx(np.hypot(3e-11, 2e-11)),)


# --- a system's numbers in a row --------------------------------------------------------------------


def test_numbers_of_a_system_go_out_and_come_back_in_their_places():
    theta = numbers_of(SYSTEM)
    assert theta.tolist() == [2.0, -0.5, 3.0, -0.7]
    (x, both), (y,) = with_numbers(SYSTEM, theta + 1.0, np.array([0.1, inf, 0.3, 0.4]))
    assert [(t.coefficient, t.std_error) for t in (x, both, y)] == [(3.0, 0.1), (0.5, None), (4.0, 0.3)]
    assert (y.inner, y.inner_errors) == ((pytest.approx(0.3),), (0.4,))
    assert with_numbers(SYSTEM, theta) == SYSTEM
    assert places_of(["x", HALF, "y"]) == [0, 1, 3]


def test_right_sides_and_their_slopes_are_those_of_the_terms():
    law, theta = Laws(SYSTEM, ("x", "y")), numbers_of(SYSTEM)
    values, t = np.array([[1.0, 2.0, 3.0], [0.5, 0.2, 0.1]]), np.arange(3.0)
    x, y = values
    decay = np.exp(-0.7 * y)
    rates, by_state, by_theta = law.slopes(values, t, theta, np.array([1e-6, 1e-6]))
    assert rates == pytest.approx(np.array([2.0 * x - 0.5 * x * y, 3.0 * decay]))
    assert law.rates(values, t, theta) == pytest.approx(rates)
    flat = np.zeros(3)
    expected = np.array([[2.0 - 0.5 * y, -0.5 * x], [flat, -2.1 * decay]])
    assert by_state == pytest.approx(expected, rel=1e-5, abs=1e-9)
    expected = np.array([[x, x * y, flat, flat], [flat, flat, decay, 3.0 * y * decay]])
    assert by_theta == pytest.approx(expected, rel=1e-5, abs=1e-9)


# --- what is declared -------------------------------------------------------------------------------

RULE = Restriction(
    np.array([1.0, 0.0, 0.0]),
    np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]),
    np.array([0.0, -inf]),
    np.array([5.0, 2.0]),
)


def test_numbers_that_are_left_are_taken_to_their_limits():
    assert RULE.full(np.array([9.0, 9.0])).tolist() == [1.0, 10.0, 2.0]
    assert RULE.full(np.array([-1.0, -9.0])).tolist() == [1.0, 0.0, -9.0]
    assert RULE.reduced(np.array([7.0, 3.0, 1.0])).tolist() == pytest.approx([1.5, 1.0])
    assert RULE.reduced(np.array([7.0, 30.0, nan])).tolist() == pytest.approx([5.0, 0.0])
    assert RULE.moves.tolist() == [False, True, True]
    assert RULE.at_limits(np.array([0.0, 0.0])).tolist() == [True, False]
    assert RULE.at_limits(np.array([5.0, 2.0 - 1e-12])).tolist() == [True, True]
    assert RULE.at_limits(np.array([4.9, 1.9])).tolist() == [False, False]


def test_what_is_held_is_fitted_no_more():
    held = RULE.held(np.array([9.0, 1.0]), np.array([True, False]))
    assert held.fixed.tolist() == [1.0, 10.0, 0.0]
    assert (held.free.T.tolist(), held.low.tolist(), held.high.tolist()) == ([[0.0, 0.0, 1.0]], [-inf], [2.0])


def test_a_number_that_is_not_fitted_has_no_error():
    found = RULE.covariance(np.array([[4.0, 1.0], [1.0, inf]]))
    assert np.diag(found).tolist() == [inf, 16.0, inf]
    assert RULE.covariance(np.array([[4.0, 1.0], [1.0, 9.0]]))[1:, 1:].tolist() == [[16.0, 2.0], [2.0, 9.0]]


def test_known_coefficients_limits_and_ties_become_a_rule():
    own = EquationBlocks(0, fixed=(("1", 3.0),), bounds=(Bound(HALF, low=-2.0), Bound(HALF, 0.5, 4.0, inner=0)))
    law = [(0, "1"), (0, HALF), (1, HALF)]
    blocks = Blocks(equations=(own,), ties=(Tie((0, HALF), (1, HALF), -2.0),))
    rule = restriction_of(blocks, law)
    theta = rule.full(rule.reduced(np.array([9.0, 1.5, 2.0, -3.0, 2.0])))
    assert theta.tolist() == pytest.approx([3.0, 1.5, 2.0, -3.0, 2.0])
    low = rule.full(np.full(2, -100.0))
    assert low.tolist() == pytest.approx([3.0, -2.0, 0.5, 4.0, 0.5])
    assert rule.full(np.full(2, 100.0))[[2, 4]].tolist() == pytest.approx([4.0, 4.0])
    assert restriction_of(blocks, [(1, "x")]) is None
    assert restriction_of(Blocks(), law) is None
    (one,) = {restriction_of(Blocks(), [(0, "x")], {0: 7.0}).full(np.empty(0)).item()}
    assert one == 7.0


def test_numbers_of_conditions_stand_once_where_they_are_the_same():
    assert columns_of([True, False, False], 2).tolist() == [[0, 1, 2], [0, 3, 4]]
    rule = Restriction(np.array([0.0, 1.0]), np.eye(2), np.array([-1.0, -2.0]), np.array([1.0, 2.0]))
    shared = shared_by(rule, [True, False], 2)
    assert shared.fixed.tolist() == [0.0, 1.0, 0.0, 1.0]
    assert shared.free.tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]
    assert (shared.low.tolist(), shared.high.tolist()) == ([-1.0, -2.0, -2.0], [1.0, 2.0, 2.0])
    assert shared.full(np.array([9.0, 0.5, -3.0])).tolist() == [1.0, 1.5, 1.0, -1.0]
    assert nats_of(np.array([2.0, 0.0]), np.array([3.0, 1.0])) == pytest.approx(3.0 * log(2.0) + log(1e-8))
    assert nats_of(np.array([inf, 1.0]), np.array([3.0, 1.0])) == inf


# --- equal numbers ----------------------------------------------------------------------------------


def pair(one, other, inner=(), other_inner=()):
    skeleton = f"{HALF}" if inner else "x"
    return ((FittedTerm(skeleton, one, None, inner),), (FittedTerm(skeleton, other, None, other_inner),))


def spread(*errors, together=0.0):
    found = np.diag(np.square(errors))
    found[0, -1] = found[-1, 0] = together
    return found


NAMES = ("x", "y")
SAVED = 0.5 * log(500)


def test_an_equality_is_worth_the_numbers_it_saves_less_what_it_takes_to_say_it():
    (found,) = equal(pair(1.0, -1.0), spread(0.1, 0.1), NAMES, 500)
    assert found.gain == pytest.approx(SAVED - 2.0)
    assert (found.first, found.second, found.outer, found.inner, found.apart) == ((0, 0), (1, 0), True, False, 0.0)
    (found,) = equal(pair(1.0, 1.1), spread(0.1, 0.1), NAMES, 500)
    assert found.gain == pytest.approx(SAVED - 2.0 - 0.25)
    assert found.apart == pytest.approx(0.5**0.5)


@pytest.mark.parametrize(("other", "together"), [(1.1, 0.005), (-1.1, -0.005)])
def test_numbers_that_err_together_are_told_apart_more_sharply(other, together):
    (found,) = equal(pair(1.0, other), spread(0.1, 0.1, together=together), NAMES, 500)
    assert found.apart == pytest.approx(1.0)


@pytest.mark.parametrize(("error", "known"), [(0.3, True), (0.36, False)])
def test_only_numbers_three_errors_from_zero_are_equal_to_others(error, known):
    assert bool(equal(pair(1.0, 1.0), spread(error, 0.1), NAMES, 500)) == known
    assert bool(equal(pair(1.0, 1.0), spread(0.1, error), NAMES, 500)) == known


def test_numbers_inside_are_equal_by_themselves_where_the_coefficients_differ():
    (both,) = equal(pair(2.0, 2.0, (1.0,), (1.0,)), spread(*[0.1] * 4), NAMES, 500)
    assert (both.outer, both.inner) == (True, True)
    assert both.gain == pytest.approx(2.0 * SAVED + 1.5 - 2.0)
    (within,) = equal(pair(2.0, 5.0, (1.0,), (1.0,)), spread(*[0.1] * 4), NAMES, 500)
    assert (within.outer, within.inner) == (False, True)
    assert within.gain == pytest.approx(SAVED + 1.5 - 2.0)
    (outside,) = equal(pair(2.0, 2.0, (1.0,), (4.0,)), spread(*[0.1] * 4), NAMES, 500)
    assert (outside.outer, outside.inner) == (True, False)


def test_terms_of_one_equation_are_not_compared_and_mirror_images_are():
    same = (FittedTerm("x", 1.0), FittedTerm("x*y", 1.0))
    assert equal((same, ()), np.diag([0.01] * 2), NAMES, 500) == []
    mirrored = ((FittedTerm("x**2*y", 1.0),), (FittedTerm("y", 2.0), FittedTerm("x*y**2", 1.0)))
    (found,) = equal(mirrored, np.diag([0.01] * 3), NAMES, 500)
    assert (found.first, found.second) == ((0, 0), (1, 1))


def test_of_several_equal_numbers_the_nearest_is_named():
    x = FittedTerm("x", 1.0)
    three = ((FittedTerm("x", 1.05),), (x,), (x,))
    found = equal(three, np.diag([0.05] * 3) ** 2, ("x", "y", "z"), 500)
    assert [(one.first, one.second) for one in found] == [((0, 0), (1, 0)), ((1, 0), (2, 0))]


# --- how well a number is told ----------------------------------------------------------------------


class Parabola:
    """Runs whose misfit rises by `steep` (value - best)**2 nats."""

    def __init__(self, best=1.0, steep=50.0, ends=inf, shorter=inf):
        self.best, self.steep, self.ends, self.shorter, self.asked = best, steep, ends, shorter, []

    def held(self, fits, place, value):
        self.asked.append(value)
        error = np.exp(2.0 * self.steep * (value - self.best) ** 2 / 100.0) if value < self.ends else inf
        return Shot(np.array([value]), np.eye(1), np.ones((1, 1)), np.array([error]), np.array([100.0]),
                    50 if value > self.shorter else 100)  # fmt: skip


LAW = [EquationFit(0, (FittedTerm("x", 1.0),), 1.0, 1.0, 1.0, 1.0, 0.0)]


def test_a_number_is_followed_until_the_data_speak_against_it():
    found = profile(Parabola(), LAW, 0, 0.1)
    reach = 0.1 * (2.0 * 1.92) ** 0.5  # half the 95 % point of chi squared
    assert (found.low, found.high) == pytest.approx((1.0 - reach, 1.0 + reach))
    assert found.values.tolist() == pytest.approx([1.0 + 0.05 * k for k in range(-6, 7)])
    assert found.nats == pytest.approx(50.0 * (found.values - 1.0) ** 2, abs=1e-9)


def test_what_is_lost_counts_from_the_best_value_wherever_that_is():
    found = profile(Parabola(best=1.1), LAW, 0, 0.1)
    assert found.nats.min() == pytest.approx(0.0, abs=1e-9)
    assert (found.low + found.high) / 2.0 == pytest.approx(1.1)


def test_where_the_data_never_speak_against_a_number_there_is_no_end():
    found = profile(Parabola(steep=0.0), LAW, 0, 0.1)
    assert (found.low, found.high) == (None, None)
    steps = [round(float(b - a) / 0.05, 9) for a, b in pairwise(found.values[12:])]
    assert steps == pytest.approx([1.0] * 7 + [1.5**k for k in range(1, 6)])


@pytest.mark.parametrize(
    ("error", "own", "step"), [(None, 1.0, 0.05), (None, 0.0, 0.05), (None, -4.0, 0.2), (0.4, 1.0, 0.2)]
)
def test_the_first_step_is_half_an_error_or_a_twentieth_of_the_number(error, own, step):
    law = [EquationFit(0, (FittedTerm("x", own),), 1.0, 1.0, 1.0, 1.0, 0.0)]
    runs = Parabola(best=own, steep=0.0)
    profile(runs, law, 0, error)
    assert runs.asked[:2] == pytest.approx([own, own - step])


def test_a_side_ends_where_no_run_can_be_followed_or_only_shorter_ones():
    for runs in (Parabola(steep=0.0, ends=1.12), Parabola(steep=0.0, shorter=1.12)):
        found = profile(runs, LAW, 0, 0.1)
        assert found.values[-1] == pytest.approx(1.1)
        assert found.high is None
    assert profile(Parabola(ends=0.0), LAW, 0, 0.1) is None
