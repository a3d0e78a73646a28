"""Derivatives that the table gives: rows that compare them, in place of an estimate."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.interpolate import make_interp_spline

from dolq_core.arrays import Bools, Floats
from dolq_core.numerics.derivative import fit_curve, is_uniform, savgol, spline
from dolq_core.numerics.least_squares import least_squares, root_mean_square
from dolq_core.numerics.noise import Run, noise_levels
from dolq_core.numerics.samples import CLEAN, DENSE, LOCAL, PASSED_DENSE
from dolq_core.numerics.target import LEAST_FLOOR, Target, blocks_of

FOLLOWED = 0.5
"""Share of the steps of a state that its derivatives explain from which the samples lie on a curve. Below it, as in a
table of separate experiments, states are taken as measured exactly, because a smooth curve through them would be worse,
and differences between neighbours say nothing of the noise of the derivatives: it counts as unknown, 0."""


def given_target(
    runs: Sequence[Run], inputs: Sequence[Floats], rates: Sequence[Floats], noise: Floats, reason: str
) -> Target:
    """Take the samples of runs (t (n,), x (n, d)) with inputs (n, u) and rates (n, d) where all is known.

    States are smoothed where they are noisy and dense. The error of f(x) from what noise is left on them goes through
    a linear fit of the rates on x.
    """
    spread = np.nanstd(np.concatenate([x for _, x in runs]), axis=0)
    scattered = not is_followed(runs, rates)
    noisy: Bools = (noise > CLEAN * spread) & (not scattered)
    smooth = [noisy & (len(t) >= DENSE) for t, _ in runs]
    states = [np.where(s, _smoothed(t, x, noise), x) if s.any() else x for (t, x), s in zip(runs, smooth, strict=True)]
    seen = [np.isfinite(np.hstack((x, dx))).all(axis=1) for x, dx in zip(states, rates, strict=True)]
    x, known, dx = (
        np.concatenate([values[s] for values, s in zip(part, seen, strict=True)]) for part in (states, inputs, rates)
    )
    b = np.ascontiguousarray(dx.T)
    design = np.vstack((x.T, np.ones(len(x))))
    slopes = np.array([least_squares(design, row).coefficients[:-1] for row in b])
    left = noise * np.where(np.logical_and.reduce(smooth), PASSED_DENSE, 1.0)
    blurred = np.sqrt(np.sum((slopes * np.where(noisy, left, 0.0)) ** 2, axis=1))
    white = np.zeros_like(noise) if scattered else _noise(runs, rates)
    return Target(
        kind="given",
        reason=reason,
        x=np.ascontiguousarray(x.T),
        t=np.concatenate([t[s] for (t, _), s in zip(runs, seen, strict=True)]),
        inputs=np.ascontiguousarray(known.T),
        dx=b,
        b=b,
        floor=np.sqrt(white**2 + blurred**2 + (LEAST_FLOOR * root_mean_square(b)) ** 2),
        noise=noise,
        blocks=blocks_of(b.shape[1]),
        effective=float(b.shape[1]),
        lengths=tuple(int(s.sum()) for s in seen),
        white=white,
    )


def is_followed(runs: Sequence[Run], rates: Sequence[Floats]) -> bool:
    """Whether every state steps from sample to sample about as its derivatives (n, d) say, by the trapezoidal rule."""
    steps = np.concatenate([np.diff(x, axis=0) for _, x in runs])
    said = np.concatenate(
        [np.diff(t)[:, None] * (dx[1:] + dx[:-1]) / 2.0 for (t, _), dx in zip(runs, rates, strict=True)]
    )
    seen = np.isfinite(steps) & np.isfinite(said)
    wrong, size = (np.sum(np.where(seen, part, 0.0) ** 2, axis=0) for part in (steps - said, steps))
    return bool(np.all(wrong <= (1.0 - FOLLOWED) * size))


def _noise(runs: Sequence[Run], rates: Sequence[Floats]) -> Floats:
    return noise_levels([(t, dx) for (t, _), dx in zip(runs, rates, strict=True)])


def _smoothed(t: Floats, x: Floats, noise: Floats) -> Floats:
    local = len(t) >= LOCAL and is_uniform(t) and bool(np.isfinite(x).all())
    return (savgol if local else spline)(t, x, noise)[0]


def with_rates(target: Target, runs: Sequence[Run], rates: Sequence[Floats]) -> Target:
    """Put given derivatives in the place of estimated ones: the same test functions or integrals, of dx itself.

    target: built on `runs`; rates: per run (n, d), NaN where nothing is given. Only states with a derivative on at
    least four samples of every run change.
    """
    times = np.split(target.t, np.cumsum(target.lengths)[:-1])
    counts = np.array([np.isfinite(dx).sum(axis=0) for dx in rates])
    level = _noise(runs, rates)
    b, dx, floor, white = target.b.copy(), target.dx.copy(), target.floor.copy(), _white(target)
    for j in np.flatnonzero(counts.min(axis=0) >= 4).tolist():
        series = [(t, slopes[:, j]) for (t, _), slopes in zip(runs, rates, strict=True)]
        fine, coarse = (np.concatenate(p) for p in zip(*_curves(series, times, float(level[j])), strict=True))
        rows = target.apply(np.vstack((fine, coarse)))
        apart = float(root_mean_square(rows[[0]] - rows[[1]])[0]) if float(level[j]) == 0.0 else 0.0
        rest = max(float(floor[j]) ** 2 - float(white[j]) ** 2, 0.0)
        white[j] = _gain(target) * float(level[j])
        dx[j], b[j] = fine, rows[0]
        floor[j] = np.sqrt(rest + white[j] ** 2 + apart**2)
    return replace(target, b=b, dx=dx, floor=floor, white=white)


def _curves(
    series: Sequence[tuple[Floats, Floats]], times: Sequence[Floats], noise: float
) -> list[tuple[Floats, Floats]]:
    """Per run the derivative at other times: as it stands where these are its own, else on a curve, and on a cubic."""
    found: list[tuple[Floats, Floats]] = []
    for (t, slopes), at in zip(series, times, strict=True):
        seen = np.isfinite(slopes)
        if len(at) == len(t) and np.array_equal(at, t) and seen.all():
            found.append((slopes, slopes))
            continue
        cubic = np.asarray(make_interp_spline(t[seen], slopes[seen], k=3)(at), dtype=np.float64)
        found.append((fit_curve(t, slopes, noise)(at, 0), cubic))
    return found


def _white(target: Target) -> Floats:
    return np.zeros_like(target.floor) if target.white is None else target.white.copy()


def _gain(target: Target) -> float:
    """Root mean square norm of the rows that turn a derivative at the points into b; 1 for points themselves."""
    means = target.sums if target.rows is None else target.rows.mean
    return 1.0 if means is None else float(np.sqrt(means.multiply(means).sum() / means.shape[0]))
