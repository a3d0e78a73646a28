"""The integral form for few samples: what a state has become, against the integrals of the terms.

    x(t_i) = start + integral of f(x(s)) ds from the first sample to t_i

The left-hand side is the state as it was measured: nothing is differentiated, so samples may lie far apart and
unevenly. Only the integrals need a curve through the samples. Its errors add up along the run while those of the
samples do not, so the rows are whitened for a sum of both; the start of each run is unknown and is projected out.
Clean samples have no error of their own: there the rows are differences between neighbours.
Source: I. Dattner and C. A. J. Klaassen, Electronic Journal of Statistics 9, 1939 (2015), without the whitening.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import make_interp_spline
from scipy.sparse import block_diag, csr_array

from dolq_core.arrays import Bools, Floats
from dolq_core.numerics.derivative import fit_curve
from dolq_core.numerics.holding import Hold, between
from dolq_core.numerics.least_squares import TINY, root_mean_square
from dolq_core.numerics.noise import Run
from dolq_core.numerics.target import LEAST_FLOOR, NODES, Target, blocks_of

CLEAN = 1e-5
"""Noise over standard deviation below which a curve goes through the samples (`derivative.fit_curve`)."""
COLLINEAR = 0.02
"""Singular value, over the largest, below which integrals of the states count as the same one."""
SHAPE = 1.5
"""Error of a curve over its distance from another one (measured on nine clean sets of 15 to 40 samples: 0.5 to 1.9)."""
DRIFT = 0.5
"""Error that a curve adds to the integrals over the time in which the states change by their spread, in units of the
noise (measured on nine sets with 1 and 5 % noise: residual over floor 0.7 to 2.0 with the true terms)."""


def integral_target(
    runs: Sequence[Run], inputs: Sequence[Floats], noise: Floats, reason: str, holds: Sequence[Hold] = ()
) -> Target:
    """Put the runs (t (n,), x (n, d)), their inputs (n, u; holds: (u,)) and the noise (d,) into the integral form.

    Its rows are the samples, whitened, without their start; a missing cell is read off the curve. As many are
    independent as there are measured cells per state, less one start for each run.
    """
    rate = _rate(runs, noise)
    parts = [_part(t, x, u, noise, rate, holds) for (t, x), u in zip(runs, inputs, strict=True)]
    sums = csr_array(block_diag([csr_array(part.sums) for part in parts]))
    b, x, dx, other, known = (
        np.hstack(p) for p in zip(*((q.b, q.x, q.dx, q.other, q.inputs) for q in parts), strict=True)
    )
    seen = sum(float(np.sum(np.isfinite(x))) / x.shape[1] for _, x in runs)
    least, unresolved = LEAST_FLOOR * root_mean_square(b), _through_curves(sums, b, x, other)
    return Target(
        kind="integral",
        reason=reason,
        x=x,
        t=np.concatenate([part.t for part in parts]),
        inputs=known,
        dx=dx,
        b=b,
        floor=np.sqrt(noise**2 + unresolved**2 + least**2),
        noise=noise,
        blocks=blocks_of(b.shape[1]),
        effective=seen - len(parts),
        sums=sums,
        lengths=tuple(len(part.t) for part in parts),
        white=noise,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One run; `other` are the states (d, N) on another curve."""

    t: Floats
    x: Floats
    dx: Floats
    other: Floats
    inputs: Floats
    b: Floats
    sums: Floats


def _part(t: Floats, x: Floats, inputs: Floats, noise: Floats, rate: float, holds: Sequence[Hold]) -> _Part:
    nodes, weights = _nodes(t)
    n = len(t)
    whiten = _whitened(t, rate)
    up_to = np.repeat(np.tri(n, n - 1, -1), NODES, axis=1) * weights
    curves = [fit_curve(t, x[:, j], float(noise[j])) for j in range(x.shape[1])]
    filled = np.where(np.isfinite(x), x, np.column_stack([curve(t, 0) for curve in curves]))
    return _Part(
        t=nodes,
        x=np.array([curve(nodes, 0) for curve in curves]),
        dx=np.array([curve(nodes, 1) for curve in curves]),
        other=np.array([_other(t, y, float(s), nodes) for y, s in zip(x.T, noise, strict=True)]),
        inputs=np.ascontiguousarray(between(t, inputs, holds, nodes).T),
        b=(whiten @ filled).T,
        sums=whiten @ up_to,
    )


def _rate(runs: Sequence[Run], noise: Floats) -> float:
    """Error of the slopes over that of the samples, per time; inf for clean samples."""
    spread = np.nanstd(np.concatenate([x for _, x in runs]), axis=0)
    if np.all(noise <= CLEAN * spread):
        return np.inf
    rates: list[float] = []
    for j, (level, size) in enumerate(zip(noise.tolist(), spread.tolist(), strict=True)):
        slopes = np.concatenate([fit_curve(t, x[:, j], level)(_nodes(t)[0], 1) for t, x in runs])
        rates.append(float(np.sqrt(np.mean(slopes**2))) / size if size > 0.0 else 0.0)
    return DRIFT * max(rates)


def _whitened(t: Floats, rate: float) -> Floats:
    """Rows (m, n): unit white noise plus a walk with steps `rate` times those of t becomes white, a constant zero."""
    n = len(t)
    if not rate < np.inf:
        return np.eye(n - 1, n, 1) - np.eye(n - 1, n)
    walk = np.tri(n, n - 1, -1) * np.diff(t)
    values, vectors = np.linalg.eigh(np.eye(n) + rate**2 * walk @ walk.T)
    half = (vectors / np.sqrt(values)) @ vectors.T
    start = half @ np.ones(n)
    start /= np.linalg.norm(start)
    return half - np.outer(start, start @ half)


def _nodes(t: Floats) -> tuple[Floats, Floats]:
    """Gauss points between all neighbours among t (n,), and their weights, both ((n - 1) * NODES,)."""
    at, weight = np.polynomial.legendre.leggauss(NODES)
    half, middle = np.diff(t) / 2.0, (t[1:] + t[:-1]) / 2.0
    return (middle[:, None] + half[:, None] * at).ravel(), (half[:, None] * weight).ravel()


def _other(t: Floats, y: Floats, noise: float, at: Floats) -> Floats:
    """Another curve through the samples y (n,): of degree 7 where they are clean, else the cubic through all."""
    seen: Bools = np.isfinite(y)
    clean = noise <= CLEAN * float(np.std(y[seen]))
    degree = next(k for k in ((7, 3, 1) if clean else (3, 1)) if k < int(seen.sum()))
    return np.asarray(make_interp_spline(t[seen], y[seen], k=degree)(at), dtype=np.float64)


def _through_curves(sums: csr_array, b: Floats, x: Floats, other: Floats) -> Floats:
    """Error of the integrals (d,) by a linear fit of b on those of the states, from the distance of two curves."""
    fine, coarse = (np.ascontiguousarray((sums @ states.T).T) for states in (x, other))
    one = (sums @ np.ones(x.shape[1]))[None, :]
    design = np.vstack((fine, one))
    size = np.maximum(np.linalg.norm(design, axis=1), TINY)
    found = np.asarray(np.linalg.lstsq((design / size[:, None]).T, b.T, rcond=COLLINEAR)[0], dtype=np.float64)
    slopes = (found / size[:, None])[:-1].T
    return SHAPE * root_mean_square(slopes @ (fine - coarse))
