"""The best system: its equations, its rates at any points, its path from any start, its score on other data."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from dolq_core import loop
from dolq_core.arrays import Floats
from dolq_core.errors import ExportError, FitError
from dolq_core.export.law import Law, LawRun
from dolq_core.fitting import Simulation, Workbench, convention_of, names_of
from dolq_core.fitting.trajectories import right_side
from dolq_core.fitting.unmeasured import sources_of
from dolq_core.fitting.weighing import factors
from dolq_core.numerics.holding import Hold
from dolq_core.numerics.integrate import BLOWN_UP, Rhs, simulate
from dolq_core.records import Dataset, EquationFit, RunState, Settings, Status, TrajectoryScore
from dolq_core.runs import Run, bench_of, workbench
from dolq_core.terms import compile_columns

Inputs: TypeAlias = Callable[[float], ArrayLike]
"""The known inputs (u,) at a time."""
MISSING = "There is no equation for every state yet."
ENDED = "The run ended"
TRIED = "What it tried is in its bundle, and in the result document."


def reported(state: RunState) -> tuple[EquationFit, ...]:
    """Return the equation of every state with its reported coefficients; empty while one is missing."""
    fits = tuple(visited.reported for visited in state.best if visited is not None)
    return fits if len(fits) == len(state.problem.dataset.states) else ()


def missing(state: RunState) -> str:
    """Return what keeps a system from being exported: no equation for a state yet, or none in a run that has ended."""
    if not loop.reason_to_stop(state):
        return MISSING
    lacking = [one.name for one, best in zip(state.problem.dataset.states, state.best, strict=True) if best is None]
    return f"{ENDED} with no law for {', '.join(lacking)}."


def statuses(state: RunState) -> tuple[tuple[Status, str], ...]:
    """Return where each equation stands, and why (`loop.status`)."""
    return tuple(loop.status(state, j) for j in range(len(state.best)))


def hidden_of(state: RunState, equation: int) -> str:
    """Return what is known of a hidden state beside the laws of now; empty for a measured one."""
    laws = [visited.reported for visited in state.best if visited]
    on = sources_of(state.problem.dataset).get(equation)
    beside = {term.skeleton for law in laws if law.equation == on for term in law.terms}
    return convention_of(state.problem.dataset, equation, beside)


def seen_by(bench: Workbench, run: int) -> tuple[Workbench, int]:
    """Return the data that the reported coefficients have seen, and the run's place in them.

    A run that is held out whole is in none of them: it stays where it is.
    """
    place = run if bench.held is None else bench.held.place[run]
    return (bench, run) if place is None else (bench.whole, place)


def rate(fit: EquationFit, at: Floats, t: Floats, symbols: tuple[str, ...]) -> Floats:
    """Return the right-hand side (n,) of an equation at the points (symbols, n) and times (n,); may be infinite."""
    found = np.zeros(len(t))
    with np.errstate(all="ignore"):
        for term in fit.terms:
            found = found + term.coefficient * compile_columns(term.skeleton, symbols)(at, t, term.inner)
    return found


def as_far(simulate: Callable[[Floats], Simulation], t: Floats) -> Simulation:
    """Simulate at the times t, or, where that fails, at as many of them as it goes through; NaN after these."""
    whole = simulate(t)
    if not whole.failure:
        return whole
    x = np.full_like(whole.x, np.nan)
    good, bad = 1, len(t)
    while bad - good > 1:
        middle = (good + bad) // 2
        part = simulate(t[:middle])
        if part.failure:
            bad = middle
        else:
            good, x[:middle] = middle, part.x
    return Simulation(t, x, whole.failure)


def last_of(path: Simulation) -> int:
    """Return the index of the last time at which every state is known; 0 when none is."""
    known = np.flatnonzero(np.isfinite(path.x).all(axis=1))
    return int(known[-1]) if len(known) else 0


def rates_at(run: Run, x: Floats, t: Floats, inputs: Floats) -> Floats:
    """Return dx/dt (n, d) at the points x (n, d), times t (n,) and inputs (n, u); NaN where it is not defined.

    Raises FitError while an equation is missing.
    """
    state = run.state
    symbols = names_of(state.problem.dataset).symbols
    at = np.vstack((x.T, inputs.T))
    found = np.column_stack([rate(fit, at, t, symbols) for fit in complete(state)])
    return np.where(np.isfinite(found), found, np.nan)


def path_from(run: Run, start: Floats, t: Floats, inputs: Floats | Inputs, method: str = "") -> Simulation:
    """Return the states (n, d) from `start` (d,) at t[0] through increasing times t (n,); NaN where it leaves.

    inputs: (n, u) at these times, between them as in the data, or a function of the time. method: one of METHODS;
    empty for LSODA with Radau behind it. Raises FitError while an equation is missing.
    """
    state = run.state
    data = np.concatenate([one.x for one in state.problem.dataset.trajectories])
    size = np.maximum(np.nanmax(np.abs(data), axis=0), np.abs(start))
    bound = BLOWN_UP * np.where(size > 0.0, size, 1.0)
    symbols = names_of(state.problem.dataset).symbols
    if callable(inputs):
        rhs = _driven(right_side(complete(state), symbols, t, None), inputs)
    else:
        rhs = right_side(complete(state), symbols, t, inputs, _between(run))

    def follow(times: Floats) -> Simulation:
        path = simulate(rhs, start, times, bound, method=method)
        return Simulation(path.t, path.x, path.failure)

    return as_far(follow, t)


def _driven(rhs: Rhs, inputs: Inputs) -> Rhs:
    def driven(t: float, x: Sequence[float]) -> Sequence[float]:
        return rhs(t, [*x, *np.atleast_1d(np.asarray(inputs(t), dtype=np.float64)).tolist()])

    return driven


def complete(state: RunState) -> tuple[EquationFit, ...]:
    """Return the equation of every state with its reported coefficients; raise FitError while one is missing."""
    fits = reported(state)
    if not fits:
        raise FitError("The system", MISSING.rstrip(".").lower(), "Do a step first.")
    return fits


def score_on(run: Run, dataset: Dataset) -> TrajectoryScore:
    """Return the error of the simulated law on another data set of the same columns, per state over its variance.

    No coefficient is fitted again. The start of each run is the first sample where the data are clean and dense, else
    the one that explains the run best, as everywhere in the program.
    """
    alike = replace(dataset, holds=() if "placed" in workbench(run).holds else workbench(run).holds)
    return bench_of(alike, Settings(held_out=0.0)).trajectory_score(complete(run.state))


def driven(run: Run) -> Dataset:
    """Return the data of the run with its known inputs, and its noise, as the fits take them."""
    bench = workbench(run)
    dataset = replace(run.state.problem.dataset, noise=bench.growth)
    if not dataset.inputs:
        return dataset
    known = bench.dataset if bench.held is None else bench.held.dataset
    pairs = zip(dataset.trajectories, known.trajectories, strict=True)
    return replace(
        dataset, trajectories=tuple(replace(own, inputs=one.inputs) for own, one in pairs), holds=known.holds
    )


def _between(run: Run) -> tuple[Hold, ...]:
    """Return what inputs do between samples that were not measured: one that was placed by them switches halfway."""
    return tuple("nearest" if hold == "placed" else hold for hold in workbench(run).holds)


def law(run: Run) -> Law:
    """Return the best system as exports take it along; raise ExportError while an equation is missing."""
    state, fits = run.state, reported(run.state)
    if not fits:
        way_out = "Go on with it, then export it." if (why := missing(state)) == MISSING else TRIED
        raise ExportError(f"The run {run.name!r}", why.replace(ENDED, "it ended", 1), way_out)
    dataset, bench = state.problem.dataset, workbench(run)
    data = driven(run)
    counts = factors(data)
    runs = [
        LawRun(
            one.label or str(number + 1),
            one.t,
            one.x,
            np.empty((len(one.t), 0)) if one.inputs is None else one.inputs,
            own_start(run, number),
            bench.held is not None and bench.held.place[number] is None,
            None if counts is None else counts[number],
            bench.holds,
        )
        for number, one in enumerate(data.trajectories)
    ]
    return Law(
        run.name,
        state.iteration,
        replace(state.problem, dataset=replace(dataset, noise=bench.growth)),
        names_of(dataset),
        fits,
        statuses(state),
        tuple(runs),
        loop.record_in_words(state),
    )


def own_start(run: Run, number: int) -> tuple[float, ...]:
    """Return the state from which the reported system is simulated for a run; empty where it is not known."""
    fits = reported(run.state)
    if not fits:
        return ()
    known, place = seen_by(workbench(run), number)
    first = known.simulate(fits, place, t=known.times(place)[:2]).x[0]
    return tuple(first.tolist()) if np.isfinite(first).all() else ()
