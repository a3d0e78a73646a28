"""What weights and given derivatives change: `python -m lab columns [--seeds 10]`.

The true structure is fitted, and fitted again on trajectories where the workbench does that; the figure is the root
mean square, over the seeds, of the relative error of the worst coefficient. Weights: x' = -0.7 x, the first half of
the samples with noise of 0.002, the rest of 0.1, and weights of one over the variance. Given derivatives: the
predator and prey x' = 1.1 x - 0.4 x y, y' = 0.1 x y - 0.4 y over 40 units of time (about three rounds), 1 % noise on
the states and on the derivatives.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy.integrate import solve_ivp

from dolq_core.arrays import Floats, frozen
from dolq_core.errors import FitError
from dolq_core.fitting import Workbench
from dolq_core.records import Dataset, EquationFit, Given, Trajectory, Variable
from dolq_core.terms import parse_term
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row

DECAY = 0.7
PREY = (1.1, 0.4, 0.1, 0.4)


def measure(seeds: int) -> Iterator[Row]:
    """Fit every case with and without the column."""
    cases = {"weights": (_weights, (30, 200)), "derivatives": (_derivatives, (12, 20, 200))}
    for column, (errors, sizes) in cases.items():
        for n in sizes:
            without, with_it = np.sqrt(np.mean(np.array(errors(n, range(seeds))) ** 2, axis=0)).tolist()
            yield {"column": column, "samples": n, "without": without, "with": with_it}


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    lines = [(row["column"], row["samples"], _percent(row["without"]), _percent(row["with"])) for row in rows]
    return [report.table(("column", "samples", "error without it", "error with it"), lines)]


def _percent(error: float) -> str:
    return f"{100 * error:.2g} %" if error < 1.0 else f"{100 * error:.0f} %"


def _weights(n: int, seeds: range) -> list[list[float]]:
    half = np.arange(n) < n // 2
    noise = np.where(half, 0.002, 0.1)
    t = np.linspace(0.0, 3.0, n)
    found: list[list[float]] = []
    for seed in seeds:
        x = np.exp(-DECAY * t) + noise * np.random.default_rng(seed).standard_normal(n)
        run = Trajectory(frozen(t), frozen(x[:, None]), weights=frozen(noise[:, None] ** -2.0))
        data = Dataset("", Variable("t", "t"), (Variable("x", "x"),), (run,), weights=(Given("w", "x"),))
        plain = replace(data, trajectories=(replace(run, weights=None),), weights=())
        found.append([_error(one, [["x"]], [-DECAY]) for one in (plain, data)])
    return found


def _derivatives(n: int, seeds: range) -> list[list[float]]:
    a, b, c, d = PREY
    t = np.linspace(0.0, 40.0, n)
    path = solve_ivp(
        lambda _, x: [a * x[0] - b * x[0] * x[1], c * x[0] * x[1] - d * x[1]],
        (0.0, 40.0), [10.0, 5.0], t_eval=t, rtol=1e-10, atol=1e-10,
    ).y.T  # fmt: skip
    x, y = path.T
    rates = np.column_stack((a * x - b * x * y, c * x * y - d * y))
    states = (Variable("x", "x"), Variable("y", "y"))
    found: list[list[float]] = []
    for seed in seeds:
        draw = np.random.default_rng(seed)
        noisy, slopes = (v + 0.01 * v.std(axis=0) * draw.standard_normal(v.shape) for v in (path, rates))
        run = Trajectory(frozen(t), frozen(noisy), derivatives=frozen(slopes))
        data = Dataset("", Variable("t", "t"), states, (run,), derivatives=(Given("dx", "x"), Given("dy", "y")))
        plain = replace(data, trajectories=(replace(run, derivatives=None),), derivatives=())
        terms, truth = [["x", "x*y"], ["x*y", "y"]], [a, -b, c, -d]
        found.append([_error(one, terms, truth) for one in (plain, data)])
    return found


def _error(data: Dataset, terms: list[list[str]], truth: list[float]) -> float:
    try:
        bench = Workbench.of(data)
    except FitError:
        return float("inf")
    fits: tuple[EquationFit, ...] = tuple(
        bench.fit(j, [parse_term(text, bench.names).skeleton for text in texts]) for j, texts in enumerate(terms)
    )
    found = [term.coefficient for fit in bench.refine(fits) or fits for term in fit.terms]
    wrong: Floats = np.abs(np.array(found) / np.array(truth) - 1.0)
    return float(wrong.max())


BENCHMARK = Benchmark("columns", "Weights and given derivatives", __doc__, measure, page, {"seeds": 10})
