"""The starts that are refined are those whose columns explain most, together with the fixed columns."""

import numpy as np

from dolq_core.numerics.varpro import leaders

X = np.linspace(0.1, 6.0, 150)


def test_the_best_pair_of_starts_leads():
    waves, decays = (
        np.array([np.sin(w * X) for w in (1.0, 2.0, 3.0)]),
        np.array([np.exp(-k * X) for k in (0.2, 1.0, 4.0)]),
    )
    b = 0.7 * X + 2.0 * waves[2] - decays[0]
    assert leaders(b, X[None], [waves, decays])[0] == (2, 0)


def test_the_order_is_that_of_what_is_left():
    rng = np.random.default_rng(0)
    grid, fixed, b = rng.normal(size=(9, 150)), rng.normal(size=(2, 150)), rng.normal(size=150)
    left = [np.linalg.lstsq(np.array([*fixed, row]).T, b, rcond=None)[1][0] for row in grid]
    assert [i for (i,) in leaders(b, fixed, [grid])] == np.argsort(left)[:6].tolist()


def test_a_column_that_the_fixed_ones_explain_comes_last():
    grid = np.array([2.0 * X, np.cos(X)])
    assert leaders(np.cos(X) + 0.1 * X, X[None], [grid]) == [(1,), (0,)]
