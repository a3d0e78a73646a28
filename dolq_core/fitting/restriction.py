"""Numbers of a law that are not free: known coefficients, limits, and numbers that are one in several places.

theta = fixed + free @ z: all numbers theta (p,) of a law, per term the coefficient and then the inner parameters, by
the q numbers z that are left to fit, each between its limits.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from dolq_core.arrays import Bools, Floats
from dolq_core.blocks import joint
from dolq_core.numerics.integrate import Rhs
from dolq_core.numerics.shooting import Shooting, Shot
from dolq_core.records import Blocks, EquationFit
from dolq_core.terms import Skeleton, count_params

TOUCHES = 1e-9
"""Distance from a limit, over the size of the number, within which a number is at it."""
NOTHING: Final[Mapping[int, float]] = MappingProxyType({})
Terms: TypeAlias = Sequence[tuple[int, Skeleton]]
"""The terms of a law in the order of its numbers: (equation, skeleton)."""


@dataclass(frozen=True, slots=True, eq=False)
class Restriction:
    """theta = fixed (p,) + free (p, q) @ z, with low (q,) <= z <= high (q,)."""

    fixed: Floats
    free: Floats
    low: Floats
    high: Floats

    def full(self, z: Floats) -> Floats:
        """Return all numbers (p,), z taken to its limits."""
        return self.fixed + self.free @ np.clip(z, self.low, self.high)

    def reduced(self, theta: Floats) -> Floats:
        """Return z (q,) whose numbers are nearest to theta, within the limits."""
        if not self.free.shape[1]:
            return np.empty(0)
        found: Floats = np.asarray(
            np.linalg.lstsq(self.free, np.nan_to_num(theta) - self.fixed, rcond=None)[0], dtype=np.float64
        )
        return np.clip(found, self.low, self.high)

    def covariance(self, of_z: Floats) -> Floats:
        """Return the covariance (p, p) of all numbers; infinite on the diagonal of those that are not fitted."""
        loose = ~np.isfinite(np.diag(of_z))
        known = np.where(loose[:, None] | loose[None, :], 0.0, of_z)
        found = self.free @ known @ self.free.T
        unknown = ~self.moves | (np.abs(self.free[:, loose]).sum(axis=1) > 0.0)
        found[unknown, unknown] = inf
        return found

    @property
    def moves(self) -> Bools:
        """Which of the numbers (p,) are fitted at all."""
        return np.any(self.free != 0.0, axis=1)

    def at_limits(self, z: Floats) -> Bools:
        """Which of z (q,) are at a limit."""
        room = TOUCHES * np.maximum(np.abs(z), 1e-12)
        return (z <= self.low + room) | (z >= self.high - room)

    def held(self, z: Floats, which: Bools) -> "Restriction":
        """Return the same with some of z held where they are."""
        return Restriction(
            self.fixed + self.free[:, which] @ np.clip(z, self.low, self.high)[which],
            self.free[:, ~which],
            self.low[~which],
            self.high[~which],
        )


def unchanged(theta: Floats) -> Restriction:
    """Return what leaves nothing to fit: all numbers (p,) as they are."""
    return Restriction(theta, np.empty((len(theta), 0)), np.empty(0), np.empty(0))


def shot_within(
    rule: Restriction | None, problem: Shooting, theta: Floats, shoot: Callable[[Shooting, Floats], Shot]
) -> Shot:
    """Shoot by the numbers that are left to fit; those that pass their limits stay there."""
    if rule is None:
        return shoot(problem, theta)

    def rhs_of(z: Floats, run: int) -> Rhs:
        return problem.rhs_of(rule.full(z), run)

    def accepts(z: Floats) -> bool:
        return problem.accepts(rule.full(z))

    some = replace(problem, rhs_of=rhs_of, accepts=accepts)
    found = shoot(some, rule.reduced(theta))
    return replace(found, theta=rule.full(found.theta), covariance=rule.covariance(found.covariance))


def law_of(fits: Sequence[EquationFit]) -> Terms:
    """Return the terms of a system in the order of its numbers."""
    return [(fit.equation, term.skeleton) for fit in fits for term in fit.terms]


def places_of(skeletons: Sequence[Skeleton]) -> list[int]:
    """Return where the coefficients of terms stand among all numbers."""
    counts = [1 + count_params(s) for s in skeletons]
    return [sum(counts[:k]) for k in range(len(counts))]


def restriction_of(blocks: Blocks, law: Terms, held: Mapping[int, float] = NOTHING) -> Restriction | None:
    """Return what is declared of the numbers of these terms; None where all are free. held: numbers by their place."""
    places = dict(zip(law, places_of([skeleton for _, skeleton in law]), strict=True))
    at = sum(1 + count_params(skeleton) for _, skeleton in law)
    rows: list[tuple[dict[int, float], float]] = []
    low, high = np.full(at, -inf), np.full(at, inf)
    for own in blocks.equations:
        for skeleton, value in own.fixed:
            if (own.equation, skeleton) in places:
                rows.append(({places[own.equation, skeleton]: 1.0}, value))
        for bound in own.bounds:
            if (own.equation, bound.skeleton) in places:
                k = places[own.equation, bound.skeleton] + (0 if bound.inner is None else 1 + bound.inner)
                low[k], high[k] = -inf if bound.low is None else bound.low, inf if bound.high is None else bound.high
    rows += [*joint(blocks, places), *(({k: 1.0}, value) for k, value in held.items())]
    if not rows and not np.isfinite(low).any() and not np.isfinite(high).any():
        return None
    fixed, free = _solved(rows, at)
    return _within(fixed, free, low, high)


def _solved(rows: Sequence[tuple[dict[int, float], float]], p: int) -> tuple[Floats, Floats]:
    """Solve linear conditions sum(factor * theta[k]) = value for the last number of each: fixed (p,), free (p, q)."""
    fixed: Floats = np.zeros(p)
    free: Floats = np.eye(p, dtype=np.float64)
    for factors, value in rows:
        weights = np.zeros(p)
        for k, factor in factors.items():
            weights[k] += factor
        slope, missing = weights @ free, value - float(weights @ fixed)
        live = np.flatnonzero(np.abs(slope) > TOUCHES)
        if not len(live):
            continue
        last = int(live[-1])
        moved: Floats = free[:, last].copy()
        fixed += moved * (missing / float(slope[last]))
        free -= moved[:, None] * (slope / slope[last])[None, :]
        free[:, last] = 0.0
    return fixed, free[:, np.any(free != 0.0, axis=0)]


def _within(fixed: Floats, free: Floats, low: Floats, high: Floats) -> Restriction:
    """Return the limits as those of z: of every number that hangs on one of z alone."""
    q = free.shape[1]
    least, most = np.full(q, -inf), np.full(q, inf)
    for k in range(len(fixed)):
        on = np.flatnonzero(free[k])
        if len(on) == 1:
            j, factor = int(on[0]), float(free[k, on[0]])
            ends = sorted(((low[k] - fixed[k]) / factor, (high[k] - fixed[k]) / factor))
            least[j], most[j] = max(least[j], ends[0]), min(most[j], ends[1])
    return Restriction(fixed, free, least, np.maximum(most, least))
