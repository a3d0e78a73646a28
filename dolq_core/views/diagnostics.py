"""Residuals and rates: what the law leaves over of the data, and the rates that it and the data show."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import pi, sqrt
from typing import Literal, TypeAlias

import numpy as np

from dolq_core.arrays import Bools, Floats
from dolq_core.fitting import Workbench
from dolq_core.fitting.weighing import factors, has_weights, is_uneven
from dolq_core.numerics.metrics import nmse
from dolq_core.numerics.samples import CLEAN
from dolq_core.numerics.whiteness import WHITE, Whiteness, grows, whiteness
from dolq_core.records import AT_FLOOR, RunState, Variable, Visited
from dolq_core.runs import Run, workbench
from dolq_core.views.amounts import figure, with_unit
from dolq_core.views.sampling import even_step
from dolq_core.views.system import rate
from dolq_core.views.trajectories import Curve, curves

FEW = 20
"""Values below which the band of white noise is wider than 0.44: too wide to tell."""
CHANCE = 0.01
"""Chance under white noise below which residuals are said to hang together."""
USUAL = 0.05
"""Chance from which a reader calls residuals white noise; the status does from WHITE on."""
SMALL = 1e-3
"""Share of the spread of the data below which nothing that matters is left of clean data."""
SLIGHT = 0.3
"""Autocorrelation below which a drift is smaller than the noise that it lies under."""
MOST_BARS = 40

Verdict: TypeAlias = Literal["noise", "hint", "drift", "large", "small", "few", "none"]


@dataclass(frozen=True, slots=True, eq=False)
class RunResiduals:
    """One run: times t (n,), data minus model (n,) with NaN where there is none, and which of them are held out.

    noise: (n,) of each sample.
    """

    label: str
    t: Floats
    left: Floats
    held_out: Bools
    noise: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """Data minus simulated model of one state. What is held out is drawn, and counts in none of the figures.

    Attributes:
        noise: standard deviation of a sample's noise, as the data themselves show it; 0 where none can be seen. Where
            it grows with the value that of a sample on average, and each counts in all figures by its own.
        size: root mean square of the residuals, in the state's unit; spread: standard deviation of the data.
        edges, density: (b + 1,), (b,) histogram of the residuals over the noise, or in the unit where noise is 0.
        normal_at, normal: (k,) the normal curve of the same spread around zero, in the same unit.
        white: their autocorrelation; its lags count samples.
        lag_time: the time that one lag stands for; None where they have no step in common.
        words: the verdict as sentences.
    """

    equation: int
    name: str
    unit: str
    runs: tuple[RunResiduals, ...]
    noise: float
    size: float
    spread: float
    edges: Floats
    density: Floats
    normal_at: Floats
    normal: Floats
    white: Whiteness
    lag_time: float | None
    verdict: Verdict
    words: str


def residuals(run: Run) -> tuple[Residuals, ...]:
    """Return what the simulated system leaves over of every measured state, and whether that looks like noise."""
    bench, found = workbench(run), curves(run)
    dataset = replace(run.state.problem.dataset, noise=bench.growth)
    weighted, noise = has_weights(dataset), bench.info.noise
    counts = factors(dataset) if is_uneven(dataset) else None
    white = [best and best.reported.whiteness for best in run.state.best]
    return tuple(
        _state(found, j, state, noise[j], white[j], None if counts is None else [own[:, j] for own in counts], weighted)
        for j, state in enumerate(dataset.states)
        if j not in dataset.hidden
    )


def _state(
    curves: Sequence[Curve],
    j: int,
    state: Variable,
    noise: float,
    chance: float | None,
    counts: Sequence[Floats] | None,
    weighted: bool,
) -> Residuals:
    """chance: that white noise leaves what the law leaves of all samples, by which it stands; None where unknown.

    counts: per run (n,) factors by which residuals of uneven noise become even.
    """
    even = [np.ones(len(curve.t)) for curve in curves]
    runs = tuple(_run(curve, j, noise / count) for curve, count in zip(curves, counts or even, strict=True))
    fitted = [np.where(run.held_out, np.nan, run.left) * count for run, count in zip(runs, counts or even, strict=True)]
    white = whiteness(fitted)
    every = np.concatenate(fitted)
    values = every[np.isfinite(every)]
    data = np.concatenate([curve.data[:, j] for curve in curves])
    spread = float(np.nanstd(data)) if np.isfinite(data).any() else 0.0
    size = float(np.sqrt(np.mean(values**2))) if len(values) else 0.0
    allowed = chance is not None and chance >= WHITE
    verdict = _verdict(white, size, spread, noise, allowed=allowed)
    edges, density = _histogram(values / (noise or 1.0))
    normal_at, normal = _normal(edges, size / (noise or 1.0))
    failure = next((curve.failure for curve in curves if curve.failure), "Nothing is simulated yet.")
    words = failure if verdict == "none" else _words(verdict, white, size, spread, noise, state)
    if chance is not None and verdict == "hint" and white.chance < CHANCE:
        words = f"They may {_drift_of(white)}. {_of_all_samples(chance)}"
    near = verdict in ("noise", "hint", "large") or (verdict == "drift" and size <= AT_FLOOR * noise)
    if near and not weighted and grows(every, np.concatenate([curve.at_data[:, j] for curve in curves])):
        words += f" They are larger where {state.name} is: its noise may grow with it."
    return Residuals(
        j, state.name, state.unit, runs, noise, size, spread, edges, density, normal_at, normal, white,
        even_step([curve.t for curve in curves if len(curve.t) > 1]), verdict, words,
    )  # fmt: skip


def _run(curve: Curve, j: int, noise: Floats) -> RunResiduals:
    held = curve.t >= (np.inf if curve.held_from is None else curve.held_from)
    return RunResiduals(curve.label, curve.t, curve.data[:, j] - curve.at_data[:, j], held, noise)


def _verdict(white: Whiteness, size: float, spread: float, noise: float, *, allowed: bool) -> Verdict:
    if not white.n:
        return "none"
    if noise <= CLEAN * spread and size <= SMALL * spread:
        return "small"
    if white.n < FEW:
        return "few"
    if white.chance < CHANCE:
        return "hint" if allowed else "drift"
    if abs(white.r[0]) > white.band:
        return "hint"
    return "large" if noise and size > AT_FLOOR * noise else "noise"


def _words(verdict: Verdict, white: Whiteness, size: float, spread: float, noise: float, state: Variable) -> str:
    band = f"band ±{white.band:.2g}"
    if verdict == "small":
        share = 100.0 * size / spread if spread else 0.0
        return f"Hardly anything: {figure(share, 1)} % of the spread, in data without visible noise."
    if verdict == "few":
        return f"Too few samples to tell noise from a drift: {white.n} of {FEW}."
    if verdict == "drift":
        return _drift(white, bool(noise) and size <= AT_FLOOR * noise, state)
    first = f"autocorrelation {_signed(float(white.r[0]))} at lag 1, {band}"
    if verdict == "hint":
        return f"They may drift: {first}. Chance does that in 1 of 20; more samples would tell."
    if verdict == "large":
        return f"They look like noise ({first}), but {figure(size / noise)} times that of the samples."
    alone = f", {figure(size / noise)} times that of the samples" if noise else ""
    return f"They look like noise{alone}: {first}."


def _drift(white: Whiteness, at_noise: bool, state: Variable) -> str:
    if at_noise and float(np.max(np.abs(white.r))) < SLIGHT:
        return f"They {_drift_of(white, ' a little')}. Less than the noise: little is missing."
    return f"They {_drift_of(white)}. Something is missing in the law of {state.name}, or in one that moves it."


def _of_all_samples(chance: float) -> str:
    """Say what the law, fitted to all samples, leaves of them: by that it stands, at another level than is usual."""
    whole = "As fitted to all samples the law leaves"
    if chance >= USUAL:
        return f"{whole} white noise (chance {figure(chance)})."
    level = f"a law is refuted below {figure(WHITE)}, not at the usual {figure(USUAL)}"
    return f"{whole} what is hardly white noise (chance {figure(chance)}): {level}."


def _drift_of(white: Whiteness, by: str = "") -> str:
    lag = 0 if abs(white.r[0]) > white.band else int(np.argmax(np.abs(white.r)))
    r = float(white.r[lag])
    how = "drift" if r > 0.0 else "alternate" if lag == 0 else "swing"
    return f"{how}{by}: autocorrelation {_signed(r)} at lag {lag + 1}, band ±{white.band:.2g}"


def _signed(value: float) -> str:
    return f"{value:.2g}".replace("-", "\N{MINUS SIGN}")


def _histogram(values: Floats) -> tuple[Floats, Floats]:
    """Return edges and density, by the rule of Freedman and Diaconis, with at most MOST_BARS bars."""
    if len(values) < 2 or not np.ptp(values) > 1e-12 * float(np.max(np.abs(values))):
        return np.empty(0), np.empty(0)
    bars = min(MOST_BARS, len(np.histogram_bin_edges(values, "fd")) - 1)
    density, edges = np.histogram(values, max(bars, 5), density=True)
    return edges, density


def _normal(edges: Floats, size: float) -> tuple[Floats, Floats]:
    if not len(edges) or not size > 0.0:
        return np.empty(0), np.empty(0)
    reach = max(float(np.max(np.abs(edges))), 3.0 * size)
    at = np.linspace(-reach, reach, 121)
    return at, np.exp(-0.5 * (at / size) ** 2) / (size * sqrt(2.0 * pi))


HOW = {
    "weak": "Fitted: weighted means of the rate (weak form), each over {width}. Drawn: slopes of the smoothed samples.",
    "integral": "Fitted: the samples, by integrals of the terms. Drawn: slopes of a curve through the samples.",
    "spline": "Fitted: these rates, slopes of a smooth curve through the samples.",
    "savgol": "Fitted: these rates, slopes of local polynomials (Savitzky and Golay).",
    "gradient": "Fitted: these rates, differences between neighbours, as in the paper.",
    "given": "Fitted: these rates, from the table.",
}


FITTED = {"weak": "the means of it that are fitted", "integral": "the integrals that are fitted"}
"""What a law is fitted to, where that is not the rate as it is drawn: slopes have more noise than means over them."""


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


def rates(run: Run) -> tuple[Rates, ...]:
    """Return the rates of every state, with the coefficients that have not seen what is held out."""
    return tuple(_rates(run.state, workbench(run), j, visited) for j, visited in enumerate(run.state.best))


def _rates(state: RunState, bench: Workbench, j: int, visited: Visited | None) -> Rates:
    variable, target = state.problem.dataset.states[j], bench.target
    law = np.full(len(bench.t), np.nan)
    if visited is not None:
        law = rate(visited.scored, bench.values, bench.t, bench.symbols)
    error = nmse(law, bench.dx[j])
    known = visited is not None and bool(np.isfinite(error))
    ends = np.cumsum(target.lengths)[:-1]
    parts = zip(np.split(bench.t, ends), np.split(bench.dx[j], ends), np.split(law, ends), strict=True)
    labels = _labels(state, bench)
    width = with_unit(2.0 * target.rows.width, state.problem.dataset.time.unit) if target.rows else ""
    return Rates(
        equation=j,
        name=variable.name,
        unit=variable.unit,
        runs=tuple(RunRates(label, *part) for label, part in zip(labels, parts, strict=True)),
        nmse=error if known else None,
        how=HOW[target.kind].format(width=width),
        words=_rate_words(error if known else None, visited, variable.name, FITTED.get(target.kind, "")),
    )


def _labels(state: RunState, bench: Workbench) -> list[str]:
    """Return what the runs of the target are called: some may be held out whole, others too short."""
    every = state.problem.dataset.trajectories
    fitted = [run for i, run in enumerate(every) if bench.held is None or bench.held.place[i] is not None]
    return [fitted[i].label for i in bench.target.sources]


def _rate_words(error: float | None, visited: Visited | None, name: str, fitted: str) -> str:
    if visited is None:
        return f"No law of {name} yet."
    if error is None:
        return f"The law of {name} is not finite everywhere along the data."
    said = f"The law misses the estimated rate of {name} by {_share(error)} of its spread"
    own = visited.scored.nmse
    beside = f", and {fitted} by {_share(own)}" if fitted and np.isfinite(own) else ""
    return f"{said}{beside}."


def _share(error: float) -> str:
    percent = float(f"{100.0 * float(np.sqrt(error)):.2g}")
    return f"{percent:.15g} %" if percent >= 1.0 else "under 1 %"
