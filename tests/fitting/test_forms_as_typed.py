"""Laws as textbooks write them: their numbers are found whatever the unit of the samples is."""

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson

from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.records import Dataset, Trajectory, Variable
from dolq_core.terms import parse_term

GAUSS = lambda x: 3.0 * np.exp(-(((x - 1.1) / 0.4) ** 2))  # noqa: E731
HILL = lambda x: 2.0 * x**2.4 / (0.8**2.4 + x**2.4)  # noqa: E731
FORMS = {
    "V*x**n/(K**n + x**n)": HILL,
    "V*(x/K)**n/(1 + (x/K)**n)": HILL,
    "V*K**n/(K**n + x**n)": lambda x: 2.0 / (1.0 + x**3),
    "V/(1 + (x/K)**n)": lambda x: 2.0 / (1.0 + x**3),
    "V*x/(K + x + x**2/L)": lambda x: 2.0 * x / (0.3 + x + x**2 / 1.2),
    "a*x**2/(b**2 + x**2)": lambda x: 3.0 * x**2 / (1.0 + x**2),
    "a*x/(1 + (x/b)**2)": lambda x: 3.0 * x / (1.0 + x**2),
    "a*x/(1 + a*h*x)": lambda x: 2.0 * x / (0.5 + x),
    "r*x*(1 - x/K)": lambda x: 3.0 * x * (1.0 - x / 1.7),
    "r*x*(1 - (x/K)**m)": lambda x: 3.0 * x * (1.0 - (x / 1.5) ** 1.7),
    "r*x*(1 - x/K)*(x/A - 1)": lambda x: 3.0 * x * (1.0 - x / 1.7) * (x / 0.5 - 1.0),
    "a*exp(-((x - m)/w)**2)": GAUSS,
    "a*exp(-(x - m)**2/(2*w**2))": GAUSS,
    "a/(1 + exp(-(x - h)/w))": lambda x: 3.0 / (1.0 + np.exp(-(x - 1.1) / 0.2)),
    "a*exp(-E/(8.314*x))": lambda x: 2.0 * np.exp(-3.0 / x),
    "a*sin(2*pi*t/P)": lambda _: np.sin(1.3 * FINE),
    "a*sin(2*pi*f*t)": lambda _: np.sin(1.3 * FINE),
    "a*x*(1 + b*cos(2*pi*t/P))": lambda x: x * (1.0 + 0.4 * np.cos(1.7 * FINE)),
}
FINE = np.linspace(0.0, 20.0, 4001)
X = 1.0 + 0.8 * np.sin(0.9 * FINE) * np.cos(0.23 * FINE)


@pytest.mark.parametrize("size", [1e-3, 60.0, 7e4])
@pytest.mark.parametrize("typed", FORMS)
def test_a_law_as_it_is_written_is_fitted_to_the_noise(typed, size):
    y = cumulative_simpson(FORMS[typed](X), x=FINE, initial=0.0)
    whole = np.column_stack([size * X, y])[::10]
    whole = whole + 0.01 * whole.std(axis=0) * np.random.default_rng(0).normal(size=whole.shape)
    run = Trajectory(frozen(FINE[::10]), frozen(whole))
    bench = Workbench.of(Dataset("forms", Variable("t", "t"), (Variable("x", "x"), Variable("y", "y")), (run,)))
    fit = bench.fit(1, [parse_term(typed, bench.names, letters=True).skeleton])
    assert not fit.failure
    assert fit.floor_ratio < 1.5
