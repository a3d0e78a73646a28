"""What the weak form of a target gets wrong besides the white noise of its samples: one figure per state."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array, diags_array

from dolq_core.arrays import Floats
from dolq_core.numerics.least_squares import least_squares
from dolq_core.numerics.noise import Run
from dolq_core.numerics.samples import Grid, interpolated
from dolq_core.numerics.weak import WeakRows, half_samples, stencil


def under_resolution(grids: Sequence[Grid], width: float) -> Floats:
    """Error of the quadrature (d,): the relative difference between steps 2h and h, squared, times the slopes."""
    differences: list[Floats] = []
    slopes: list[Floats] = []
    for g in grids:
        n, h = len(g.t), float(g.t[1] - g.t[0])
        half = half_samples(n, h, width) // 2 * 2
        if half < 4:
            continue
        first = np.arange(0, n - 2 * half, max(1, (n - 2 * half) // 64))
        windows = g.raw[first[:, None] + np.arange(2 * half + 1)]
        fine = np.einsum("rwd,w->rd", windows, stencil(half, h)[1])
        coarse = np.einsum("rwd,w->rd", windows[:, ::2], stencil(half // 2, 2 * h)[1])
        differences.append(fine - coarse)
        slopes.append(fine)
    if not slopes:
        return np.zeros(int(grids[0].raw.shape[1]), dtype=np.float64)
    size = np.sqrt(np.mean(np.concatenate(slopes) ** 2, axis=0))
    apart = np.sqrt(np.mean(np.concatenate(differences) ** 2, axis=0))
    return np.divide(apart**2, size, out=np.zeros_like(size), where=size > 0.0)


def between_curves(runs: Sequence[Run], rows: WeakRows, b: Floats, density: int) -> Floats:
    """Error of interpolation (d,): what a cubic misses of a quintic, to the power 3/2 (the ratio of their orders)."""
    cubic = np.concatenate([interpolated(t, x, density) for t, x in runs])
    apart = root_mean_square(np.ascontiguousarray((rows.slope @ cubic).T) - b)
    size = root_mean_square(b)
    return np.sqrt(np.divide(apart**3, size, out=np.zeros_like(size), where=size > 0.0))


def through_states(rows: WeakRows, grids: Sequence[Grid], b: Floats, left: Floats) -> Floats:
    """Error of f(x) (d,) from the noise that is `left` on the states (d,), through a linear fit of b on x.

    The fit that makes misfit and noise together least (ridge regression, the noise as its weight): where a sum of the
    states hardly changes, since what leaves one enters another, the slope along it would be chance, and so large that
    everything stood at this error.
    """
    states = np.ascontiguousarray((rows.mean @ np.concatenate([g.x for g in grids])).T)
    apart = states - states.mean(axis=1, keepdims=True)
    size = np.where(left > 0.0, left, 1.0)
    u, stretch, across = np.linalg.svd(apart / size[:, None], full_matrices=False)
    back = across @ (b - b.mean(axis=1, keepdims=True)).T
    damped = stretch / np.maximum(stretch**2 + (states.shape[1] if left.any() else 0.0), 1e-300)
    slopes = (u @ (damped[:, None] * back)).T / size
    return np.sqrt(np.sum((slopes * left) ** 2, axis=1))


def through_inputs(rows: WeakRows, grids: Sequence[Grid], b: Floats) -> Floats:
    """Error of f(x, u) (d,) because inputs u are known at the samples only, through a linear fit of b on x and u.

    The means of u under the test functions with every second sample less those with all: next to nothing for a smooth
    input, but a switch between two samples may stand anywhere between them.
    """
    u = np.concatenate([g.inputs for g in grids])
    if not u.shape[1]:
        return np.zeros(len(b))
    half = csr_array(rows.mean[:, ::2])
    half = csr_array(diags_array(1.0 / np.asarray(half.sum(axis=1)).ravel()) @ half)
    fine = np.ascontiguousarray((rows.mean @ np.hstack((np.concatenate([g.x for g in grids]), u))).T)
    apart = root_mean_square(fine[-u.shape[1] :] - np.ascontiguousarray((half @ u[::2]).T))
    design = np.vstack((fine, np.ones(fine.shape[1])))
    slopes = np.array([least_squares(design, row).coefficients[-1 - u.shape[1] : -1] for row in b])
    return np.sqrt(np.sum((slopes * apart) ** 2, axis=1))


def root_mean_square(b: Floats) -> Floats:
    """Return the size (d,) of each row of b (d, M)."""
    return np.sqrt(np.mean(b**2, axis=1))
