"""How often a fit of whole runs comes to the best numbers: `python -m lab fits`.

Laws with numbers inside their terms, 400 samples of one run with 2 % noise, fitted from numbers that are each wrong by
a random factor (the column says one standard deviation of its logarithm), along the smoothed samples, in as many steps
as a search allows. Best: a simulation, and within two nats of the fit that begins at the true numbers and may take as
long as it likes. The laws were chosen while the damping of steps and the second try on stretches were
(numerics/lifted.py, fitting/whole_runs.py): a tank whose two terms have one pole, and a short record of prey and
predator that hardly tells its numbers, are hard, the others easy.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import make_smoothing_spline

from dolq_core.arrays import Floats
from dolq_core.fitting.likelihood import ALL_LOOKS, MOST_LOOKS
from dolq_core.fitting.whole_runs import Laws, fit_in_steps, numbers_of
from dolq_core.laws import law_of_texts
from dolq_core.numerics.integrate import simulate
from dolq_core.numerics.lifted import Path, with_steps
from dolq_core.numerics.stretches import Stretches, one_stretch_a_run
from dolq_core.terms import compile_rhs, safe_names
from lab.benchmarks import report
from lab.benchmarks.lost import freed
from lab.benchmarks.report import Benchmark, Row

NOISE, SAMPLES, NEAR = 0.02, 400, 4.0
"""NEAR: chi2 within which a fit is as good as the best one."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A law, the start and the end of its run, and how wrong the numbers are that a fit begins with."""

    name: str
    equations: tuple[str, ...]
    start: tuple[float, ...]
    end: float
    wrong: float


KINDS = (
    _Kind("round tank", ("0.0352/(x*(2.6 - x)) - 0.0447/(sqrt(x)*(2.6 - x))",), (2.42,), 180.0, 0.03),
    _Kind("prey, predator", ("x - 0.2*x**2 - 1.5*x*y/(1.01 + x)", "1.2*x*y/(1.01 + x) - 0.6*y"), (1.0, 0.5), 40.0, 0.7),
    _Kind("the same, short", ("x - 1.5*x*y/(0.5 + x)", "1.2*x*y/(0.6 + x) - 0.7*y"), (1.0, 0.5), 15.0, 0.25),
    _Kind("enzyme", ("0.5 - 1.5*x/(0.8 + x)", "1.5*x/(0.8 + x) - 0.4*y"), (4.0, 0.2), 15.0, 0.7),
    _Kind("chemostat", ("x*y/(0.5 + y) - 0.3*x", "1.5 - 0.3*y - 2.1*x*y/(0.5 + y)"), (0.1, 3.0), 40.0, 0.7),
    _Kind("Lorenz", ("10*y - 10*x", "28*x - x*z - y", "x*y - 2.667*z"), (1.0, 2.0, 18.0), 5.0, 0.3),
    _Kind("driven pendulum", ("y", "-1.5*sin(x) - 0.15*y + 0.4*cos(0.9*t)"), (1.2, 0.0), 40.0, 0.1),
    _Kind(
        "inhibition by plenty",
        ("0.55*x*y/(1.2 + y + 0.12*y**2) - 0.1*x", "0.9 - 0.1*y - 1.1*x*y/(1.2 + y + 0.12*y**2)"),
        (0.3, 6.0),
        60.0,
        0.7,
    ),
    _Kind("repression", ("3.1/(1.01 + y**4.2) - 0.5*x", "x - 0.5*y"), (0.2, 2.0), 30.0, 0.5),
)


def measure(seeds: int) -> Iterator[Row]:
    """Fit each law from as many starts."""
    for kind in KINDS:
        begun = time.process_time()
        came = sum(_comes_to_the_best(kind, seed) for seed in range(seeds))
        yield {"law": kind.name, "wrong": kind.wrong, "fits": seeds, "best": came, "cpu_s": time.process_time() - begun}


def _comes_to_the_best(kind: _Kind, seed: int) -> bool:
    rng = np.random.default_rng(seed)
    names = safe_names(("x", "y", "z")[: len(kind.start)])
    law = law_of_texts(kind.equations, names)
    system = freed(law)
    t, true = np.linspace(0.0, kind.end, SAMPLES), numbers_of(system)
    x = simulate(compile_rhs(law, names.symbols), np.array(kind.start), t, np.full(len(kind.start), 1e6)).x
    sigma = NOISE * x.std(axis=0)
    y = x + sigma * rng.normal(size=x.shape)
    smooth = np.column_stack([make_smoothing_spline(t, column)(t) for column in y.T])
    data = Stretches(t, y, np.empty((len(t), 0)), sigma, one_stretch_a_run([len(t)]))
    laws = Laws(system, names.symbols)

    def fitted(theta: Floats, along: Floats, looks: int) -> Path | None:
        return fit_in_steps(with_steps(data, laws, theta, along), laws, theta, along, looks=looks)

    best = fitted(true, x, ALL_LOOKS)
    own = fitted(true * np.exp(kind.wrong * rng.normal(size=len(true))), smooth, MOST_LOOKS)
    return bool(best is not None and own is not None and own.is_simulation and own.chi2 <= best.chi2 + NEAR)


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    fits, best = sum(row["fits"] for row in rows), sum(row["best"] for row in rows)
    low, high = report.wilson(best, fits)
    lines = [
        (row["law"], row["wrong"], row["fits"], row["best"], f"{1e3 * row['cpu_s'] / row['fits']:.0f}") for row in rows
    ]
    lines.append((f"all ({low:.0%} to {high:.0%})", "", fits, best, ""))
    return [report.table(("law", "numbers wrong by", "fits", "best", "ms of CPU for two fits"), lines)]


BENCHMARK = Benchmark("fits", "Fits that come to the best numbers", __doc__, measure, page, {"seeds": 30})
