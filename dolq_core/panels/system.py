"""The best system as the panels simulate it: its reported equations, its rates, and how far it goes."""

from collections.abc import Callable

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.fitting.workbench import Simulation
from dolq_core.records import EquationFit, RunState
from dolq_core.terms import compile_columns

MISSING = "There is no equation for every state yet."


def reported(state: RunState) -> tuple[EquationFit, ...]:
    """Return the equation of every state with its reported coefficients; empty while one is missing."""
    fits = tuple(visited.refined or visited.fit for visited in state.best if visited is not None)
    return fits if len(fits) == len(state.problem.dataset.states) else ()


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
