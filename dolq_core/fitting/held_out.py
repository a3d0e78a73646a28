"""What coefficients that are tested have not seen: the last part of each run, or whole runs; fits are measured on it.

Under noise structures are compared on the ends of the runs as well (`Workbench.likelihoods`), never on whole runs that
are held out. Elsewhere no search sees either; a law that is as good as exact and that the ends refute
(`limits.is_refuted`) is no reason to stop, and comes after one that they bear out.

An error on the held-out part is divided by the spread of the whole run, not by its own: a system that has come to
rest there would otherwise be measured against its noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Literal, cast

import numpy as np

from dolq_core.arrays import Bools, Floats
from dolq_core.errors import DataError, FitError
from dolq_core.fitting.bands import band_apart
from dolq_core.fitting.provenance import given_words, held_words
from dolq_core.fitting.stepped import rounded_words
from dolq_core.fitting.trajectories import Simulation, Trajectories
from dolq_core.fitting.unmeasured import unmeasured_target
from dolq_core.fitting.weighing import has_weights, relative_weights
from dolq_core.numerics.holding import Hold, holds_of
from dolq_core.numerics.samples import DENSE, usable
from dolq_core.numerics.target import Target
from dolq_core.numerics.targets import Kind, choose_target
from dolq_core.records import Dataset, EquationFit, Trajectory, TrajectoryScore
from dolq_core.terms import compile_columns


@dataclass(frozen=True, slots=True)
class Split:
    """A data set cut in two.

    Attributes:
        fit: the runs that are not held out whole, without their held-out ends; `rest`: the same with their ends.
        held: the ends, and the runs that are held out whole; None when nothing is held out.
        since: per run of the data set the time from which it is held out, or None; its first time for a whole run.
        place: per run its position in `fit`; None for a run that is held out whole.
        reason: what was held out and what was not, as a sentence.
    """

    fit: Dataset
    rest: Dataset
    held: Dataset | None
    since: tuple[float | None, ...]
    place: tuple[int | None, ...]
    reason: str


def held_as(dataset: Dataset, said: Hold | Literal["auto"] = "auto") -> Dataset:
    """Return the data set with what its inputs do between samples: as is said, else as far as all its samples say."""
    if dataset.holds or not dataset.inputs:
        return dataset
    if said != "auto":
        return replace(dataset, holds=(said,) * len(dataset.inputs))
    inputs = [run.inputs for run in dataset.trajectories if run.inputs is not None]
    return replace(dataset, holds=holds_of([(run.t, run.x) for run in dataset.trajectories], inputs))


def split(dataset: Dataset, share: float, whole: Sequence[str] = ()) -> Split:
    """Hold out the runs named in `whole`, and the last `share` of each other run that keeps 50 samples (DENSE).

    Raises DataError when a named run does not exist, or when nothing would be left to fit.
    """
    runs = dataset.trajectories
    out = chosen(dataset, whole)
    cuts = [0 if i in out else _cut(len(run.t), share) for i, run in enumerate(runs)]
    kept = [i for i in range(len(runs)) if i not in out]
    place = {run: position for position, run in enumerate(kept)}
    ends = [i for i in kept if cuts[i] < len(runs[i].t)]
    held = tuple(_part(run, cut, len(run.t)) for run, cut in zip(runs, cuts, strict=True) if cut < len(run.t))
    return Split(
        fit=replace(dataset, trajectories=tuple(_part(runs[i], 0, cuts[i]) for i in kept)),
        rest=replace(dataset, trajectories=tuple(runs[i] for i in kept)),
        held=replace(dataset, trajectories=held) if held else None,
        since=tuple(float(run.t[cut]) if cut < len(run.t) else None for run, cut in zip(runs, cuts, strict=True)),
        place=tuple(place.get(i) for i in range(len(runs))),
        reason=_apart_words(dataset, out) + _end_words(share, [len(runs[i].t) for i in kept], len(ends), bool(out)),
    )


def names_of_runs(dataset: Dataset) -> tuple[str, ...]:
    """Return what each run is called: its label, or its number from 1."""
    return tuple(run.label or str(number) for number, run in enumerate(dataset.trajectories, 1))


def chosen(dataset: Dataset, names: Sequence[str]) -> frozenset[int]:
    """Return the runs that are named by label, or by number from 1 where no label is the same; raise DataError."""
    known = names_of_runs(dataset)
    numbers = {str(number): number - 1 for number in range(1, len(known) + 1)}
    found: set[int] = set()
    for name in names:
        same = [i for i, own in enumerate(known) if own == name] or [i for text, i in numbers.items() if text == name]
        if not same:
            way_out = f"Its runs are {', '.join(map(repr, known))}." if len(known) > 1 else "The data are a single run."
            raise DataError(f"The run {name!r}", "it cannot be held out: the data have no such run", way_out)
        found.update(same)
    left = [(run.t, run.x) for i, run in enumerate(dataset.trajectories) if i not in found]
    if found and not usable(left, [np.empty((len(t), 0)) for t, _ in left])[0]:
        what = "The run" if len(found) == 1 else "The runs"
        named = ", ".join(repr(known[i]) for i in sorted(found))
        raise DataError(
            f"{what} {named}",
            f"nothing would be left to fit without {'it' if len(found) == 1 else 'them'}",
            "Hold out fewer runs.",
        )
    return frozenset(found)


def _cut(samples: int, share: float) -> int:
    kept = samples - round(share * samples)
    return kept if kept >= DENSE else samples


def _apart_words(dataset: Dataset, out: frozenset[int]) -> str:
    if not out:
        return ""
    known = names_of_runs(dataset)
    return f" Held out whole: run{'s' if len(out) > 1 else ''} {', '.join(known[i] for i in sorted(out))}."


def _end_words(share: float, kept: Sequence[int], ends: int, others: bool) -> str:
    if share <= 0.0:
        return ""
    if not ends:
        nothing = "No end of a run is held out: none" if others else "Nothing is held out: no run"
        return f" {nothing} {'has' if max(kept, default=0) < DENSE else 'would keep'} {DENSE} samples."
    of = "each run" if ends == len(kept) else f"each run that keeps at least {DENSE} samples"
    return f" The last {share:.0%} of {of}{' of the others' if others else ''} are held out."


def _part(run: Trajectory, first: int, end: int) -> Trajectory:
    more = [None if part is None else part[first:end] for part in (run.inputs, run.weights, run.derivatives)]
    return Trajectory(run.t[first:end], run.x[first:end], more[0], run.label, more[1], more[2])


def prepared(dataset: Dataset, kind: Kind) -> Target:
    """Build the target of a data set; raise FitError when no run has enough samples."""
    runs = [(run.t, run.x) for run in dataset.trajectories]
    empty = [np.empty((len(run.t), 0)) if run.inputs is None else run.inputs for run in dataset.trajectories]
    rates = [
        np.full_like(run.x, np.nan) if run.derivatives is None else run.derivatives for run in dataset.trajectories
    ]
    given = rates if dataset.derivatives else None
    called = [repr(one.name) for one in dataset.states]
    weights = relative_weights(dataset)
    may_be_few = weights is not None and has_weights(dataset)
    found = choose_target(
        runs, kind, empty, given, weights, called, dataset.holds, dataset.noise, may_be_few=may_be_few
    )
    target = unmeasured_target(found, dataset)
    return replace(target, reason=target.reason + given_words(dataset) + held_words(dataset) + rounded_words(dataset))


class HeldOut:
    """Measures fits on the held-out part.

    Attributes:
        since, place: as in `Split`; rest: the data that coefficients of a chosen structure may be fitted to.
        fitted_runs: the runs that are not held out whole, with their ends: their inputs are known there too.
        cut: whether any run has a held-out end.
    """

    def __init__(self, dataset: Dataset, parts: Split, target: Target, symbols: tuple[str, ...]) -> None:
        self.since, self.place, self.rest = parts.since, parts.place, parts.rest
        self.cut = any(s is not None and p is not None for s, p in zip(parts.since, parts.place, strict=True))
        self.dataset = dataset
        self.fitted_runs = parts.rest.trajectories
        self.symbols = symbols
        self._whole = Trajectories(dataset, target.noise, symbols)
        self._runs = [i for i, place in enumerate(parts.place) if place is None]
        alone = replace(dataset, trajectories=tuple(dataset.trajectories[i] for i in self._runs))
        self._alone = Trajectories(alone, target.noise, symbols) if self._runs else None
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

    def alone(self, fits: Sequence[EquationFit], run: int, t: Floats | None) -> Simulation:
        """Simulate a run that is held out whole from its own start, found as for every other run."""
        assert self._alone is not None
        return self._alone.simulate(fits, self._runs.index(run), t, None)

    def band(
        self, seen: Trajectories, fits: Sequence[EquationFit], run: int, t: Floats
    ) -> tuple[Floats, Floats] | None:
        """Return the band of a run that is held out whole; see `bands.band_apart`."""
        assert self._alone is not None
        return band_apart(seen, self._alone, fits, self._runs.index(run), t)

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
