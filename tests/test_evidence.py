"""Every term is judged by the best subset that has it against the best one that has not."""

import numpy as np
import pytest

from dolq_core.fitting.evidence import Question, support
from tests.every import every

RNG = np.random.default_rng(3)
X = np.linspace(0.3, 2.0, 240)
NAMES = ("x", "x**2", "sin(x)", "tanh(x)", "x**3", "exp(-x)")
COLUMNS = np.array([X, X**2, np.sin(X), np.tanh(X), X**3, np.exp(-X)])
BLOCKS = np.arange(240) * 8 // 240


def weighed(a, b, names=NAMES, floor=1e-3):
    return support(Question(a, b, [(name, 0) for name in names], floor, 40.0, BLOCKS))


def test_a_true_term_counts_although_the_spurious_ones_together_replace_it():
    b = 1.5 * X - 0.7 * X**2 + 1e-3 * RNG.normal(size=240)
    found = weighed(COLUMNS, b)
    assert [name for name, lost in zip(NAMES, found.lost, strict=True) if lost > 0.0] == ["x", "x**2"]
    assert every(found.ratio[:2] > 1.05)
    assert every(found.ratio[2:] < 1.05)


def test_of_two_collinear_terms_neither_is_needed():
    found = weighed(np.array([X, 2.0 * X]), 3.0 * X, ("x", "sin(x)"))
    assert found.lost[0] <= 0.0 or found.lost[1] <= 0.0
    assert np.isfinite(found.ratio).all()


def test_more_terms_than_rows_give_figures_and_no_error():
    a = RNG.normal(size=(6, 4))
    found = support(Question(a, a[0], [(name, 0) for name in NAMES], 1e-3, 4.0, np.arange(4)))
    assert not np.isnan(found.ratio).any()


@pytest.mark.parametrize("count", [11, 12])
def test_beyond_ten_terms_only_single_terms_are_left_out(count):
    a = np.array([X**k for k in range(count)])
    found = weighed(a, X, [f"x**{k}" for k in range(count)])
    assert len(found.lost) == count
