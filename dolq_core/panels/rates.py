"""The rate of change of each state: as the data show it, and as the law has it."""

from dataclasses import dataclass

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.export.result import scored_fit
from dolq_core.fitting import Workbench
from dolq_core.numerics.metrics import nmse
from dolq_core.panels.system import rate
from dolq_core.records import RunState, Visited

HOW = {
    "weak": "The fit compares weighted means of the rate (weak form), each over a stretch of {width}. "
    "What is drawn is the slope of the smoothed samples, from which the search takes its hints.",
    "integral": "The fit compares the samples themselves with integrals of the terms: it needs no rate. "
    "What is drawn is the slope of the curve that was laid through the samples.",
    "spline": "The fit compares these rates: slopes of a smooth curve through the samples.",
    "savgol": "The fit compares these rates: slopes of local polynomials (Savitzky and Golay).",
    "gradient": "The fit compares these rates: differences between neighbours, as in the paper.",
    "given": "The fit compares these rates: they stand in the table.",
}


@dataclass(frozen=True, slots=True, eq=False)
class RunRates:
    """One run: times (n,), the rate as estimated from the data (n,), and that of the law along the same states (n,)."""

    label: str
    t: Floats
    estimated: Floats
    law: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """The rate of one state along the data that were fitted; what is held out is not in it.

    Attributes:
        runs: the runs that the fit could use.
        nmse: mean squared difference over the variance of the estimate; None without a law, or where it is infinite.
        how: what the estimate is, and whether the fit itself compares it.
        words: how close the two are.
    """

    equation: int
    name: str
    unit: str
    runs: tuple[RunRates, ...]
    nmse: float | None
    how: str
    words: str


def rates(state: RunState, bench: Workbench) -> tuple[Rates, ...]:
    """Return the rates of every state, with the coefficients that have not seen what is held out."""
    return tuple(_rates(state, bench, j, visited) for j, visited in enumerate(state.best))


def _rates(state: RunState, bench: Workbench, j: int, visited: Visited | None) -> Rates:
    variable, target = state.problem.dataset.states[j], bench.target
    law = np.full(len(bench.t), np.nan)
    if visited is not None:
        law = rate(scored_fit(visited), bench.values, bench.t, bench.symbols)
    error = nmse(law, bench.dx[j])
    known = visited is not None and bool(np.isfinite(error))
    ends = np.cumsum(target.lengths)[:-1]
    parts = zip(np.split(bench.t, ends), np.split(bench.dx[j], ends), np.split(law, ends), strict=True)
    labels = _labels(state, bench)
    width = f"{2.0 * target.rows.width:.3g} {state.problem.dataset.time.unit}".rstrip() if target.rows else ""
    return Rates(
        equation=j,
        name=variable.name,
        unit=variable.unit,
        runs=tuple(RunRates(label, *part) for label, part in zip(labels, parts, strict=True)),
        nmse=error if known else None,
        how=HOW[target.kind].format(width=width),
        words=_words(error if known else None, visited, variable.name),
    )


def _labels(state: RunState, bench: Workbench) -> list[str]:
    """Return what the runs of the target are called: some may be held out whole, others too short."""
    every = state.problem.dataset.trajectories
    fitted = [run for i, run in enumerate(every) if bench.held is None or bench.held.place[i] is not None]
    return [fitted[i].label for i in bench.target.sources]


def _words(error: float | None, visited: Visited | None, name: str) -> str:
    if visited is None:
        return f"There is no law of {name} yet."
    if error is None:
        return f"The law of {name} is not finite everywhere along the data."
    percent = 100.0 * float(np.sqrt(error))
    share = f"{percent:.2g} %" if percent >= 1.0 else "under 1 %"
    return f"The law misses the estimated rate of {name} by {share} of its spread."
