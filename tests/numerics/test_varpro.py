from itertools import pairwise

import numpy as np
import pytest

from dolq_core.numerics.varpro import Budget, Problem, _Search, project
from tests.every import every

X = np.linspace(0.1, 6.0, 200)
NONE = np.empty((0, len(X)))


def rows(column):
    """Columns (s, M) of one term for sets (s, p) of its parameters."""
    return lambda sets: np.array([column(*p) for p in sets.tolist()])


def promising(problem, starts):
    """The starts in the order of what they leave."""
    return sorted(starts, key=lambda p: np.linalg.norm(_Search(problem, p, None).projected(np.ones(len(p)))[0]))


@pytest.mark.parametrize(
    ("column", "fixed", "b", "truth", "signed", "starts"),
    [
        (lambda k: X / (k + X), NONE, 2.0 * X / (0.7 + X), 0.7, False, [0.1, 1.0, 10.0]),
        (lambda k: np.exp(k * X), X[None], np.exp(-1.3 * X) + 0.2 * X, -1.3, True, [-3.0, -0.3, 0.3]),
        (lambda k: np.sin(k * X), NONE, 0.4 * np.sin(5.1 * X), 5.1, True, np.arange(0.5, 8.0, 0.5)),
    ],
)
def test_inner_parameters_are_found_to_many_digits(column, fixed, b, truth, signed, starts):
    problem = Problem(fixed, [rows(column)], [1], b)
    found = project(problem, promising(problem, [np.array([s]) for s in starts]), [signed])
    assert found.inner == pytest.approx([truth], rel=1e-6)
    assert found.mse < 1e-15


def test_a_sigmoid_gives_both_of_its_parameters():
    sigmoid = rows(lambda a, c: 1.0 / (1.0 + np.exp(a * X - c)))
    problem = Problem(X[None], [sigmoid], [2], 1.0 / (1.0 + np.exp(4.89 * X - 1.4)) - X)
    starts = [np.array([a, c]) for a in (0.5, 2.0, 8.0) for c in (-3.0, 0.0, 3.0)]
    found = project(problem, promising(problem, starts), [True, True])
    assert found.inner == pytest.approx([4.89, 1.4], rel=1e-5)


def test_two_terms_give_a_parameter_each():
    moving = [rows(lambda k: X / (k + X)), rows(lambda w: np.cos(w * X))]
    problem = Problem(NONE, moving, [1, 1], 2.0 * X / (0.7 + X) - 0.3 * np.cos(1.9 * X))
    found = project(problem, [np.array([1.0, 2.0])], [False, True])
    assert found.inner == pytest.approx([0.7, 1.9], rel=1e-9)


def test_the_slopes_are_those_of_the_projected_residual():
    problem = Problem(X[None], [rows(lambda a, c: 1.0 / (1.0 + np.exp(a * X - c)))], [2], np.cos(X))
    search = _Search(problem, np.array([0.8, 1.2]), None)
    (residual, slopes), step = search.projected(np.ones(2)), 1e-5
    for i in range(2):
        ends = [search.projected(np.ones(2) + sign * step * np.eye(2)[i])[0] for sign in (1, -1)]
        change = (ends[0] @ ends[0] - ends[1] @ ends[1]) / (2.0 * step)
        assert 2.0 * slopes[i] @ residual == pytest.approx(change, rel=1e-5)


def test_the_slopes_hold_the_part_that_turns_with_the_columns():
    problem = Problem(NONE, [rows(lambda k: np.exp(k * X))], [1], np.cos(X))
    search, step = _Search(problem, np.array([-0.4]), None), 1e-5

    def left(v):
        a = np.exp(search.inner(np.array([v])) * X)
        b = problem.b / np.linalg.norm(problem.b)
        return b - a * (a @ b) / (a @ a)

    slope = np.linalg.norm(left(1.0 + step) - left(1.0 - step)) / (2.0 * step)
    assert np.linalg.norm(search.projected(np.ones(1))[1]) == pytest.approx(slope, rel=1e-5)


def test_a_start_without_finite_columns_costs_none_of_the_kept_ones():
    def column(k):
        return X / (k + X) if k < 5.0 else np.full_like(X, np.nan)

    problem = Problem(NONE, [rows(column)], [1], 2.0 * X / (0.7 + X))
    found = project(problem, [np.array([9.0]), np.array([1.0])], [False], Budget(starts=1))
    assert found.inner == pytest.approx([0.7], rel=1e-9)


def test_no_finite_start_is_no_fit():
    problem = Problem(NONE, [rows(lambda _: np.full_like(X, np.nan))], [1], X)
    assert project(problem, [np.array([1.0])]) is None
    assert project(problem, []) is None


def test_a_search_keeps_to_its_budget_and_more_of_it_is_never_worse():
    problem = Problem(NONE, [rows(lambda k: np.sin(k * X))], [1], 0.4 * np.sin(5.1 * X) + 0.1 * np.cos(3.0 * X))
    found = [project(problem, [np.array([4.8])], [True], Budget(1, 2 * looks)) for looks in range(2, 9)]
    assert every(one.evaluations <= 2 * looks for looks, one in enumerate(found, 2))
    assert every(b.mse <= a.mse for a, b in pairwise(found))
    assert found[-1].mse < 0.5 * found[0].mse


def test_a_parameter_without_effect_stays():
    problem = Problem(X[None], [rows(lambda k, other: np.exp(k * X) + 0.0 * other)], [2], np.exp(-1.3 * X) + 0.2 * X)
    found = project(problem, [np.array([-0.5, 2.0])], [True, True])
    assert found.inner == pytest.approx([-1.3, 2.0], rel=1e-9)
