"""How exact coefficients are under noise, where the structure is known: `python -m lab noise`.

System 2 of the paper with white noise of a given standard deviation on every sample, five seeds, the true structure
fitted from the first initial state: residual NMSE of the fitted right-hand side against the true one along the clean
trajectories of both initial states, averaged over them, the worst state; median of the seeds. All rows are used. Bound:
what the fit is held to. DoLQ (paper): with the structure that it found itself at that noise. What is found where the
structure is unknown, on this system and on all eight: [paper](paper.md).
"""

import time
from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np

from dolq_core.fitting import Workbench
from dolq_core.laws import law_of_fits
from lab import campaign
from lab.benchmarks import report
from lab.benchmarks.report import Benchmark, Row
from lab.campaign.laws import true_law
from lab.campaign.published import published
from lab.campaign.scores import residual_nmse
from lab.campaign.tasks import problem_of

SEEDS = 5
SYSTEM = "2"
BOUNDS = {0.001: 2e-8, 0.01: 2e-6, 0.1: 2e-4}


def measure() -> Iterator[Row]:
    """Fit the true structure at every level of noise, with every seed."""
    case = next(case for case in campaign.read_suite("paper") if case.id == SYSTEM)
    for sigma in BOUNDS:
        for seed in range(SEEDS):
            before = time.process_time()
            error = _error(campaign.Task("paper", case, sigma=sigma, seed=seed))
            yield {"sigma": sigma, "seed": seed, "nmse": error, "cpu_s": time.process_time() - before}


def _error(task: campaign.Task) -> float:
    """Return the residual NMSE of the fit, mean over both initial states, the worst state."""
    case = task.case
    bench = Workbench.of(problem_of(task).dataset)
    fits = [bench.fit(j, [part[0] for part in parts]) for j, parts in enumerate(true_law(case))]
    law = law_of_fits(bench.refine(fits) or fits)
    each = [residual_nmse(case, law, start, "id") for start in range(len(case.initial))]
    return float(np.max(np.mean(each, axis=0)))


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    printed = {one.sigma: one.residual_id for one in published().noise if one.method == "DoLQ"}
    lines: list[tuple[object, ...]] = []
    for sigma, bound in BOUNDS.items():
        of_level = [row for row in rows if row["sigma"] == sigma]
        error, seconds = (median(row[what] for row in of_level) for what in ("nmse", "cpu_s"))
        lines.append((sigma, f"{error:.1e}", f"{bound:.0e}", f"{printed[sigma]:g}", f"{seconds:.2f}"))
    head = ("sigma", "median residual NMSE", "bound", "DoLQ (paper)", "CPU s")
    return [report.table(head, lines)]


BENCHMARK = Benchmark("noise", "Coefficients under noise", __doc__, measure, page)
