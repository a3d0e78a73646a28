import numpy as np
import pytest

from dolq_core.arrays import frozen
from dolq_core.bundled import generate
from dolq_core.fitting import Workbench
from dolq_core.numerics.integrate import simulate
from dolq_core.numerics.pieces import Driven
from dolq_core.records import Dataset, Trajectory, Variable
from dolq_core.terms import parse_term


def test_a_band_holds_the_true_curve_and_is_narrower_than_the_noise():
    problem = generate(1, points=200, noise=0.05, relative=True)
    clean = generate(1, points=200).dataset.trajectories[0].x
    bench = Workbench.of(problem.dataset)
    texts = (["x0*x1"], ["x0*x1", "x1"])
    fits = [bench.fit(j, [parse_term(s, bench.names).skeleton for s in line]) for j, line in enumerate(texts)]
    low, high = bench.band(bench.refine(fits) or fits, 0)
    assert np.mean((low <= clean) & (clean <= high)) > 0.8
    assert np.all(np.mean(high - low, axis=0) < 2.0 * np.array(bench.info.noise))


@pytest.mark.parametrize("held_out", [0.0, 0.2])
def test_a_band_follows_the_inputs_through_what_is_held_out(held_out):
    t = np.linspace(0.0, 12.0, 241)
    u = np.where(t > 10.5, 1.0, 0.0) + np.sin(t)
    clean = simulate(Driven(lambda s, v: [v[1] - 0.5 * v[0]], t, u[:, None]), np.array([1.0]), t, np.array([1e3])).x
    noisy = clean + 0.03 * np.random.default_rng(0).standard_normal(clean.shape)
    run = Trajectory(frozen(t), frozen(noisy), frozen(u[:, None]))
    data = Dataset("driven", Variable("t", "t"), (Variable("x", "x"),), (run,), (Variable("u", "u"),))
    bench = Workbench.of(data, held_out=held_out)
    fit = bench.fit(0, [parse_term(s, bench.names).skeleton for s in ("x", "u")])
    low, high = bench.band(bench.refine([fit]) or [fit], 0)
    path = bench.simulate([fit], 0)
    assert np.mean((low <= clean) & (clean <= high)) > 0.8
    assert np.all((low - 0.05 <= path.x) & (path.x <= high + 0.05))  # around the curve, after the step at 10.5 too


@pytest.mark.parametrize("sigma", [0.02, 0.0])
def test_a_run_that_is_held_out_whole_has_a_band_of_its_own(sigma):
    """Its start is its own, its coefficients are the others'; where nothing is noisy there is next to no band."""
    t = np.linspace(0.0, 6.0, 100)
    clean = [s * np.exp(t) / (1.0 + s * (np.exp(t) - 1.0)) for s in (0.05, 0.1, 1.8)]
    rng = np.random.default_rng(1)
    noisy = [x + sigma * rng.normal(size=len(t)) for x in clean]
    own = [Trajectory(frozen(t), frozen(x[:, None]), None, str(i)) for i, x in enumerate(noisy)]
    bench = Workbench.of(
        Dataset("logistic", Variable("t", "t"), (Variable("x", "x"),), tuple(own)), "auto", 0.0, ("0",)
    )
    fit = bench.fit(0, [parse_term(s, bench.names).skeleton for s in ("x", "x**2")])
    fits = bench.refine([fit]) or (fit,)
    fine = np.linspace(0.0, 6.0, 333)
    low, high = bench.band(fits, 0, fine)
    true = 0.05 * np.exp(fine) / (1.0 + 0.05 * (np.exp(fine) - 1.0))
    assert low.shape == (333, 1)
    if sigma:
        assert np.mean((low[:, 0] <= true) & (true <= high[:, 0])) > 0.8
        assert np.mean(high - low) < 2.0 * sigma
        assert np.max(high - low) > 0.3 * sigma
    else:
        assert np.max(high - low) < 1e-3
