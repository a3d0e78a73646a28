"""What sets of columns leave of a left-hand side: the same as least squares says."""

import numpy as np
import pytest

from dolq_core.agents.builtin.atoms import Atoms, least, left, left_with

RNG = np.random.default_rng(3)
A = RNG.normal(size=(9, 30))
A[4] = A[0] + 1e-9 * A[1]
B = A[:3].T @ np.array([2.0, -1.0, 0.5]) + RNG.normal(size=30)


def atoms(rows=30):
    found = Atoms(B[:rows])
    for i, row in enumerate(A[:, :rows]):
        found.add(f"x{i}", (), row)
    return found


def beyond(chosen, rows=30):
    a = A[list(chosen), :rows].T
    return float(np.sum((B[:rows] - a @ np.linalg.lstsq(a, B[:rows], rcond=None)[0]) ** 2))


@pytest.mark.parametrize("chosen", [(1,), (0, 2), (1, 2, 3, 5, 6)])
def test_what_is_left_is_that_of_least_squares(chosen):
    assert left(atoms(), chosen) == pytest.approx(beyond(chosen), rel=1e-6)
    further = left_with(atoms(), chosen)
    assert [i for i in range(9) if np.isinf(further[i])] == list(chosen) + [4] * (0 in chosen)
    for i in set(range(9)) - {*chosen, 4}:
        assert further[i] == pytest.approx(beyond((*chosen, i)), rel=1e-6)


def test_columns_that_depend_on_one_another_and_as_many_as_rows_raise_nothing():
    assert 0.0 < left_with(atoms(), (0, 1, 4))[2] <= beyond((0, 1, 2)) * 1.000001
    assert left(atoms(3), (1, 2, 3)) == left(atoms(3), (1, 2, 3, 5)) < 1e-10
    assert np.isinf(left_with(atoms(3), (1, 2, 3))).all()


def test_the_least_come_in_order_and_the_first_of_equals_first():
    values = np.array([2.0, 1.0, np.inf, 1.0, 0.0, 1.0, np.inf])
    assert [least(values, count) for count in (0, 1, 3, 4, 6, 9)] == [
        [], [4], [4, 1, 3], [4, 1, 3, 5], [4, 1, 3, 5, 0, 2], [4, 1, 3, 5, 0, 2, 6],
    ]  # fmt: skip
