"""Where a law of one or two states moves, and the equilibria of one of one state."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.records import EquationFit, RunState
from dolq_core.runs import Run
from dolq_core.terms import variables
from dolq_core.views.system import rate, reported

REACH = 0.5
"""Share of the range of the data, beyond each of its ends, in which an equilibrium is looked for."""
MARGIN = 0.1
"""The same, that is shown in any case."""
POLE = 1e-6
"""Rate where the sign changes, over the rates around it, above which it is a pole and no equilibrium."""
VANISHING = 1e-100
"""Rate over the largest one that is too small for a computer to tell from zero."""
Kind: TypeAlias = Literal["stable", "unstable", "half-stable"]


@dataclass(frozen=True, slots=True)
class Field:
    """The best system of two states on a grid: where each point of the plane moves to.

    Attributes:
        x, y: (n,) values of the first and of the second state.
        dx, dy: (n, n) their rates, at [row of y, column of x]; NaN or infinite where a term is not defined.
    """

    x: Floats
    y: Floats
    dx: Floats
    dy: Floats


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """A value at which a law of one state stands still; half-stable: reached from one side, left on the other.

    At the end of the range only the side that can be seen counts.
    """

    x: float
    kind: Kind


@dataclass(frozen=True, slots=True)
class PhaseLine:
    """The rate of a law of one state over that state.

    Attributes:
        x, rate: (n,); the rate is NaN or infinite where a term is not defined.
        low, high: the range of the data; beyond it the law is carried on.
        equilibria: from left to right.
    """

    x: Floats
    rate: Floats
    low: float
    high: float
    equilibria: tuple[Equilibrium, ...]


def field(run: Run, low: Sequence[float], high: Sequence[float], n: int) -> Field | None:
    """Return the best system on n by n points from low to high; None unless two states alone say where it goes."""
    state = run.state
    fits = _autonomous(state)
    if len(fits) != 2:
        return None
    symbols = tuple(variable.symbol for variable in state.problem.dataset.states)
    x, y = (np.linspace(a, b, n) for a, b in zip(low, high, strict=True))
    at = np.stack([np.tile(x, n), np.repeat(y, n)])
    dx, dy = (_rate(fit, at, symbols).reshape(n, n) for fit in fits)
    return Field(x, y, dx, dy)


def phase_line(run: Run, n: int = 400) -> PhaseLine | None:
    """Return the rate of the best law over its state; None unless there is one state that alone says where it goes.

    The range is that of the data and a margin, and as far beyond as the equilibria that are near. Not below zero
    where the data never are.
    """
    state = run.state
    fits = _autonomous(state)
    if len(fits) != 1:
        return None
    symbols = (state.problem.dataset.states[0].symbol,)
    data = np.concatenate([one.x[:, 0] for one in state.problem.dataset.trajectories])
    low, high = float(np.nanmin(data)), float(np.nanmax(data))
    far = _widened(low, high, REACH)
    x = np.unique(np.append(np.linspace(*far, 4 * n), np.clip(0.0, *far)))
    found = _equilibria(fits[0], x, symbols)
    places = [one.x for one in found]
    start, end = _widened(min([low, *places]), max([high, *places]), MARGIN)
    shown = np.linspace(max(start, far[0]), min(end, far[1]), n)
    return PhaseLine(shown, _rate(fits[0], shown[None, :], symbols), low, high, found)


def _widened(low: float, high: float, share: float) -> tuple[float, float]:
    more = share * (high - low) or 1.0
    return max(low - more, 0.0) if low >= 0.0 else low - more, high + more


def _equilibria(fit: EquationFit, x: Floats, symbols: tuple[str, ...]) -> tuple[Equilibrium, ...]:
    """Return where the rate is zero on the points, or changes its sign between two of them without a pole."""
    rates = _rate(fit, x[None, :], symbols)
    sizes = np.abs(rates[np.isfinite(rates)])
    rates = np.where(np.abs(rates) <= VANISHING * np.max(sizes, initial=0.0), 0.0, rates)
    signs = np.sign(np.where(np.isfinite(rates), rates, np.nan))
    if not np.any(signs[np.isfinite(signs)]):
        return ()
    found = [_equilibrium(x[i], signs[i - 1] if i else np.nan, signs[i + 1] if i + 1 < len(x) else np.nan)
             for i in np.flatnonzero(signs == 0.0).tolist() if not _is_flat(signs, i)]  # fmt: skip
    for i in np.flatnonzero(signs[:-1] * signs[1:] < 0.0):
        at, left = _halved(fit, (float(x[i]), float(x[i + 1])), float(signs[i]), symbols)
        if abs(left) <= POLE * max(abs(rates[i]), abs(rates[i + 1])):
            found.append(_equilibrium(at, float(signs[i]), float(signs[i + 1])))
    return tuple(sorted(found, key=lambda one: one.x))


def _is_flat(signs: Floats, i: int) -> bool:
    """Whether the rate vanishes beside a point too: exp(-90/x) near zero is too small for a computer, and not zero."""
    return bool(np.any(signs[max(i - 1, 0) : i] == 0.0) or np.any(signs[i + 1 : i + 2] == 0.0))


def _equilibrium(x: float, before: float, after: float) -> Equilibrium:
    """Classify by the signs of the rate on both sides; NaN where a side is not known."""
    comes = [side > 0.0 for side in (before,) if np.isfinite(side)] + [
        side < 0.0 for side in (after,) if np.isfinite(side)
    ]
    kind: Kind = "stable" if all(comes) else "half-stable" if any(comes) else "unstable"
    return Equilibrium(float(x), kind)


def _halved(
    fit: EquationFit, between: tuple[float, float], sign: float, symbols: tuple[str, ...]
) -> tuple[float, float]:
    """Return (x, rate) where the sign changes, to the last bit."""
    low, high = between
    for _ in range(60):
        middle = (low + high) / 2.0
        same = float(_rate(fit, np.array([[middle]]), symbols)[0]) * sign > 0.0
        low, high = (middle, high) if same else (low, middle)
    return low, float(_rate(fit, np.array([[low]]), symbols)[0])


def _autonomous(state: RunState) -> tuple[EquationFit, ...]:
    """Return the reported equations where the states alone say where they go; none otherwise."""
    fits = reported(state)
    symbols = {variable.symbol for variable in state.problem.dataset.states}
    used = {name for fit in fits for term in fit.terms for name in variables(term.skeleton)}
    return fits if used <= symbols else ()


def _rate(fit: EquationFit, at: Floats, symbols: tuple[str, ...]) -> Floats:
    return rate(fit, at, np.zeros_like(at[0]), symbols)
