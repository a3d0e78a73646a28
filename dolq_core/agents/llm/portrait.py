"""The data in figures: told to a language model only where the person chose it."""

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.numerics.patterns import correlation, period
from dolq_core.records import RunState


def portrait(bench: Workbench) -> str:
    """Return ranges, signs, correlations of rates with states, and periods; no sample of the data itself."""
    symbols = bench.symbols
    lines = [f"- {symbol}: {_range(bench.values[i])}" for i, symbol in enumerate(symbols)]
    rates = [f"- d {symbols[j]}/dt: {_range(bench.dx[j])}; {_correlations(bench, j)}" for j in range(bench.d)]
    noise = ", ".join(f"{s} {level:.2g}" for s, level in zip(symbols, bench.info.noise, strict=False))
    periods = [f"{symbols[j]} about {found:.3g}" for j in range(bench.d) if (found := period(bench.x[j], bench.t))]
    more = [f"Swings with a period of: {', '.join(periods)}."] if periods else []
    return "\n".join(["# The data in figures", *lines, *rates, f"Noise (standard deviation): {noise}.", *more])


def samples(state: RunState, rows: int) -> str:
    """Return samples of the first run, evenly thinned; only where a person asked for it."""
    run = state.problem.dataset.trajectories[0]
    pick = np.unique(np.linspace(0, len(run.t) - 1, min(rows, len(run.t))).astype(np.int64))
    head = ",".join(["t", *(v.symbol for v in state.problem.dataset.states)])
    lines = [",".join(f"{value:.5g}" for value in (run.t[i], *run.x[i])) for i in pick.tolist()]
    return "\n".join(["# Samples", head, *lines])


def _range(values: Floats) -> str:
    low, high = float(np.min(values)), float(np.max(values))
    sign = "never negative" if low >= 0.0 else ("never positive" if high <= 0.0 else "of both signs")
    return f"from {low:.4g} to {high:.4g}, mean {float(np.mean(values)):.4g}, {sign}"


def _correlations(bench: Workbench, equation: int) -> str:
    found = [f"{s} {correlation(bench.dx[equation], bench.values[i]):+.2f}" for i, s in enumerate(bench.symbols)]
    return f"correlation with {', '.join(found)}"
