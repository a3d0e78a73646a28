"""One structure fitted to runs under different conditions: some numbers are the same in all, others one for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.fitting.likelihood import Likelihood
from dolq_core.fitting.restriction import Restriction
from dolq_core.fitting.whole_runs import Laws, System, fit_within
from dolq_core.numerics.lifted import is_followed, with_steps
from dolq_core.numerics.stretches import Stretches

ENDED = 1e-3
"""Change of chi2 at which a fit ends."""


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """A structure fitted to all conditions at once.

    Attributes:
        theta, errors: (c, p) the numbers by condition, and their standard errors: inf for one that is not fitted.
        covariance: (c * p, c * p) of the numbers, condition after condition.
        fit: nats of the samples; misfit: (d,) in standard deviations of the noise.
        x: (n, d) the simulation at the samples.
    """

    theta: Floats
    errors: Floats
    covariance: Floats
    fit: float
    misfit: Floats
    x: Floats


class LawByCondition:
    """Right-hand sides whose numbers (c * p,) hang on the condition, the last input (`numerics.lifted.Law`)."""

    def __init__(self, laws: Laws) -> None:
        self.laws = laws

    @property
    def jumps(self) -> int:
        """At how many places the law jumps."""
        return self.laws.jumps

    def sides(self, values: Floats, t: Floats) -> Floats:
        """Return (s, n) what changes its sign where the law jumps: the same under every condition."""
        return self.laws.sides(values[:-1], t)

    def rates(self, values: Floats, t: Floats, theta: Floats, sides: Floats | None = None) -> Floats:
        """Return rates (d, n) at values (v + 1, n) of states, inputs and the condition."""
        rates = np.zeros((self.laws.d, len(t)))
        for own, place in self._parts(values):
            rates[:, own] = self.laws.rates(
                values[:-1, own], t[own], theta[place], None if sides is None else sides[:, own]
            )
        return rates

    def slopes(self, values: Floats, t: Floats, theta: Floats, moves: Floats) -> tuple[Floats, Floats, Floats]:
        """Return rates (d, n), and their slopes by state (d, d, n) and by theta (d, c * p, n)."""
        n, d = len(t), self.laws.d
        rates, by_state, by_theta = np.zeros((d, n)), np.zeros((d, d, n)), np.zeros((d, len(theta), n))
        for own, place in self._parts(values):
            found = self.laws.slopes(values[:-1, own], t[own], theta[place], moves)
            rates[:, own], by_state[:, :, own], by_theta[:, place][:, :, own] = found
        return rates, by_state, by_theta

    def _parts(self, values: Floats) -> list[tuple[Ints, slice]]:
        """The samples of each condition that has some, and where its numbers stand."""
        which = np.rint(values[-1]).astype(np.int64)
        p = self.laws.p
        return [(np.flatnonzero(which == k), slice(k * p, (k + 1) * p)) for k in np.unique(which).tolist()]


def shared_by(rule: Restriction, same: Sequence[bool], conditions: int) -> Restriction:
    """Return a rule for the numbers of all conditions (c * p,): those of z (q,) that are the `same` stand once."""
    columns = columns_of(same, conditions)
    p = len(rule.fixed)
    free = np.zeros((conditions * p, int(columns.max(initial=-1)) + 1))
    low, high = np.full(free.shape[1], -inf), np.full(free.shape[1], inf)
    for k, row in enumerate(columns):
        free[k * p : (k + 1) * p, row] = rule.free
        low[row], high[row] = rule.low, rule.high
    return Restriction(np.tile(rule.fixed, conditions), free, low, high)


def joined(parts: Sequence[Likelihood]) -> Stretches:
    """Return the samples of all conditions, with noise of one size per state and the condition as the last input."""
    lengths = [len(one.data.t) for one in parts]
    firsts = np.concatenate(([0], np.cumsum(lengths)))
    inputs = [
        np.column_stack((one.data.inputs, np.full(n, k))) for k, (one, n) in enumerate(zip(parts, lengths, strict=True))
    ]
    sides = [
        tuple(np.column_stack((side, np.full(n, k))) for side in one.data.sides)
        for k, (one, n) in enumerate(zip(parts, lengths, strict=True))
    ]
    spreads = [
        np.zeros(n) if one.data.spread is None else one.data.spread for one, n in zip(parts, lengths, strict=True)
    ]
    counts = [np.broadcast_to(np.asarray(one.data.counts), one.data.y.shape) for one in parts]
    sigma = np.sqrt(np.mean([one.data.sigma**2 for one in parts], axis=0))
    ends = np.concatenate([one.data.ends[1:] + first for one, first in zip(parts, firsts[:-1], strict=True)])
    return Stretches(
        t=np.concatenate([one.data.t for one in parts]),
        y=np.concatenate([one.data.y for one in parts]),
        inputs=np.concatenate(inputs),
        sigma=sigma,
        ends=np.concatenate(([0], ends)).astype(np.int64),
        counts=np.concatenate(counts),
        spread=np.concatenate(spreads) if any(one.data.spread is not None for one in parts) else None,
        held=(np.concatenate([begin for begin, _ in sides]), np.concatenate([end for _, end in sides])),
    )


def fitted(
    data: Stretches, system: System, symbols: tuple[str, ...], rule: Restriction, theta: Floats, x: Floats
) -> Joint | None:
    """Return the structure fitted from the numbers theta (c, p) and states x (n, d); None where it does not follow.

    rule: for the numbers of all conditions (`shared_by`).
    """
    law = LawByCondition(Laws(system, symbols))
    start = rule.full(rule.reduced(theta.ravel()))
    data = with_steps(data, law, start, x)
    path = fit_within(data, law, start, x, rule, ended=ENDED)
    if path is None or not path.is_simulation or not np.isfinite(path.chi2) or not is_followed(data, law, path):
        return None
    counts = np.isfinite(path.residual).sum(axis=0)
    covariance = path.covariance * (path.chi2 / max(float(counts.sum()) - rule.free.shape[1], 1.0))
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0)).reshape(theta.shape)
    return Joint(path.theta.reshape(theta.shape), errors, covariance, nats_of(path.misfit, counts), path.misfit, path.x)


def nats_of(misfit: Floats, counts: Floats | Ints) -> float:
    """Return the nats of samples, counts (d,) of each state, that lie misfit (d,) away, the noise estimated."""
    value = float(np.sum(counts * np.log(np.maximum(misfit, 1e-8))))
    return value if np.isfinite(value) else inf


def columns_of(shared: Sequence[bool], conditions: int) -> Ints:
    """Return where the numbers of each condition (c, p) stand: shared ones first, then those of each condition."""
    same = np.asarray(shared, dtype=np.bool_)
    columns = np.zeros((conditions, len(same)), dtype=np.int64)
    columns[:, same] = np.arange(int(same.sum()))
    free = int((~same).sum())
    for k in range(conditions):
        columns[k, ~same] = int(same.sum()) + k * free + np.arange(free)
    return columns
