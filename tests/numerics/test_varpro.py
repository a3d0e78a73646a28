import numpy as np
import pytest

from dolq_core.numerics.varpro import project

X = np.linspace(0.1, 6.0, 200)


@pytest.mark.parametrize(
    ("columns", "b", "truth", "signed", "starts"),
    [
        (lambda p: np.array([X / (p[0] + X)]), 2.0 * X / (0.7 + X), [0.7], [False], [0.1, 1.0, 10.0]),
        (lambda p: np.array([np.exp(p[0] * X), X]), np.exp(-1.3 * X) + 0.2 * X, [-1.3], [True], [-3.0, -0.3, 0.3]),
        (lambda p: np.array([np.sin(p[0] * X)]), 0.4 * np.sin(5.1 * X), [5.1], [True], np.arange(0.5, 8.0, 0.5)),
    ],
)
def test_inner_parameters_are_found_to_many_digits(columns, b, truth, signed, starts):
    found = project(columns, b, [np.array([s]) for s in starts], signed)
    assert found.inner == pytest.approx(truth, rel=1e-6)
    assert found.mse < 1e-15


def test_a_sigmoid_gives_both_of_its_parameters():
    found = project(
        lambda p: np.array([1.0 / (1.0 + np.exp(p[0] * X - p[1])), X]),
        1.0 / (1.0 + np.exp(4.89 * X - 1.4)) - X,
        [np.array([a, b]) for a in (0.5, 2.0, 8.0) for b in (-3.0, 0.0, 3.0)],
        [True, True],
    )
    assert found.inner == pytest.approx([4.89, 1.4], rel=1e-5)


def test_no_finite_start_is_no_fit():
    assert project(lambda _: None, X, [np.array([1.0])]) is None
    assert project(lambda _: None, X, []) is None
