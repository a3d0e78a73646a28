"""A derivative that the table gives is fitted as it stands, and the evidence says so."""

import numpy as np
import pytest

from dolq_core.arrays import frozen
from dolq_core.fitting import Workbench
from dolq_core.records import Dataset, Given, Trajectory, Variable
from dolq_core.terms import parse_term

K, R = 0.7, 0.3
RNG = np.random.default_rng(3)


def skeletons(*texts, names=("x", "y")):
    return [parse_term(text, names).skeleton for text in texts]


def scattered(n=20, given=("x", "y"), noise=0.0):
    """Samples that no curve joins: derivatives of x' = -K x y, y' = R x at states drawn by chance."""
    x = RNG.uniform(0.5, 2.0, (n, 2))
    rates = np.column_stack((-K * x[:, 0] * x[:, 1], R * x[:, 0])) + noise * RNG.standard_normal((n, 2))
    for j, name in enumerate(("x", "y")):
        if name not in given:
            rates[:, j] = np.nan
    run = Trajectory(frozen(np.arange(n)), frozen(x), derivatives=frozen(rates))
    states = (Variable("x", "x"), Variable("y", "y"))
    return Dataset("d", Variable("t", "t"), states, (run,), derivatives=tuple(Given(f"d{n}", n) for n in given))


@pytest.mark.parametrize("n", [20, 200])
def test_given_derivatives_need_no_curve_through_the_samples(n):
    bench = Workbench.of(scattered(n))
    assert bench.target.kind == "given"
    fit = bench.fit(0, skeletons("x*y"))
    assert fit.terms[0].coefficient == pytest.approx(-K, rel=1e-6)
    assert fit.nmse < 1e-9
    assert bench.settle([[fit], [bench.fit(1, skeletons("x"))]])[0] is fit  # no trajectory overrules what is given
    assert not bench.refines


def test_the_evidence_names_the_columns():
    assert "The derivative of x is that of the column 'dx'." in Workbench.of(scattered()).info.reason


def test_the_floor_is_the_noise_of_what_is_given():
    bench = Workbench.of(scattered(400, noise=0.01))
    fit = bench.fit(1, skeletons("x"))
    assert fit.terms[0].coefficient == pytest.approx(R, abs=0.003)


def decay(n, kind="auto", wrong=1.0, noise=0.0):
    """x' = -K x, y' = x - R y; the given derivative of x is that of the table times `wrong`."""
    t = np.linspace(0.0, 6.0, n)
    x = np.exp(-K * t)
    y = (np.exp(-K * t) - np.exp(-R * t)) / (R - K)
    both = np.column_stack((x, y)) + noise * np.random.default_rng(0).standard_normal((n, 2))
    rates = np.column_stack((-K * x * wrong, np.full(n, np.nan)))
    run = Trajectory(frozen(t), frozen(both), derivatives=frozen(rates))
    states = (Variable("x", "x"), Variable("y", "y"))
    return Workbench.of(Dataset("d", Variable("t", "t"), states, (run,), derivatives=(Given("v", "x"),)), kind)


@pytest.mark.parametrize(("n", "kind"), [(200, "auto"), (25, "auto"), (200, "gradient")])
def test_one_given_derivative_takes_the_place_of_the_estimate_and_leaves_the_others(n, kind):
    bench = decay(n, kind, wrong=2.0)
    given, estimated = bench.fit(0, skeletons("x")), bench.fit(1, skeletons("x", "y"))
    assert given.terms[0].coefficient == pytest.approx(-2.0 * K, rel=2e-3)  # what is given counts, not the slope
    assert [term.coefficient for term in estimated.terms] == pytest.approx([1.0, -R], rel=2e-2)


def test_a_given_derivative_is_drawn_as_the_rate():
    bench = decay(200, wrong=2.0)
    assert bench.dx[0] == pytest.approx(-2.0 * K * np.exp(-K * bench.t), rel=1e-9)


def test_what_is_held_out_is_measured_on_given_derivatives_too():
    bench = Workbench.of(scattered(200), held_out=0.2)
    assert bench.fit(0, skeletons("x*y")).held_out < 1e-9
    assert bench.fit(0, skeletons("x")).held_out > 0.01


def test_scattered_samples_do_not_pass_for_noise():
    bench = Workbench.of(scattered(40))
    assert bench.fit(0, skeletons("x")).floor_ratio > 100.0
    assert bench.fit(0, skeletons("x*y")).floor_ratio < 1.5
