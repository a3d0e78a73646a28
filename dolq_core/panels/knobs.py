"""The best system with other numbers: what each of them does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench, names_of
from dolq_core.numerics.metrics import nmse
from dolq_core.panels.forecast import left_words, own_start
from dolq_core.panels.system import MISSING, as_far, last_of, reported, seen_by
from dolq_core.records import EquationFit, FittedTerm, RunState, TermKey
from dolq_core.terms import to_latex, to_text

BELOW, ABOVE = 2.0, 3.0
"""Times the fitted value that a slider reaches on either side of zero: -2 and 3."""
ERRORS = 5.0
"""Standard errors that it reaches at least."""
STEPS = 250
POINTS = 300


@dataclass(frozen=True, slots=True)
class Knob:
    """One number of the best system, and the range in which it can be moved: 0 and the fitted value lie in it.

    inner: which of the numbers inside the term it is; None for the coefficient in front.
    """

    key: TermKey
    equation_name: str
    text: str
    latex: str
    fitted: float
    low: float
    high: float
    inner: int | None = None

    @property
    def step(self) -> float:
        """The smallest move; from `low` a whole number of them leads to the fitted value."""
        return (self.high - self.low) / STEPS


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """The system with other coefficients on one run, from the start of the fitted one.

    Attributes:
        t, x: (m,), (m, d) the simulation; NaN from where it cannot be followed. None where there is no system.
        nmse: per state the squared error on the data over their variance; None where it cannot be followed.
        failure: why it stops; empty when it goes through.
    """

    t: Floats
    x: Floats | None
    nmse: tuple[float | None, ...]
    failure: str


def knobs(state: RunState) -> tuple[Knob, ...]:
    """Return the numbers of the reported system in its order: per term the coefficient, then those inside it.

    None while an equation is missing.
    """
    names, states = names_of(state.problem.dataset), state.problem.dataset.states
    return tuple(
        Knob(
            TermKey(fit.equation, term.skeleton),
            states[fit.equation].name,
            to_text(term.skeleton, names, term.inner),
            to_latex(term.skeleton, names, term.inner),
            value,
            *_range(value, error),
            inner,
        )
        for fit in reported(state)
        for term in fit.terms
        for inner, value, error in (
            (None, term.coefficient, term.std_error),
            *((i, number, None) for i, number in enumerate(term.inner)),
        )
    )


def _range(value: float, error: float | None) -> tuple[float, float]:
    """Return from -2 to 3 times the value, or 5 standard errors either way where that is wider."""
    reach = ERRORS * error if error is not None and isfinite(error) else 0.0
    if 2.0 * reach > (BELOW + ABOVE) * abs(value):
        return value - reach, value + reach
    if value == 0.0:
        return -1.0, 1.0
    ends = (-BELOW * value, ABOVE * value)
    return min(ends), max(ends)


def moved(state: RunState, bench: Workbench, run: int, values: Sequence[float]) -> Moved:
    """Simulate one run with `values` as the numbers, in the order of `knobs`."""
    fits, measured = reported(state), state.problem.dataset.trajectories[run]
    start = own_start(state, bench, run)
    if not fits or not start:
        return Moved(measured.t, None, (None,) * measured.x.shape[1], MISSING)
    known, place = seen_by(bench, run)
    t = np.union1d(measured.t, np.linspace(float(measured.t[0]), float(measured.t[-1]), POINTS))
    path = as_far(partial(known.simulate, _with(fits, values), place, start=np.array(start)), t)
    at_data = path.x[np.searchsorted(t, measured.t)]
    errors = [nmse(at_data[:, j], measured.x[:, j]) for j in range(measured.x.shape[1])]
    failure = left_words(float(t[last_of(path)]), path.failure, state.problem.dataset) if path.failure else ""
    return Moved(t, path.x, tuple(e if isfinite(e) else None for e in errors), failure)


def _with(fits: Sequence[EquationFit], values: Sequence[float]) -> tuple[EquationFit, ...]:
    left = iter(values)
    return tuple(
        replace(fit, terms=tuple(_term(term, [next(left) for _ in range(1 + len(term.inner))]) for term in fit.terms))
        for fit in fits
    )


def _term(term: FittedTerm, values: Sequence[float]) -> FittedTerm:
    return replace(term, coefficient=float(values[0]), inner=tuple(float(value) for value in values[1:]))
