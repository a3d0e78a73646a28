"""One structure fitted to runs under different conditions: some numbers are the same in all, others one for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.fitting.likelihood import Likelihood, System
from dolq_core.fitting.whole_runs import Laws
from dolq_core.numerics.lifted import Stretches, fit, is_followed, with_steps

ENDED = 1e-3
"""Change of chi2 at which a fit ends."""


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """A structure fitted to all conditions at once.

    Attributes:
        columns: (c, p) where each number of the structure stands in theta, by condition; a shared one stands once.
        theta: (q,) the numbers; covariance: (q, q) of them.
        fit: nats of the samples; misfit: (d,) in standard deviations of the noise.
        x: (n, d) the simulation at the samples.
    """

    columns: Ints
    theta: Floats
    covariance: Floats
    fit: float
    misfit: Floats
    x: Floats

    def of(self, condition: int) -> Floats:
        """Return the numbers (p,) of one condition."""
        return self.theta[self.columns[condition]]

    def errors(self, condition: int) -> Floats:
        """Return the standard errors (p,) of the numbers of one condition."""
        return np.sqrt(np.maximum(np.diag(self.covariance)[self.columns[condition]], 0.0))


class LawByCondition:
    """Right-hand sides whose numbers hang on the condition, which is the last input (`numerics.lifted.Law`)."""

    def __init__(self, laws: Laws, columns: Ints) -> None:
        """columns: as in `Joint`."""
        self.laws = laws
        self.columns = columns
        self.q = int(columns.max()) + 1

    def rates(self, values: Floats, t: Floats, theta: Floats) -> Floats:
        """Return rates (d, n) at values (v + 1, n) of states, inputs and the condition."""
        rates = np.zeros((self.laws.d, len(t)))
        for own, columns in self._parts(values):
            rates[:, own] = self.laws.rates(values[:-1, own], t[own], theta[columns])
        return rates

    def slopes(self, values: Floats, t: Floats, theta: Floats, moves: Floats) -> tuple[Floats, Floats, Floats]:
        """Return rates (d, n), and their slopes by state (n, d, d) and by theta (n, d, q)."""
        n, d = len(t), self.laws.d
        rates, by_state, by_theta = np.zeros((d, n)), np.zeros((n, d, d)), np.zeros((n, d, self.q))
        for own, columns in self._parts(values):
            rates[:, own], by_state[own], part = self.laws.slopes(values[:-1, own], t[own], theta[columns], moves)
            by_theta[np.ix_(own, np.arange(d), columns)] = part
        return rates, by_state, by_theta

    def _parts(self, values: Floats) -> list[tuple[Ints, Ints]]:
        """The samples of each condition that has some, and where its numbers stand."""
        which = np.rint(values[-1]).astype(np.int64)
        found = [(np.flatnonzero(which == k), columns) for k, columns in enumerate(self.columns)]
        return [(own, columns) for own, columns in found if len(own)]


def joined(parts: Sequence[Likelihood]) -> Stretches:
    """Return the samples of all conditions, with noise of one size per state and the condition as the last input."""
    lengths = [len(one.data.t) for one in parts]
    firsts = np.concatenate(([0], np.cumsum(lengths)))
    inputs = [
        np.column_stack((one.data.inputs, np.full(n, k))) for k, (one, n) in enumerate(zip(parts, lengths, strict=True))
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
    )


def fitted(
    data: Stretches, system: System, symbols: tuple[str, ...], columns: Ints, theta: Floats, x: Floats
) -> Joint | None:
    """Return the structure fitted from the numbers theta (q,) and states x (n, d); None where it does not follow."""
    law = LawByCondition(Laws(system, symbols), columns)
    data = with_steps(data, law, theta, x)
    path = fit(data, law, theta, x, ended=ENDED)
    if path is None or not path.is_simulation or not np.isfinite(path.chi2) or not is_followed(data, law, path):
        return None
    counts = np.isfinite(path.residual).sum(axis=0)
    misfit = np.sqrt(np.nansum(path.residual**2, axis=0) / np.maximum(counts, 1))
    spread = path.chi2 / max(float(counts.sum()) - len(theta), 1.0)
    return Joint(columns, path.theta, path.covariance * spread, nats_of(misfit, counts), misfit, path.x)


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


def with_columns(joint: Joint, shared: Sequence[bool]) -> tuple[Ints, Floats]:
    """Return other columns and numbers to start from: the mean over conditions of what becomes shared."""
    values = np.array([joint.of(k) for k in range(len(joint.columns))])
    columns = columns_of(shared, len(values))
    theta = np.zeros(int(columns.max()) + 1)
    for k in range(len(values)):
        theta[columns[k]] = values[k]
    same = np.asarray(shared, dtype=np.bool_)
    theta[columns[0, same]] = values[:, same].mean(axis=0)
    return columns, theta
