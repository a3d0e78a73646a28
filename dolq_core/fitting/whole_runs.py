"""A system fitted to whole runs by its simulation: all numbers and starts at once (`numerics.lifted`)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting.restriction import Restriction
from dolq_core.numerics.lifted import (
    ENDED,
    LOOKS,
    Law,
    Path,
    by_residuals,
    fit,
    is_followed,
    with_steps,
)
from dolq_core.numerics.stretches import Stretches, cut
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Values, variables
from dolq_core.terms.evaluate import values_of
from dolq_core.terms.jumps import compile_sided, turns_in

System: TypeAlias = tuple[tuple[FittedTerm, ...], ...]
"""The terms of every equation."""
NUDGE = 1e-6
"""Relative step of differences by inner parameters."""
PARTS = (4, 2)
"""Stretches of each run whose numbers start the fit of a whole run that ran out of steps: of 240 fits 199 come to the
best numbers so, 186 without (`python -m lab fits`)."""
MOST_NUMBERS = 3_000_000
"""Numbers in the slopes of all samples by all states and coefficients: 24 MB. Beyond, runs are fitted on stretches."""


@dataclass(frozen=True, slots=True)
class Near:
    """A system as it follows whole runs.

    Attributes:
        system: its terms; runs: times (n,) and simulation (n, d) of each run.
        above_rest, whiteness: per equation, see `Likelihood`.
    """

    system: System
    runs: list[tuple[Floats, Floats]]
    above_rest: tuple[float, ...]
    whiteness: tuple[float, ...]


def fitted(
    data: Stretches, fits: Sequence[EquationFit], symbols: tuple[str, ...], x: Floats, rule: Restriction | None = None
) -> Path | None:
    """Return the fit from the numbers of `fits` and the states x (n, d); None where it does not become a simulation.

    None, too, where the system has too many states for that. rule: what is declared of the numbers.
    """
    theta = numbers_of(system_of(fits))
    n, d = x.shape
    if not len(theta) or n * d * (1 + d + len(theta)) > MOST_NUMBERS:
        return None
    law = Laws([one.terms for one in fits], symbols)
    data = with_steps(data, law, theta, x)
    found = fit_within(data, law, theta, x, rule)
    if found is None or not found.is_simulation or not np.isfinite(found.chi2):
        return None
    return found if is_followed(data, law, found) else None


def uneven(
    data: Stretches, fits: Sequence[EquationFit], symbols: tuple[str, ...], path: Path, covariance: Floats
) -> Floats:
    """Return the covariance (p, p) of a fit whose noise is not even (`numerics.lifted.by_residuals`), else as given."""
    law = Laws(system_of(fits), symbols)
    with np.errstate(all="ignore"):
        found = by_residuals(with_steps(data, law, path.theta, path.x), law, path)
    return covariance if found is None else found


def fit_within(
    data: Stretches,
    law: Law,
    theta: Floats,
    x: Floats,
    rule: Restriction | None,
    *,
    looks: int = LOOKS,
    hopeless: float = inf,
    ended: float = ENDED,
) -> Path | None:
    """Fit as `numerics.lifted.fit` does, numbers that pass their limits held there; `theta` of the path is whole."""
    if rule is None:
        return fit(data, law, theta, x, looks, hopeless, ended)
    z = rule.reduced(theta)
    for _ in range(len(z) + 1):
        path = fit(data, _Restricted(law, rule), z, x, looks, hopeless, ended)
        if path is None:
            return None
        passed = (path.theta < rule.low) | (path.theta > rule.high)
        if not passed.any():
            return replace(path, theta=rule.full(path.theta), covariance=rule.covariance(path.covariance))
        at = np.clip(path.theta, rule.low, rule.high)
        rule, z = rule.held(at, passed), at[~passed]
    return None


def fit_in_steps(
    data: Stretches,
    law: Law,
    theta: Floats,
    x: Floats,
    rule: Restriction | None = None,
    *,
    looks: int,
    hopeless: float = inf,
    ended: float = ENDED,
) -> Path | None:
    """Fit as `fit_within` does; where steps run out, once more from the numbers of PARTS of each run."""
    first = fit_within(data, law, theta, x, rule, looks=looks, hopeless=hopeless, ended=ended)
    if first is None or first.has_ended or not len(theta):
        return first
    start = theta
    for parts in PARTS:
        path = fit_within(cut(data, parts), law, start, x, rule, looks=looks, ended=ended)
        start = start if path is None else path.theta
    again = fit_within(data, law, start, x, rule, looks=looks, hopeless=hopeless, ended=ended)
    if again is None or not again.is_simulation or (first.is_simulation and first.chi2 <= again.chi2):
        return first
    return again


@dataclass(frozen=True, slots=True, eq=False)
class _Restricted:
    """A law by the numbers that are left to fit."""

    law: Law
    rule: Restriction

    @property
    def jumps(self) -> int:
        return self.law.jumps

    def sides(self, values: Floats, t: Floats) -> Floats:
        return self.law.sides(values, t)

    def rates(self, values: Floats, t: Floats, theta: Floats, sides: Floats | None = None) -> Floats:
        return self.law.rates(values, t, self._whole(theta), sides)

    def slopes(self, values: Floats, t: Floats, theta: Floats, moves: Floats) -> tuple[Floats, Floats, Floats]:
        rates, by_state, by_theta = self.law.slopes(values, t, self._whole(theta), moves)
        return rates, by_state, self.rule.free.T @ by_theta

    def _whole(self, z: Floats) -> Floats:
        return self.rule.fixed + self.rule.free @ z


class Laws:
    """The right-hand sides of a system for many points at once, as `numerics.lifted.Law` wants them.

    Where a term is not finite NumPy may warn: `numerics.lifted` ignores that.
    """

    def __init__(self, system: Sequence[Sequence[FittedTerm]], symbols: tuple[str, ...]) -> None:
        self.d = len(system)
        self._terms: list[_Term] = []
        jumps = turns_in([term.skeleton for terms in system for term in terms])
        self.jumps = len(jumps)
        self._jumps = [values_of(arg, symbols) for arg in jumps]
        at = 0
        for equation, terms in enumerate(system):
            for term in terms:
                inside = variables(term.skeleton)
                states = tuple(k for k, s in enumerate(symbols[: self.d]) if s in inside)
                column = compile_sided(term.skeleton, symbols, jumps)
                self._terms.append(_Term(equation, column, at, len(term.inner), states))
                at += 1 + len(term.inner)
        self.p = at

    def sides(self, values: Floats, t: Floats) -> Floats:
        """Return (s, n) what changes its sign where the law jumps or turns."""
        return np.array([np.broadcast_to(jump(values, t, ()), t.shape) for jump in self._jumps]).reshape(-1, len(t))

    def rates(self, values: Floats, t: Floats, theta: Floats, sides: Floats | None = None) -> Floats:
        """Return (d, n) rates at values (v, n) of states and inputs; on these sides (s, n) of its jumps, if given."""
        values = self._beside(values, t, sides)
        rates = np.zeros((self.d, len(t)))
        for term in self._terms:
            rates[term.equation] += theta[term.at] * term.values(values, t, theta)
        return rates

    def slopes(self, values: Floats, t: Floats, theta: Floats, moves: Floats) -> tuple[Floats, Floats, Floats]:
        """Return rates (d, n), their slopes by state (d, d, n) and by theta (d, p, n); moves (d,): steps of states."""
        n = len(t)
        values = self._beside(values, t, None)
        rates, by_state, by_theta = np.zeros((self.d, n)), np.zeros((self.d, self.d, n)), np.zeros((self.d, self.p, n))
        moved = [_moved(values, k, move) for k, move in enumerate(moves.tolist())]
        for term in self._terms:
            factor, j = theta[term.at], term.equation
            column = term.values(values, t, theta)
            rates[j] += factor * column
            by_theta[j, term.at] = column
            for k in term.states:
                by_state[j, k] += factor / moves[k] * (term.values(moved[k], t, theta) - column)
            for i in range(term.at + 1, term.at + 1 + term.inner):
                turned = theta.copy()
                turned[i] += NUDGE * max(abs(theta[i]), NUDGE)
                change = term.values(values, t, turned) - column
                by_theta[j, i] = factor / (turned[i] - theta[i]) * change
        return rates, by_state, by_theta

    def _beside(self, values: Floats, t: Floats, sides: Floats | None) -> Floats:
        """The values, and the signs of what the law jumps at, which no small step of a state changes."""
        if not self.jumps:
            return values
        return np.vstack((values, np.sign(self.sides(values, t) if sides is None else sides)))


@dataclass(frozen=True, slots=True)
class _Term:
    """A term of an equation; its numbers stand in theta from `at` on, `states` are those that it depends on."""

    equation: int
    column: Values
    at: int
    inner: int
    states: tuple[int, ...]

    def values(self, values: Floats, t: Floats, theta: Floats) -> Floats | float:
        return self.column(values, t, theta[self.at + 1 : self.at + 1 + self.inner].tolist())


def _moved(values: Floats, k: int, move: float) -> Floats:
    moved = values.copy()
    moved[k] += move
    return moved


def in_order(system: System, fits: Sequence[EquationFit]) -> System:
    """Return the terms of a system in the order in which the fits have them."""
    own = [{term.skeleton: term for term in terms} for terms in system]
    return tuple(tuple(known[term.skeleton] for term in fit.terms) for known, fit in zip(own, fits, strict=True))


def system_of(fits: Sequence[EquationFit]) -> System:
    """Return the terms of every equation."""
    return tuple(fit.terms for fit in fits)


def numbers_of(system: Sequence[Sequence[FittedTerm]]) -> Floats:
    """Return all numbers (p,) of a system: per term the coefficient, then the inner parameters."""
    return np.array(
        [v for terms in system for term in terms for v in (term.coefficient, *term.inner)], dtype=np.float64
    )


def with_numbers(system: System, theta: Floats, errors: Floats | None = None) -> System:
    """Return the system with other numbers (p,), and with standard errors (p,), None where one is not finite."""
    values: list[float] = theta.tolist()
    known = [None] * len(values) if errors is None else known_errors(errors)
    at = 0
    done: list[tuple[FittedTerm, ...]] = []
    for terms in system:
        row: list[FittedTerm] = []
        for term in terms:
            end = at + 1 + len(term.inner)
            own = term.inner_errors if errors is None else tuple(known[at + 1 : end])
            inner = tuple(values[at + 1 : end])
            row.append(replace(term, coefficient=values[at], std_error=known[at], inner=inner, inner_errors=own))
            at = end
        done.append(tuple(row))
    return tuple(done)


def known_errors(errors: Floats) -> list[float | None]:
    """Return standard errors for the record, None where one is not finite."""
    return [error if isfinite(error) else None for error in errors.tolist()]
