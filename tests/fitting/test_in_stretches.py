"""In chaos no whole run is followed, and noise in a fast curve spoils its rates: stretches of the run tell the law."""

from math import sin

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from dolq_core.fitting import Workbench
from dolq_core.fitting.in_stretches import STRETCHES, in_stretches
from dolq_core.records import AT_FLOOR, Dataset, Trajectory, Variable
from dolq_core.terms import Skeleton
from tests.every import every

LAW = ({"x": -10.0, "y": 10.0}, {"x": 28.0, "x*z": -1.0, "y": -1.0}, {"x*y": 1.0, "z": -8 / 3, "y*sin(x + z)": 1.5})


@pytest.fixture(scope="module")
def bench() -> Workbench:
    """Lorenz's system with a fast wave in one rate, 2 % of noise."""

    def rates(_: float, s: np.ndarray) -> tuple[float, float, float]:
        x, y, z = s.tolist()
        return 10 * (y - x), 28 * x - x * z - y, x * y - 8 / 3 * z + 1.5 * y * sin(x + z)

    t = np.linspace(0.0, 20.0, 2000)
    x = solve_ivp(rates, (0.0, 20.0), (-8.0, 8.0, 27.0), "LSODA", t_eval=t, rtol=1e-10, atol=1e-10).y.T
    x = x + 0.02 * x.std(axis=0) * np.random.default_rng(0).normal(size=x.shape)
    states = tuple(Variable(name, name) for name in "xyz")
    return Workbench.of(Dataset("lorenz with a wave", Variable("t", "t"), states, (Trajectory(t, x),)))


def fitted(bench: Workbench, laws) -> list:
    return [bench.fit(j, [Skeleton(name) for name in law]) for j, law in enumerate(laws)]


def test_a_law_that_misses_its_rates_is_fitted_where_it_explains_stretches(bench):
    rates = fitted(bench, LAW)
    assert rates[2].floor_ratio > AT_FLOOR
    found = in_stretches(bench, rates)
    assert every(fit.strategy == STRETCHES and fit.floor_ratio <= AT_FLOOR for fit in found)
    for fit, own in zip(found, LAW, strict=True):
        for term in fit.terms:
            assert term.coefficient == pytest.approx(own[term.skeleton], abs=4.0 * term.std_error)
            assert term.std_error < 0.01 * abs(term.coefficient)


def test_a_law_that_explains_no_stretch_is_not(bench):
    wrong = (*LAW[:2], {"x*y": 1.0, "z": -8 / 3, "y": 1.0})
    assert in_stretches(bench, fitted(bench, wrong)) == ()


def test_a_refit_that_follows_no_whole_run_falls_back_on_stretches(bench, monkeypatch):
    rates = fitted(bench, LAW)
    monkeypatch.setattr(bench._trajectories, "refine", lambda *_: ((), ()))
    assert bench.refine(rates) == in_stretches(bench, rates) != ()
