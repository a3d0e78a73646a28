"""The data, and beside them the best system or the current attempt, simulated."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import TypeVar

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench, errors_ahead
from dolq_core.fitting.weighing import counted_run
from dolq_core.loop.ranking import structure
from dolq_core.numerics.metrics import nmse
from dolq_core.records import EquationFit, RunState, Structure, derivative
from dolq_core.runs import Run, workbench
from dolq_core.runs.recent import Recent
from dolq_core.views.system import MISSING

T = TypeVar("T")
POINTS = 400
MOST = 5_000
"""Samples of a run at which the model is drawn; of longer runs every so many."""
VISIBLE = 1e-3
"""Width of a band, over the range of its state, below which a line hides it."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One run of the data and a system simulated from its start.

    Attributes:
        t: (n,) times of the data; data: (n, d) states, NaN where a cell was missing.
        model_t: (m,) times at which the model is drawn; model: (m, d), None when it could not be simulated, see
            `failure`.
        nmse: integral NMSE per state on this run (paper, eq. 1), over the variance of all runs as everywhere in the
            program; None without a model. Where an end of the run is held out: on what comes
            before it; empty where the whole run is. Samples of weight 0 are in `data` and not in the errors.
        held_from: the time from which the run is held out, None when it is not; the model has not seen that part.
        held_out_nmse: mean squared error per state on that part, over the variance of all runs.
        low, high: (m, d) two standard errors below and above the model, from the uncertainty of the coefficients and
            the start; None where they are not known or too small to see (clean data).
        followed: (n, d) the model at the times of the data; None where these are all in `model_t`.
        hidden: the states that were never measured: what `data` holds of them is a reconstruction.
    """

    label: str
    t: Floats
    data: Floats
    model_t: Floats
    model: Floats | None
    nmse: tuple[float | None, ...] = ()
    failure: str = ""
    held_from: float | None = None
    held_out_nmse: tuple[float | None, ...] = ()
    low: Floats | None = None
    high: Floats | None = None
    followed: Floats | None = None
    hidden: tuple[int, ...] = ()

    @property
    def seen(self) -> Floats:
        """(n, d) what was measured; NaN for a hidden state, and where a cell was missing."""
        return measured(self.data, self.hidden)

    @property
    def at_data(self) -> Floats:
        """(n, d) the model at the times of the data; NaN without a model."""
        if self.model is None:
            return np.full_like(self.data, np.nan)
        return self.model[np.searchsorted(self.model_t, self.t)] if self.followed is None else self.followed

    @property
    def placed(self) -> Floats:
        """(n, d) the samples; in the place of a hidden state the model, which alone says where it is."""
        if not self.hidden or self.model is None:
            return self.data
        found = self.data.copy()
        found[:, list(self.hidden)] = self.at_data[:, list(self.hidden)]
        return found

    @property
    def is_drawn(self) -> bool:
        """Whether there is a line of the simulation to see, however short."""
        return self.model is not None and int(np.isfinite(self.model).all(axis=1).sum()) > 1

    @property
    def is_apart(self) -> bool:
        """Whether the whole run is held out."""
        return self.held_from is not None and self.held_from <= self.t[0]


def curves(run: Run) -> tuple[Curve, ...]:
    """Return one curve per run: the data, and the best system from the run's own start; the last ones are kept.

    Where an end of the runs is held out, the coefficients are those that have not seen it.
    """
    known = _curves.get(id(run.state))
    if known is None or known[0] is not run.state:
        known = (run.state, _whole(run, [visited.scored for visited in run.state.best if visited is not None]))
        _curves.put(id(run.state), known)
    return known[1]


_curves: Recent[int, tuple[RunState, tuple[Curve, ...]]] = Recent(8)
"""By the address of a state, which the entry keeps alive."""


def as_fitted(run: Run) -> tuple[Curve, ...]:
    """Return the same with the coefficients of the fit to the target, none of them fitted again on trajectories."""
    return _whole(run, [visited.fit for visited in run.state.best if visited is not None])


def _whole(run: Run, fits: Sequence[EquationFit]) -> tuple[Curve, ...]:
    return _without(run.state, MISSING) if len(fits) < len(run.state.best) else simulated(run, fits)


def attempted(run: Run) -> tuple[Curve, ...]:
    """Return the same for the current attempt; empty where its equations have the terms of the best ones.

    An attempt that lacks an equation has curves without a model, which say so.
    """
    state = run.state
    attempt = state.last.attempt if state.last else ()
    fits = [_as_scored(state, fit) for fit in attempt if fit is not None]
    if not attempt or [_place(fit) for fit in attempt] == [_place(best and best.fit) for best in state.best]:
        return ()
    if len(fits) < len(attempt):
        none = [derivative(one.name) for one, fit in zip(state.problem.dataset.states, attempt, strict=True) if not fit]
        return _without(state, f"None of its equations for {' and '.join(none)} could be fitted.")
    return simulated(run, fits)


def simulated(run: Run, fits: Sequence[EquationFit], *, bands: bool = True) -> tuple[Curve, ...]:
    """Return one curve per run of the table for a system of one equation per state, on POINTS times and more."""
    bench, count = workbench(run), len(run.state.problem.dataset.trajectories)
    return tuple(_curve(run.state, bench, fits, number, bands=bands) for number in range(count))


def worst(curves: Sequence[Curve], states: int) -> tuple[float | None, ...]:
    """Return per state the greatest error over the runs that were fitted; None where one could not be followed."""
    fitted = [curve for curve in curves if not curve.is_apart]
    columns = [[curve.nmse[j] if curve.nmse else None for curve in fitted] for j in range(states)]
    return tuple(None if None in column else max(e for e in column if e is not None) for column in columns)


def worst_ahead(curves: Sequence[Curve], states: int) -> tuple[float | None, ...]:
    """Return per state the greatest error on what was held out; None where nothing was, or it was not followed."""
    columns = [[curve.held_out_nmse[j] for curve in curves if curve.held_out_nmse] for j in range(states)]
    return tuple(
        None if None in column else max((e for e in column if e is not None), default=None) for column in columns
    )


def measured(x: Floats, hidden: Sequence[int]) -> Floats:
    """Return samples (n, d) with NaN in the place of what is only reconstructed."""
    if not hidden:
        return x
    seen = x.copy()
    seen[:, list(hidden)] = np.nan
    return seen


def of_measured(values: Sequence[T], hidden: Sequence[int]) -> list[T]:
    """Return what there is of each state without that of the hidden ones, which no error can be told of."""
    return [value for j, value in enumerate(values) if j not in hidden]


def held(curves: Sequence[Curve]) -> str:
    """Return what to call what is held out: a run, runs, or a part of the runs."""
    whole = [curve.is_apart for curve in curves if curve.held_from is not None]
    return "part" if not all(whole) or not whole else "run" if len(whole) == 1 else "runs"


def _place(fit: EquationFit | None) -> Structure | None:
    return None if fit is None else structure(fit.equation, fit.terms)


def _as_scored(state: RunState, fit: EquationFit) -> EquationFit:
    """Return the coefficients that scores speak of, where this structure was refined earlier."""
    visited = state.archive.get(structure(fit.equation, fit.terms))
    return fit if visited is None or visited.fit.failure else visited.scored


def _without(state: RunState, why: str) -> tuple[Curve, ...]:
    dataset = state.problem.dataset
    none = (None,) * len(dataset.states)
    return tuple(
        Curve(run.label, run.t, run.x, run.t, None, none, why, hidden=dataset.hidden) for run in dataset.trajectories
    )


def _curve(state: RunState, bench: Workbench, fits: Sequence[EquationFit], number: int, *, bands: bool) -> Curve:
    run = counted_run(state.problem.dataset.trajectories[number])
    t, x, even = run.t, run.x, np.linspace(float(run.t[0]), float(run.t[-1]), POINTS)
    every, grid = np.union1d(t, even), np.union1d(t[:: -(-len(t) // MOST)], even)
    simulation = bench.simulate(fits, number, t=every)
    at_data = simulation.x[np.searchsorted(every, t)]
    since = bench.held.since[number] if bench.held else None
    later = t >= (inf if since is None else since)
    over, before = share_of_all(state, x), share_of_all(state, x[~later])
    scores = [] if later.all() else [nmse(at_data[~later, j], x[~later, j]) * before[j] for j in range(len(fits))]
    ahead = errors_ahead(at_data, x, later) if later.any() and not simulation.failure else ()
    low, high = (None, None) if simulation.failure or not bands else _band(bench, fits, number, grid)
    return Curve(
        run.label,
        run.t,
        state.problem.dataset.trajectories[number].x,
        grid,
        simulation.x[np.searchsorted(every, grid)],
        tuple(_finite(score) for score in scores),
        simulation.failure,
        since,
        tuple(_finite(score * part) for score, part in zip(ahead, over, strict=False)),
        low,
        high,
        at_data,
        state.problem.dataset.hidden,
    )


def share_of_all(state: RunState, x: Floats) -> list[float]:
    """Return the variance (d,) of one run's samples (n, d) over that of all runs: all errors are over the latter."""
    runs = state.problem.dataset.trajectories
    if len(runs) == 1:
        return [1.0] * x.shape[1]
    pairs = zip(x.T, np.concatenate([run.x for run in runs]).T, strict=True)
    found = [(_variance(own), _variance(every)) for own, every in pairs]
    return [own / every if own > 0.0 and every > 0.0 else 1.0 for own, every in found]


def _variance(values: Floats) -> float:
    """The variance of what was measured; 0 of nothing."""
    seen = values[np.isfinite(values)]
    return float(np.var(seen)) if len(seen) else 0.0


def _band(
    bench: Workbench, fits: Sequence[EquationFit], number: int, grid: Floats
) -> tuple[Floats, Floats] | tuple[None, None]:
    found = bench.band(fits, number, grid)
    if found is None:
        return None, None
    low, high = found
    spread = np.ptp(bench.x, axis=1)
    return (low, high) if bool(np.any(high - low > VISIBLE * spread)) else (None, None)


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
