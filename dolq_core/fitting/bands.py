"""How far off a simulation may be: what the uncertainty of coefficients and of the start does to it.

The delta method: x(t) +- 2 sqrt(diag(G C G')), G the slopes of x(t) in coefficients and start by forward differences,
C their joint covariance at the samples.
"""

from collections.abc import Sequence

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting.trajectories import Trajectories, coefficients, with_coefficients
from dolq_core.numerics.shooting import joint_covariance
from dolq_core.records import EquationFit

STEP = 1e-5
"""Of a forward difference, over the size of the number that is moved."""


def band(runs: Trajectories, fits: Sequence[EquationFit], run: int, t: Floats) -> tuple[Floats, Floats] | None:
    """Return (low, high), each (n, d): two standard deviations around the simulation; None where that fails."""
    known = [i for i in range(len(runs.runs)) if runs.is_known(i)]
    if run not in known:
        return None
    theta, d = coefficients(fits), len(runs.scale)
    starts, whole = joint_covariance(runs.problem(fits), theta)
    first = len(theta) + known.index(run) * d
    own = np.r_[np.arange(len(theta)), np.arange(first, first + d)]
    path, slopes = _slopes(runs, fits, run, t, starts[known.index(run)])
    return _around(path, _variance(slopes, whole[np.ix_(own, own)]))


def band_apart(
    seen: Trajectories, apart: Trajectories, fits: Sequence[EquationFit], run: int, t: Floats
) -> tuple[Floats, Floats] | None:
    """Return the band of a run that no coefficient was fitted to: `run` of `apart`, coefficients of `seen`.

    Its start is fitted to it under given coefficients, and follows them where they are others: the start moves by
    -(S'S)^-1 S'T with every coefficient, T and S the slopes of its samples over their errors in coefficients and start.
    """
    if not apart.is_known(run):
        return None
    theta = coefficients(fits)
    _, whole = joint_covariance(seen.problem(fits), theta)
    by_seen = whole[: len(theta), : len(theta)]
    own_t, x = apart.runs[run]
    path, slopes = _slopes(apart, fits, run, np.union1d(t, own_t), apart.start(fits, run))
    at, wanted = np.searchsorted(np.union1d(t, own_t), own_t), np.searchsorted(np.union1d(t, own_t), t)
    by_theta, by_start = slopes[: len(theta)], slopes[len(theta) :]
    if apart.precise:
        return _around(path[wanted], _variance(by_theta[:, wanted], by_seen))
    errors = np.maximum(np.sqrt(apart.least) * apart.scale, np.sqrt(np.nanmean((path[at] - x) ** 2, axis=0)))
    rows: Floats = np.where(np.isfinite(x), slopes[:, at] / np.maximum(errors, 1e-12 * apart.scale), 0.0)
    rows = rows.reshape(len(slopes), -1)
    own = np.asarray(np.linalg.pinv(rows[len(theta) :] @ rows[len(theta) :].T), dtype=np.float64)
    follows = -own @ rows[len(theta) :] @ rows[: len(theta)].T
    moved = by_theta + np.einsum("sk,snd->knd", follows, by_start)
    variance = _variance(moved[:, wanted], by_seen) + _variance(by_start[:, wanted], own)
    return _around(path[wanted], variance)


def _slopes(
    runs: Trajectories, fits: Sequence[EquationFit], run: int, t: Floats, start: Floats
) -> tuple[Floats, Floats]:
    """The path (n, d), and its slopes (k, n, d) in the coefficients and then in the start."""
    theta = coefficients(fits)
    at = np.concatenate((theta, start))
    size = np.concatenate((np.maximum(np.abs(theta), 1e-12), runs.scale))
    paths: list[Floats] = []
    for step in np.vstack((np.zeros(len(at)), STEP * np.diag(size))):
        moved = with_coefficients(fits, (at + step)[: len(theta)])
        paths.append(runs.simulate(moved, run, t, (at + step)[len(theta) :]).x)
    return paths[0], (np.array(paths[1:]) - paths[0]) / (STEP * size)[:, None, None]


def _variance(slopes: Floats, covariance: Floats) -> Floats:
    return np.einsum("knd,kl,lnd->nd", slopes, covariance, slopes)


def _around(path: Floats, variance: Floats) -> tuple[Floats, Floats] | None:
    spread: Floats = np.sqrt(variance)
    return (path - 2.0 * spread, path + 2.0 * spread) if np.isfinite(spread).all() else None
