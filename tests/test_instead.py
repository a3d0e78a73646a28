"""Another structure of the front in the place of the best one: compared in words, simulated, with what it would add."""

import pytest

from dolq_core import runs
from dolq_core.views.rivals import Alternative, alternative
from dolq_core.views.trajectories import curves
from tests.app.scenes import two_attempts


def instead(run: runs.Run, *terms: str) -> Alternative:
    return alternative(run, (0, tuple(sorted(terms))))


def test_a_smaller_structure_says_what_it_lacks_and_how_much_more_it_misses():
    found = instead(two_attempts(["x", "x**2"], ["x"]), "x")
    assert found.words.startswith("It lacks x**2. Its cross-validated error is over 1000 times that of the best.")
    assert found.words.endswith("The terms saved do not make up for that.")
    assert not found.is_best


def test_a_larger_structure_says_what_it_adds_and_what_that_costs():
    found = instead(two_attempts(["x", "x**2"], ["x", "x**2", "1"]), "x", "x**2", "1")
    assert found.words.startswith("It has a constant besides.")
    assert found.words.endswith("The gain is less than its terms cost.")


def test_another_structure_of_the_same_size_says_what_stands_for_what():
    found = instead(two_attempts(["x", "x**2"], ["x", "sin(x)"]), "x", "sin(x)")
    assert found.words.startswith("It has sin(x) in place of x**2.")
    assert found.words.endswith("At this size the best fits better.")


def test_the_system_is_simulated_with_it_in_the_place_of_the_best():
    run = two_attempts(["x", "x**2"], ["x"])
    (curve,), (best,) = instead(run, "x").curves, curves(run)
    assert curve.nmse[0] > 0.01 > best.nmse[0]


def test_the_best_itself_is_not_compared_with_itself():
    found = instead(two_attempts(["x", "x**2"], ["x"]), "x", "x**2")
    assert (found.is_best, found.words, found.curves) == (True, "This is the best equation.", ())


def test_a_structure_that_was_never_visited_is_no_structure_of_the_front():
    with pytest.raises(KeyError):
        instead(two_attempts(["x", "x**2"], ["x"]), "cos(x)")
