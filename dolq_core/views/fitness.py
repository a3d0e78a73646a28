"""Are the data fit for discovery? What can be said before the first step, from what the fits themselves will use."""

import hashlib
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from dolq_core.agents.builtin import unmeasured
from dolq_core.arrays import Bools, Floats
from dolq_core.errors import FitError
from dolq_core.fitting import Workbench
from dolq_core.fitting.provenance import given_words, prepared_words
from dolq_core.numerics.derivative import is_uniform
from dolq_core.numerics.pieces import are_switched
from dolq_core.numerics.samples import DENSE
from dolq_core.numerics.target import Target
from dolq_core.records import Dataset, Problem, Settings
from dolq_core.runs import bench_of
from dolq_core.runs.recent import Recent
from dolq_core.views.amounts import counted, percent, rounded, with_unit

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
ALIKE = 0.1
"""Spread of the starts over that of the state, up to which runs begin alike."""
STILL = 1e-12
UNKNOWN = "too long to bridge. Make the parts separate runs."
AIMS = {
    "weak": "Weighted means of the rates, which average out noise.",
    "integral": "Samples against integrals of the terms.",
}
AGAIN = "Coefficients are refitted to whole runs."
NAMES = {
    "weak": "weak form",
    "integral": "integral form",
    "spline": "slopes of a spline",
    "savgol": "slopes of local polynomials",
    "gradient": "differences between neighbours",
    "given": "given derivatives",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: the finding in a few words, and what it means in a sentence."""

    code: str
    verdict: FitnessVerdict
    finding: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Aim:
    """What the fits had best compare. `trajectories`: coefficients are fitted again on whole trajectories."""

    kind: str
    name: str
    reason: str
    trajectories: bool


@dataclass(frozen=True, slots=True)
class Fitness:
    """All that was looked at, and the recommended target; None where nothing can be fitted."""

    checks: tuple[Check, ...]
    target: Aim | None


def _unfit(error: FitError) -> Fitness:
    return Fitness((Check("unfit", "bad", "Nothing can be fitted", str(error)),), None)


def _checked_on(problem: Problem, bench: Workbench, advised: Workbench) -> Fitness:
    """Check the part of the data that `bench` fits; `advised` is the same workbench with the target left to itself."""
    looked, aim = _Looked.at(bench), _aim(advised)
    found = (
        _amount(looked),
        _spacing(looked),
        _missing(looked),
        _left_out(looked),
        _noise(looked),
        _sampling(looked),
        _slopes(looked),
        _runs(looked),
        _constant(looked),
        _hidden(problem.description, bench.info.hidden or bench.info.crossing),
        _inputs(looked.dataset),
        _given(looked.dataset),
        _prepared(looked.dataset),
        _chosen(bench.target, aim),
    )
    return Fitness(tuple(check for check in found if check is not None), aim)


@dataclass(frozen=True, slots=True)
class _Looked:
    """What the checks share.

    Attributes:
        dataset: the part that is fitted; sparse: as `Workbench.is_sparse`.
        span, spread: (d,) range and standard deviation of each state as measured; smooth: range of the smooth curve.
        moving: (d,) whether it changes inside any run.
    """

    dataset: Dataset
    target: Target
    sparse: bool
    span: Floats
    spread: Floats
    smooth: Floats
    moving: Bools

    @classmethod
    def at(cls, bench: Workbench) -> "_Looked":
        runs = bench.dataset.trajectories
        samples = np.concatenate([run.x for run in runs])
        within = np.array([_span(run.x) for run in runs])
        moving: Bools = within.max(axis=0) > STILL * np.max(np.nan_to_num(np.abs(samples)), axis=0)
        span, smooth = _span(samples), _span(bench.target.x.T)
        return cls(bench.dataset, bench.target, bench.is_sparse, span, _spread(samples), smooth, moving)

    def states(self) -> list[int]:
        """Return the states that change, by number."""
        return [int(j) for j in np.flatnonzero(self.moving)]

    def name(self, j: int) -> str:
        return self.dataset.states[j].name

    def steps(self) -> Floats:
        return np.concatenate([np.diff(run.t) for run in self.dataset.trajectories])


def _span(x: Floats) -> Floats:
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


# --- the samples ------------------------------------------------------------------------------------


def _amount(looked: _Looked) -> Check:
    lengths = [len(run.t) for run in looked.dataset.trajectories]
    finding = f"{counted(sum(lengths), 'point')} to fit, {counted(len(lengths), 'run')}"
    if sum(lengths) < FEWEST:
        meaning = "Too few: two numbers fit nearly anything."
        return Check("points", "bad", finding, meaning)
    if looked.sparse:
        meaning = f"Under {DENSE} a run: a law must beat a random walk."
        return Check("points", "mind", finding, meaning)
    return Check("points", "good", finding, "Enough to average out noise.")


def _spacing(looked: _Looked) -> Check:
    steps, unit = looked.steps(), looked.dataset.time.unit
    usual, longest = float(np.median(steps)), float(np.max(steps))
    gaps = int(np.sum(steps > GAP * usual))
    told = f"Longest step {with_unit(longest, unit)}, usually {with_unit(usual, unit)}"
    if _is_unknown_ground(looked):
        return Check("spacing", "bad", counted(max(1, gaps), "long gap") + " in time", f"{told}: {UNKNOWN}")
    if 0 < gaps <= max(1.0, FEW_GAPS * len(steps)):
        return Check("spacing", "mind", counted(gaps, "gap") + " in time", f"{told}; bridged by a curve.")
    if all(is_uniform(run.t) for run in looked.dataset.trajectories):
        return Check("spacing", "good", "Times are even", f"A sample every {with_unit(usual, unit)}.")
    resolution = _resolution(looked)
    if float(np.ptp(steps)) <= 2.0 * resolution + 1e-9 * usual:  # each of two times is off by half of it
        meaning = f"A sample every {with_unit(float(np.mean(steps)), unit)}, rounded to {with_unit(resolution, unit)}."
        return Check("spacing", "good", "Times are even but for rounding", meaning)
    return Check("spacing", "mind", "Times are uneven", "The samples are smoothed first.")


def _is_unknown_ground(looked: _Looked) -> bool:
    """Whether a run has a step that is both much longer than usual and a good part of the run."""
    usual = LONG_GAP[0] * float(np.median(looked.steps()))
    longest = ((float(np.max(np.diff(run.t))), float(np.ptp(run.t))) for run in looked.dataset.trajectories)
    return any(step > usual and step > LONG_GAP[1] * span for step, span in longest)


def _resolution(looked: _Looked) -> float:
    """Return the decimal place to which the times are written; 0 where it is too fine to tell from the steps."""
    t = np.concatenate([run.t for run in looked.dataset.trajectories])
    for place in range(6):
        scaled = t * 10.0**place
        if np.allclose(scaled, np.round(scaled), rtol=0.0, atol=1e-6):
            found = 10.0**-place
            return found if found <= float(np.median(looked.steps())) / 4.0 else 0.0
    return 0.0


def _missing(looked: _Looked) -> Check | None:
    cells = np.concatenate([run.x.ravel() for run in looked.dataset.trajectories])
    count = int(np.isnan(cells).sum())
    if not count:
        return None
    verdict: FitnessVerdict = "bad" if count > MISSING * len(cells) else "mind"
    finding = f"{counted(count, 'cell is', 'cells are')} missing"
    return Check("missing", verdict, finding, f"{percent(count / len(cells))} of all, bridged by a curve.")


def _left_out(looked: _Looked) -> Check | None:
    out = len(looked.dataset.trajectories) - len(looked.target.sources)
    if not out:
        return None
    meaning = "A state has fewer than four samples there."
    return Check("left out", "mind", f"{counted(out, 'run')} cannot be used", meaning)


def _noise(looked: _Looked) -> Check | None:
    noise = looked.target.noise
    found = _shares(looked, noise / np.where(looked.span > 0.0, looked.span, 1.0))
    said = _shares(looked, noise / np.where(looked.spread > 0.0, looked.spread, 1.0))
    if not found or not said:
        return None
    if found[0] == 0.0:
        return Check("noise", "good", "No visible noise", "The samples lie on smooth curves.")
    verdict, finding = _graded(found[0], NOISE, ("Low noise", "Some noise", "Much noise"))
    return Check(
        "noise", verdict, finding, f"{_how_near(said, 'At most' if looked.sparse else 'About')} of the spread."
    )


def _sampling(looked: _Looked) -> Check | None:
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


def _slopes(looked: _Looked) -> Check | None:
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
    return Check("slopes", verdict, finding, f"Off by {_how_near(found, 'about')}.")


def _shares(looked: _Looked, shares: Floats) -> tuple[float, str] | None:
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


# --- runs, states, target ---------------------------------------------------------------------------


def _runs(looked: _Looked) -> Check | None:
    used = [looked.dataset.trajectories[i] for i in looked.target.sources]
    if len(used) == 1:
        return Check("runs", "mind", "One run only", "A run from another start would tell more laws apart.")
    starts = np.array([run.x[np.argmax(np.isfinite(run.x), axis=0), np.arange(run.x.shape[1])] for run in used])
    spread = np.where(looked.span > 0.0, looked.span, 1.0)
    if np.all(_span(starts) <= ALIKE * spread):
        return Check("runs", "mind", "All runs start alike", "A run from another start would tell more laws apart.")
    return Check("runs", "good", "Runs from different starts", "They tell more laws apart.")


def _constant(looked: _Looked) -> Check | None:
    still = [looked.name(j) for j in range(len(looked.span)) if not looked.moving[j]]
    if not still:
        return None
    named = ", ".join(still)
    finding = f"{named} never {'changes' if len(still) == 1 else 'change'}"
    return Check("constant", "bad", finding, "There is no change to explain: give it another role.")


def _hidden(description: str, proof: str) -> Check | None:
    if proof:
        return Check("hidden", "bad", "No law of these columns alone", proof)
    said = unmeasured(description)
    if said:
        return Check("hidden", "mind", "Hidden state, by the description", f"“{said}”")
    return None


def _inputs(dataset: Dataset) -> Check | None:
    inputs = dataset.inputs
    if not inputs:
        return None
    named = ", ".join(variable.name for variable in inputs)
    values = np.concatenate([run.inputs for run in dataset.trajectories if run.inputs is not None])
    few = [one.name for k, one in enumerate(inputs) if len(np.unique(values[:, k])) <= 2]
    if few:
        finding = f"{', '.join(few)} {'has' if len(few) == 1 else 'have'} two levels only"
        meaning = "A third level would tell a line from a curve."
        held = any(run.inputs is not None and are_switched(run.inputs) for run in dataset.trajectories)
        meaning = f"{meaning} Held between samples, switched halfway." if held else meaning
        return Check("inputs", "mind", finding, meaning)
    return Check("inputs", "good", counted(len(inputs), "known input"), f"{named}: in terms, without an equation.")


def _given(dataset: Dataset) -> Check | None:
    said = given_words(dataset).strip()
    if not said:
        return None
    finding = "Derivatives are given" if dataset.derivatives else "Samples have weights"
    return Check("given", "good", finding, said)


def _prepared(dataset: Dataset) -> Check | None:
    said = prepared_words(dataset)
    return Check("prepared", "good", "Columns were prepared", " ".join(said)) if said else None


def _aim(bench: Workbench) -> Aim:
    again, kind = bench.refines, bench.target.kind
    reason = AIMS.get(kind, bench.target.reason.strip())
    if again:
        return Aim(kind, f"{NAMES[kind]}, then trajectories", f"{reason} {AGAIN}", again)
    return Aim(kind, NAMES[kind], reason, again)


def _chosen(target: Target, aim: Aim) -> Check:
    if target.kind == aim.kind:
        return Check("target", "good", f"Target: {aim.name}", aim.reason)
    meaning = f"As in Settings. Better: {aim.name}. {aim.reason}"
    return Check("target", "mind", f"Target: {NAMES[target.kind]}", meaning)


_known: Recent[str, Fitness] = Recent(32)


def fitness(problem: Problem, settings: Settings | None = None) -> Fitness:
    """Return what the data allow, by the very workbench that a run with these settings fits with.

    Raises DataError when a run that is to be held out does not exist. What was checked last is remembered.
    """
    used = settings or Settings()
    mark = _mark(problem, used)
    found = _known.get(mark)
    if found is None:
        found = _fitness(problem, used)
        _known.put(mark, found)
    return found


def _fitness(problem: Problem, settings: Settings) -> Fitness:
    try:
        bench = bench_of(problem.dataset, settings, problem.blocks)
        left_to_itself = settings.target == "auto"
        advised = bench if left_to_itself else bench_of(problem.dataset, replace(settings, target="auto"))
    except FitError as error:
        return _unfit(error)
    return _checked_on(problem, bench, advised)


def _mark(problem: Problem, settings: Settings) -> str:
    """Tell apart all that the checks depend on."""
    dataset = problem.dataset
    words = (dataset.time, dataset.states, dataset.inputs, dataset.weights, dataset.derivatives, problem.description)
    mark = hashlib.sha256(repr((words, settings)).encode())
    for run in dataset.trajectories:
        mark.update(repr((run.label, run.x.shape)).encode())
        for values in (run.t, run.x, *(p for p in (run.inputs, run.weights, run.derivatives) if p is not None)):
            mark.update(values.tobytes())
    return mark.hexdigest()
