"""How the samples lie: their number, spacing, gaps and noise, and what slopes are worth that are taken from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from dolq_core.arrays import Bools, Floats
from dolq_core.data.findings import counted
from dolq_core.fitting import Workbench
from dolq_core.numerics.derivative import is_uniform
from dolq_core.numerics.digits import written_to
from dolq_core.numerics.samples import is_few
from dolq_core.numerics.target import Target
from dolq_core.records import Dataset
from dolq_core.views.amounts import every, percent, rounded, with_unit

FitnessVerdict: TypeAlias = Literal["good", "mind", "bad"]

FEWEST = 8
"""Samples in all under which two numbers fit nearly anything."""
GAP, FEW_GAPS = 3.0, 0.05
"""Usual steps that make a gap; the share of all steps up to which long ones are gaps in times that are else even."""
LONG_GAP = (10.0, 0.25)
"""Usual steps, and share of the run, beyond which no curve is trusted to bridge a step."""
NOISE = (0.02, 0.1)
"""Noise over range from which it is to be minded, and from which it is bad."""
SLOPES = (0.05, 0.3)
"""The same for the error of what the fits aim at, over its size."""
SAMPLES = (5.0, 1.5)
"""Samples in which a state at its fastest would cross its range: fewer are to be minded, and bad.

Ten samples a period are three for a sine.
"""
MISSING = 0.3
STILL = 1e-12
UNKNOWN = "too long to bridge. Make the parts separate runs."


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: the finding in a few words, and what it means in a sentence."""

    code: str
    verdict: FitnessVerdict
    finding: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Looked:
    """What the checks share.

    Attributes:
        dataset: the part that is fitted; sparse: as `Workbench.is_sparse`.
        span, spread: (d,) range and standard deviation of each state as measured; smooth: range of the smooth curve.
        moving: (d,) whether it changes inside any run.
        missing: cells of the states without a number, those of what is held out among them.
    """

    dataset: Dataset
    target: Target
    sparse: bool
    span: Floats
    spread: Floats
    smooth: Floats
    moving: Bools
    missing: int

    @classmethod
    def at(cls, bench: Workbench) -> "Looked":
        """Look at the data that a workbench fits."""
        runs = bench.dataset.trajectories
        samples = np.concatenate([run.x for run in runs])
        within = np.array([span_of(run.x) for run in runs])
        moving: Bools = within.max(axis=0) > STILL * np.max(np.nan_to_num(np.abs(samples)), axis=0)
        span, smooth = span_of(samples), span_of(bench.target.x.T)
        every = bench.dataset if bench.held is None else bench.held.dataset
        missing = sum(int(np.isnan(run.x).sum()) for run in every.trajectories)
        return cls(bench.dataset, bench.target, bench.is_sparse, span, _spread(samples), smooth, moving, missing)

    def states(self) -> list[int]:
        """Return the states that change, by number."""
        return [int(j) for j in np.flatnonzero(self.moving)]

    def name(self, j: int) -> str:
        """Return the name of a state."""
        return self.dataset.states[j].name

    def steps(self) -> Floats:
        """Return the steps (m,) in time between the samples of every run."""
        return np.concatenate([np.diff(run.t) for run in self.dataset.trajectories])


def span_of(x: Floats) -> Floats:
    """Range of each column of x (n, d); 0 where nothing was measured."""
    seen = np.isfinite(x)
    high = np.max(np.where(seen, x, -np.inf), axis=0)
    low = np.min(np.where(seen, x, np.inf), axis=0)
    return np.where(seen.any(axis=0), high - low, 0.0)


def _spread(x: Floats) -> Floats:
    """Standard deviation of each column of x (n, d); 0 where nothing was measured."""
    seen = np.isfinite(x)
    count = np.maximum(seen.sum(axis=0), 1)
    mean = np.where(seen, x, 0.0).sum(axis=0) / count
    return np.sqrt((np.where(seen, x - mean, 0.0) ** 2).sum(axis=0) / count)


def of_samples(looked: Looked) -> tuple[Check | None, ...]:
    """Return what the samples allow: their number, spacing, gaps, noise, and how well slopes are known from them."""
    return tuple(check(looked) for check in (_amount, _spacing, _missing, _left_out, _noise, _sampling, _slopes))


def _amount(looked: Looked) -> Check:
    lengths = [len(run.t) for run in looked.dataset.trajectories]
    finding = f"{counted(sum(lengths), 'point')} to fit, {counted(len(lengths), 'run')}"
    if sum(lengths) < FEWEST:
        meaning = "Too few: two numbers fit nearly anything."
        return Check("points", "bad", finding, meaning)
    if looked.sparse:
        meaning = "Few in a run: a law must beat a random walk."
        return Check("points", "mind", finding, meaning)
    few = "Enough to compare whole runs; a law must beat a random walk."
    return Check("points", "good", finding, few if is_few(lengths) else "Enough to average out noise.")


def _spacing(looked: Looked) -> Check:
    steps, unit = looked.steps(), looked.dataset.time.unit
    usual, longest = float(np.median(steps)), float(np.max(steps))
    gaps = int(np.sum(steps > GAP * usual))
    told = f"Longest step {with_unit(longest, unit)}, usually {with_unit(usual, unit)}"
    if _is_unknown_ground(looked):
        return Check("spacing", "bad", counted(max(1, gaps), "long gap") + " in time", f"{told}: {UNKNOWN}")
    if 0 < gaps <= max(1.0, FEW_GAPS * len(steps)):
        return Check("spacing", "mind", counted(gaps, "gap") + " in time", f"{told}; bridged by a curve.")
    times = [run.t for run in looked.dataset.trajectories]
    if all(map(is_uniform, times)):
        return Check("spacing", "good", "Times are even", f"A sample every {every(usual, unit)}.")
    if step := even_step(times):
        meaning = f"A sample every {every(step, unit)}, rounded to {with_unit(_resolution(times), unit)}."
        return Check("spacing", "good", "Times are even but for rounding", meaning)
    return Check("spacing", "mind", "Times are uneven", "The samples are smoothed first.")


def _is_unknown_ground(looked: Looked) -> bool:
    """Whether a run has a step that is both much longer than usual and a good part of the run."""
    usual = LONG_GAP[0] * float(np.median(looked.steps()))
    longest = ((float(np.max(np.diff(run.t))), float(np.ptp(run.t))) for run in looked.dataset.trajectories)
    return any(step > usual and step > LONG_GAP[1] * span for step, span in longest)


def even_step(times: Sequence[Floats]) -> float | None:
    """Return the step that the times of all runs share, but for rounding; None where they are uneven."""
    steps = np.concatenate([np.diff(t) for t in times])
    if not len(steps):
        return None
    mean = float(np.mean(steps))
    each = [float(np.mean(np.diff(t))) for t in times if len(t) > 1]
    alike = all(map(is_uniform, times)) and np.ptp(each) <= 1e-6 * mean
    # each of two times is off by half of the last place
    return mean if alike or np.ptp(steps) <= 2.0 * _resolution(times) + 1e-9 * mean else None


def _resolution(times: Sequence[Floats]) -> float:
    """Return the last place to which times are written; 0 where it is too fine to tell from the steps."""
    found = float(np.max(written_to(np.concatenate(times))))
    return found if found <= float(np.median(np.concatenate([np.diff(t) for t in times]))) / 4.0 else 0.0


def _missing(looked: Looked) -> Check | None:
    cells = np.concatenate([run.x.ravel() for run in looked.dataset.trajectories])
    count = int(np.isnan(cells).sum())
    if not count:
        return None
    verdict: FitnessVerdict = "bad" if count > MISSING * len(cells) else "mind"
    finding = f"{counted(count, 'cell is', 'cells are')} missing"
    if looked.missing > count:
        finding = f"{count} of {counted(looked.missing, 'missing cell')} in what is fitted"
    meaning = f"{percent(count / len(cells))} of the states' values that are fitted, bridged by a curve."
    return Check("missing", verdict, finding, meaning)


def _left_out(looked: Looked) -> Check | None:
    out = len(looked.dataset.trajectories) - len(looked.target.sources)
    if not out:
        return None
    meaning = "A state has fewer than four samples there."
    return Check("left out", "mind", f"{counted(out, 'run')} cannot be used", meaning)


def _noise(looked: Looked) -> Check | None:
    noise = looked.target.noise
    found = _shares(looked, noise / np.where(looked.span > 0.0, looked.span, 1.0))
    said = _shares(looked, noise / np.where(looked.spread > 0.0, looked.spread, 1.0))
    if not found or not said:
        return None
    if found[0] == 0.0:
        return Check("noise", "good", "No visible noise", "The samples lie on smooth curves.")
    verdict, finding = _graded(found[0], NOISE, ("Low noise", "Some noise", "Much noise"))
    return Check(
        "noise", verdict, finding, f"{_how_near(said, 'At most about' if looked.sparse else 'About')} of the spread."
    )


def _sampling(looked: Looked) -> Check | None:
    """How many samples a state at its fastest would take to cross its range."""
    if not looked.states():
        return None
    rates = np.max(np.abs(looked.target.dx), axis=1)
    step = float(np.median(looked.steps()))
    samples = {j: float(looked.smooth[j] / (rates[j] * step)) for j in looked.states() if rates[j] > 0.0}
    if not samples:
        return None
    fastest = min(samples, key=lambda j: samples[j])
    enough, few = SAMPLES
    least = samples[fastest]
    verdict: FitnessVerdict = "good" if least >= enough else "mind" if least >= few else "bad"
    finding = {"good": "Dense enough", "mind": "Sampled thinly", "bad": "Sampled too thinly"}[verdict]
    more = "" if verdict == "good" else f"; aim for {enough:.0f}"
    meaning = f"{looked.name(fastest)} can cross its range in {rounded(least)} samples{more}."
    return Check("sampling", verdict, finding, meaning)


def _slopes(looked: Looked) -> Check | None:
    if looked.target.kind == "given":
        return None
    if looked.target.kind == "integral":
        meaning = "Too few samples a run."
        return Check("slopes", "mind", "No slopes are used", meaning)
    size = np.sqrt(np.mean(looked.target.b**2, axis=1))
    found = _shares(looked, looked.target.floor / np.where(size > 0.0, size, 1.0))
    if not found:
        return None
    worst = found[0]
    words = ("Slopes can be trusted", "Slopes are rough", "Slopes drown in noise")
    verdict, finding = _graded(worst, SLOPES, words)
    if verdict == "good" and _is_unknown_ground(looked):
        verdict, finding = "mind", "Slopes can be trusted outside the gap"
    rows, unit = looked.target.rows, looked.dataset.time.unit
    means = f", averaged over {with_unit(2.0 * rows.width, unit)} as in the fit" if rows else ""
    return Check("slopes", verdict, finding, f"Off by {_how_near(found, 'about')}{means}.")


def _shares(looked: Looked, shares: Floats) -> tuple[float, str] | None:
    """Return the largest share of the states that change, and three in words; None where none changes."""
    order = sorted(looked.states(), key=lambda j: -float(shares[j]))
    if not order:
        return None
    said = ", ".join(f"{percent(float(shares[j]))} ({looked.name(j)})" for j in order[:3])
    return float(shares[order[0]]), said


def _how_near(found: tuple[float, str], near: str) -> str:
    """Return shares in words behind `near`, unless the largest is so small that only a bound is written."""
    return found[1] if found[1].startswith("<") else f"{near} {found[1]}"


def _graded(share: float, limits: tuple[float, float], words: tuple[str, str, str]) -> tuple[FitnessVerdict, str]:
    if share <= limits[0]:
        return "good", words[0]
    return ("mind", words[1]) if share <= limits[1] else ("bad", words[2])
