"""The data in figures: told to a language model unless the person chose otherwise."""

from itertools import combinations

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.numerics.patterns import correlation, period
from dolq_core.records import RunState

STILL = 0.02
"""Deviation of a sum over that of its largest part below which it counts as constant."""
MOST_SUMS = 4


def portrait(bench: Workbench) -> str:
    """Return ranges, signs, correlations of rates with states, sums and periods; no sample of the data itself."""
    symbols = bench.symbols
    lines = [f"- {symbol}: {_range(bench.values[i])}" for i, symbol in enumerate(symbols)]
    rates = [f"- d {symbols[j]}/dt: {_range(bench.dx[j])}; {_correlations(bench, j)}" for j in range(bench.d)]
    noise = ", ".join(f"{s} {level:.2g}" for s, level in zip(symbols, bench.info.noise, strict=False))
    span = f"{bench.n} samples, t from {float(np.min(bench.t)):.4g} to {float(np.max(bench.t)):.4g}"
    periods = [f"{symbols[j]} about {found:.3g}" for j in range(bench.d) if (found := period(bench.x[j], bench.t))]
    more = [f"Swings with a period of: {', '.join(periods)}."] if periods else []
    more += [f"Nearly constant: {', '.join(sums)}."] if (sums := _sums(bench)) else []
    said = f"{span}; noise (standard deviation): {noise}."
    return "\n".join(["# The data in figures", *lines, *rates, said, *more])


def samples(state: RunState, rows: int) -> str:
    """Return samples of the first run, evenly thinned; only where a person asked for it."""
    run = state.problem.dataset.trajectories[0]
    pick = np.unique(np.linspace(0, len(run.t) - 1, min(rows, len(run.t))).astype(np.int64))
    head = ",".join(["t", *(v.symbol for v in state.problem.dataset.states)])
    lines = [",".join(f"{value:.5g}" for value in (run.t[i], *run.x[i])) for i in pick.tolist()]
    return "\n".join(["# Samples", head, *lines])


def _sums(bench: Workbench) -> list[str]:
    """Name sums and differences of states that hardly move, where the states do."""
    found: list[str] = []
    for some in (pair for k in (2, 3) for pair in combinations(range(bench.d), k)):
        moved = max(float(np.std(bench.x[i])) for i in some)
        for sign, text in ((1.0, " + "), (-1.0, " - ")):
            signs = np.array([1.0, *[sign] * (len(some) - 1)])
            total = signs @ bench.x[list(some)]
            if moved > 0.0 and float(np.std(total)) < STILL * moved:
                found.append(f"{text.join(bench.symbols[i] for i in some)} = {float(np.mean(total)):.4g}")
    return found[:MOST_SUMS]


def _range(values: Floats) -> str:
    low, high = float(np.min(values)), float(np.max(values))
    sign = "never negative" if low >= 0.0 else ("never positive" if high <= 0.0 else "of both signs")
    return f"from {low:.4g} to {high:.4g}, mean {float(np.mean(values)):.4g}, {sign}"


def _correlations(bench: Workbench, equation: int) -> str:
    found = [f"{s} {correlation(bench.dx[equation], bench.values[i]):+.2f}" for i, s in enumerate(bench.symbols)]
    return f"correlation with {', '.join(found)}"
