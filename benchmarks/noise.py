"""How exact coefficients are under noise, and what is still found: `python -m benchmarks.noise`.

First table: system 2 with white noise of a given standard deviation on every sample, five seeds, the true structure
fitted from the first initial state: residual NMSE of the fitted right-hand side against the true one along the clean
trajectories of both initial states, averaged over them and the worst state; median of the seeds. All rows are used.
Second table: the same system, noise and seeds with the structure unknown, found by the built-in agents. Third and
fourth: the built-in agents on all eight systems, 1,000 points of one trajectory and of both, noise in units of each
state's standard deviation, structure unknown; terms right, and the NMSE of the simulation on the extended interval.
A constant inside a term counts as right within 5 %.
"""

import argparse
import time
from collections.abc import Sequence

import numpy as np

from benchmarks import report, suite
from benchmarks.builtin import Outcome, discover
from benchmarks.suite import Case, Sampled
from dolq_core.data import generate
from dolq_core.fitting import Workbench
from dolq_core.numerics.metrics import nmse
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import compile_rhs

SEEDS = 5
SYSTEM = 2
BOUNDS = {0.001: 2e-8, 0.01: 2e-6, 0.1: 2e-4}
PAPER = {0.001: 0.1086, 0.01: 0.6135, 0.1: 32.58}
LEVELS = (0.001, 0.01, 0.05)
RUNS = (1, 2)


def main() -> None:
    """Fit and discover, and write both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--known", action="store_true", help="only the first table")
    asked = parser.parse_args()
    parts = [_known_table()]
    if not asked.known:
        parts.append(_structure_table())
        parts += [_unknown_table(runs) for runs in RUNS]
    how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    report.write("noise", "Noise", how, *parts)


def _known_table() -> str:
    case = next(c for c in suite.paper() if c.id == f"system {SYSTEM}")
    rows: list[tuple[object, ...]] = []
    for sigma, bound in BOUNDS.items():
        before = time.process_time()
        errors = [_error_of_known(case, sigma, seed) for seed in range(SEEDS)]
        seconds = (time.process_time() - before) / SEEDS
        median = float(np.median(errors))
        rows.append((sigma, f"{median:.1e}", f"{bound:.0e}", f"{PAPER[sigma]:g}", f"{seconds:.2f}"))
        print(*rows[-1], flush=True)
    return report.table(("sigma", "median residual NMSE", "bound", "paper, own structure", "CPU s"), rows)


def _error_of_known(case: Case, sigma: float, seed: int) -> float:
    bench = Workbench.of(generate(SYSTEM, noise=sigma, seed=seed).dataset)
    fits = [bench.fit(j, [term.skeleton for term in terms]) for j, terms in enumerate(case.terms)]
    return field_error(case, bench.refine(fits) or fits)


def field_error(case: Case, fits: Sequence[EquationFit]) -> float:
    """Return the NMSE of the fitted field along both clean trajectories, mean over them, the worst state."""
    pairs = [suite.trajectory(case, start, case.t, 1000) for start in range(len(case.initial))]
    each = [_field_nmse(case, fits, t, x) for t, x in pairs]
    return float(np.max(np.mean(each, axis=0)))


def _field_nmse(case: Case, fits: Sequence[EquationFit], t: np.ndarray, x: np.ndarray) -> list[float]:
    true, found = _field(case, case.terms, t, x), _field(case, [fit.terms for fit in fits], t, x)
    return [nmse(found[:, j], true[:, j]) for j in range(len(case.terms))]


def _field(case: Case, equations: Sequence[Sequence[FittedTerm]], t: np.ndarray, x: np.ndarray) -> np.ndarray:
    law = [[(term.skeleton, term.coefficient, term.inner) for term in terms] for terms in equations]
    rhs = compile_rhs(law, case.names.symbols)
    return np.array([rhs(now, state) for now, state in zip(t.tolist(), x.tolist(), strict=True)])


def _structure_table() -> str:
    case = next(c for c in suite.paper() if c.id == f"system {SYSTEM}")
    rows: list[tuple[object, ...]] = []
    exact = 0
    for sigma, bound in BOUNDS.items():
        found = [discover(case, Sampled(sigma=sigma, seed=seed)) for seed in range(SEEDS)]
        right = sum(all(outcome.right) for outcome in found)
        median = float(np.median([field_error(case, outcome.best) for outcome in found]))
        rows.append((sigma, f"{right} of {SEEDS}", f"{median:.1e}", f"{bound:.0e}", f"{PAPER[sigma]:g}"))
        exact += right
    head = ("sigma", "terms right", "median residual NMSE", "bound", "paper, own structure")
    return f"{report.table(head, rows)}\n\nStructure unknown: all terms right in {exact} of {SEEDS * len(BOUNDS)}."


def _unknown_table(runs: int) -> str:
    rows: list[tuple[object, ...]] = []
    right = dict.fromkeys(LEVELS, 0)
    for case in suite.paper():
        cells: list[str] = []
        for level in LEVELS:
            outcome = discover(case, Sampled(noise=level, runs=runs))
            right[level] += all(outcome.right)
            cells.append(_cell(outcome))
        rows.append((case.id, *cells))
    summary = ", ".join(f"{count} of {len(rows)} at {level:.1%}" for level, count in right.items())
    head = ("system", *(f"{level:.1%}" for level in LEVELS))
    named = "one trajectory" if runs == 1 else f"{runs} trajectories"
    return f"{report.table(head, rows)}\n\nAll terms right with {named}: {summary}."


def _cell(outcome: Outcome) -> str:
    extended = f"{outcome.extended:.0e}" if np.isfinite(outcome.extended) else "failed"
    return f"{sum(outcome.right)} of {len(outcome.right)}, {extended}"


if __name__ == "__main__":
    main()
