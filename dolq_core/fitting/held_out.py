"""The last part of each run, which no search, no fit and no evidence sees; only finished fits are measured on it.

An error on the held-out part is divided by the spread of the whole run, not by its own: a system that has come to
rest there would otherwise be measured against its noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import cast

import numpy as np

from dolq_core.arrays import Bools, Floats
from dolq_core.errors import FitError
from dolq_core.fitting.trajectories import Simulation, Trajectories
from dolq_core.numerics.targets import DENSE, Kind, Target, choose_target
from dolq_core.records import Dataset, EquationFit, Trajectory, TrajectoryScore
from dolq_core.terms import compile_columns


@dataclass(frozen=True, slots=True)
class Split:
    """A data set cut in two.

    Attributes:
        fit: every run without its held-out end.
        held: the ends, of the runs that have one; None when nothing is held out.
        since: per run the time from which it is held out, or None.
        reason: what was held out and what was not, as a sentence.
    """

    fit: Dataset
    held: Dataset | None
    since: tuple[float | None, ...]
    reason: str


def split(dataset: Dataset, share: float) -> Split:
    """Hold out the last `share` of the samples of each run that has at least 50 (DENSE)."""
    runs = dataset.trajectories
    none = Split(dataset, None, (None,) * len(runs), "")
    if share <= 0.0:
        return none
    cuts = [len(run.t) - round(share * len(run.t)) if len(run.t) >= DENSE else len(run.t) for run in runs]
    long = [(run, cut) for run, cut in zip(runs, cuts, strict=True) if cut < len(run.t)]
    short = len(runs) - len(long)
    if not long:
        return replace(none, reason=f" Nothing is held out: no run has {DENSE} samples.")
    fit = replace(dataset, trajectories=tuple(_part(run, 0, cut) for run, cut in zip(runs, cuts, strict=True)))
    held = replace(dataset, trajectories=tuple(_part(run, cut, len(run.t)) for run, cut in long))
    since = tuple(float(run.t[cut]) if cut < len(run.t) else None for run, cut in zip(runs, cuts, strict=True))
    of = "each run" if not short else f"each run with at least {DENSE} samples"
    return Split(fit, held, since, f" The last {share:.0%} of {of} are held out.")


def _part(run: Trajectory, first: int, end: int) -> Trajectory:
    inputs = None if run.inputs is None else run.inputs[first:end]
    return Trajectory(run.t[first:end], run.x[first:end], inputs, run.label)


def prepared(dataset: Dataset, kind: Kind) -> Target:
    """Build the target of a data set; raise FitError when no run has enough samples."""
    runs = [(run.t, run.x) for run in dataset.trajectories]
    empty = [np.empty((len(run.t), 0)) if run.inputs is None else run.inputs for run in dataset.trajectories]
    return choose_target(runs, kind, empty)


class HeldOut:
    """Measures fits on the held-out part. `start_of(fits, run)` gives the state at a run's first sample."""

    def __init__(self, dataset: Dataset, parts: Split, target: Target, symbols: tuple[str, ...]) -> None:
        self.since = parts.since
        self.dataset = dataset
        self.symbols = symbols
        self._whole = Trajectories(dataset, target.noise, symbols)
        self._target = _target(parts.held, target.kind)
        b = target.b if self._target is None else np.hstack((target.b, self._target.b))
        self._spread = _spread(b.T)

    def nmse(self, fit: EquationFit) -> float | None:
        """Return the residual NMSE on the held-out rows; inf where a term is not finite, None without rows."""
        target = self._target
        if target is None or fit.failure:
            return None
        values = np.vstack((target.x, target.inputs))
        model = np.zeros(len(target.t))
        with np.errstate(all="ignore"):
            for term in fit.terms:
                model += term.coefficient * compile_columns(term.skeleton, self.symbols)(values, target.t, term.inner)
            squares: Floats = (target.b[fit.equation] - target.apply(model[None, :])[0]) ** 2
            error = float(np.mean(squares)) / float(self._spread[fit.equation])
        return error if isfinite(error) else inf

    def simulate(self, fits: Sequence[EquationFit], run: int, t: Floats | None, start: Floats, at: float) -> Simulation:
        """Simulate a whole run from the state `start` at the time `at`, at the times t (all of the run's without t)."""
        times = self.dataset.trajectories[run].t if t is None else t
        if times[0] <= at:
            return self._whole.simulate(fits, run, times, start)
        path = self._whole.simulate(fits, run, np.concatenate(([at], times)), start)
        return Simulation(times, path.x[1:], path.failure)

    def score(self, seen: TrajectoryScore, paths: Sequence[Simulation]) -> TrajectoryScore:
        """Add to the score of the fit part the NMSE per state on the held-out part; paths: one per whole run."""
        models: list[Floats] = []
        later: list[Bools] = []
        for run, path, since in zip(self.dataset.trajectories, paths, self.since, strict=True):
            if since is not None and path.failure:
                why = seen.failure or f"On the held-out part: {path.failure}"
                return replace(seen, failure=why, held_out=tuple(inf for _ in seen.nmse))
            models.append(path.x)
            later.append(run.t >= (inf if since is None else since))
        data = np.concatenate([run.x for run in self.dataset.trajectories])
        return replace(seen, held_out=errors_ahead(np.concatenate(models), data, np.concatenate(later)))


def errors_ahead(model: Floats, data: Floats, later: Bools) -> tuple[float, ...]:
    """Return per state the mean square of model - data (n, d) where `later` (n,), over the variance of all data."""
    squares = (model[later] - data[later]) ** 2
    return tuple(_mean(column) / float(size) for column, size in zip(squares.T, _spread(data), strict=True))


def _target(held: Dataset | None, kind: str) -> Target | None:
    if held is None:
        return None
    try:
        return prepared(held, cast(Kind, kind))
    except FitError:  # a state that was not measured there
        return None


def _mean(errors: Floats) -> float:
    """Mean over the measured cells; 0 where none was measured."""
    seen = errors[np.isfinite(errors)]
    return float(np.mean(seen)) if len(seen) else 0.0


def _spread(values: Floats) -> Floats:
    """Variance of each column (n, d); its mean square where it does not vary, and 1 for zeros."""
    power: Floats = np.nanmean(values**2, axis=0)
    spread: Floats = np.nanvar(values, axis=0)
    scale: Floats = np.where(spread > 1e-24 * power, spread, power)
    return np.where(scale > 0.0, scale, 1.0)
