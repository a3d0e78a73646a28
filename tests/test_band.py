import numpy as np

from dolq_core.data import generate
from dolq_core.fitting import Workbench
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
