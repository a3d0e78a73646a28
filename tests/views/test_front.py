"""The front holds what nothing smaller beats; its knee follows the stated rule."""

from dataclasses import replace

from dolq_core.records import EquationFit, FittedTerm, Visited
from dolq_core.views.rivals import front, front_error, knee
from tests.loop.states import state_of


def fitted(size, error):
    terms = tuple(FittedTerm(f"x**{k + 1}", 1.0) for k in range(size))
    return EquationFit(0, terms, error, error, error, 1.0, 0.0)


def archive(*fits):
    return {(0, (str(i),)): Visited(fit, 1) for i, fit in enumerate(fits)}


def test_a_structure_that_a_smaller_one_beats_is_not_on_the_front():
    found = front(state_of(archive=archive(fitted(2, 0.1), fitted(3, 0.2), fitted(4, 0.01), fitted(2, 0.5))), 0)
    assert [(len(fit.terms), fit.cv_nmse) for fit in found.points] == [(2, 0.1), (4, 0.01)]
    assert len(found.dominated) == 2


def test_a_structure_that_could_not_be_fitted_is_left_out():
    found = front(state_of(archive=archive(fitted(1, float("inf")))), 0)
    assert (found.points, found.dominated, found.knee) == ((), (), None)


def test_the_knee_is_where_more_terms_stop_to_pay():
    assert knee([fitted(1, 1.0), fitted(2, 1e-6), fitted(3, 0.9e-6), fitted(6, 0.8e-6)]) == 1


def test_a_straight_or_bulging_front_has_no_knee():
    assert knee([fitted(1, 1.0), fitted(2, 0.9), fitted(3, 0.1)]) is None
    assert knee([fitted(1, 1.0), fitted(2, 0.1)]) is None


def test_the_held_out_part_decides_where_there_is_one():
    poor, good = replace(fitted(2, 0.1), held_out=0.5), replace(fitted(3, 0.2), held_out=0.01)
    found = front(state_of(archive=archive(poor, good)), 0)
    assert [front_error(fit) for fit in found.points] == [0.5, 0.01]
    wild = replace(fitted(4, 1e-9), held_out=float("inf"))
    assert wild not in front(state_of(archive=archive(poor, wild)), 0).points
