"""The weak form: integrals against test functions instead of derivatives.

For a test function phi that vanishes with its derivatives at both ends of its support,
    integral phi f(x) dt = integral phi x' dt = - integral phi' x dt,
so a sum over the states replaces the derivative, and noise is averaged, not amplified. Here
phi(u) = (1 - u^2)^8 on |u| <= 1, scaled to integral 1: a row is then a weighted mean of x', in its unit.
The trapezoidal rule is exact to high order for such functions on even grids (notes: 4e-25 on clean data).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, diags_array

from dolq_core.arrays import Floats, Ints
from dolq_core.numerics.holding import HELD_ON, Hold
from dolq_core.numerics.least_squares import least_squares, root_mean_square
from dolq_core.numerics.noise import Run
from dolq_core.numerics.samples import Grid, interpolated

POWER = 8
ROWS = 256
NARROW = 3e-3
"""Share of the spread of the states that says nothing of slopes: what 1 % of noise leaves on them after smoothing."""


@dataclass(frozen=True, slots=True, eq=False)
class WeakRows:
    """M test functions over N samples of all runs.

    Attributes:
        mean: (M, N) sparse; `mean @ f` is the weighted mean of f under each test function.
        slope: (M, N) sparse; `slope @ x` is the weighted mean of dx/dt.
        noise_gain: root mean square norm of the rows of `slope`: white noise sigma on x becomes noise_gain * sigma.
        effective: number of independent rows, about 2 N / (half-width in samples).
        width: half-width in time that was asked for; lengths: samples of each run.
    """

    mean: csr_array
    slope: csr_array
    noise_gain: float
    effective: float
    width: float
    lengths: tuple[int, ...]


def stencil(half: int, h: float) -> tuple[Floats, Floats]:
    """Weights (2 half + 1,) of the mean and of the slope on an even grid of step h."""
    u = np.arange(-half, half + 1) / half
    phi = (1.0 - u**2) ** POWER
    dphi = -2.0 * POWER * u * (1.0 - u**2) ** (POWER - 1) / (half * h)
    total = float(np.sum(phi))
    slope = -dphi / total
    return phi / total, slope / float(np.sum(slope * u * half * h))  # exact for straight lines


def weak_rows(grids: Sequence[tuple[int, float]], width: float, rows: int = ROWS) -> WeakRows:
    """Place about so many test functions evenly over the runs, even grids of (number of samples, step) each.

    width: half-width in the unit of time; shortened in runs that are too short for it.
    """
    span = sum(n * h for n, h in grids)
    parts = [_place(n, h, width, max(8, round(rows * n * h / span))) for n, h in grids]
    offsets = np.concatenate(([0], np.cumsum([n for n, _ in grids])))
    index = [
        first[:, None] + offset + np.arange(len(phi)) for (first, phi, _), offset in zip(parts, offsets, strict=False)
    ]
    shape = (sum(len(i) for i in index), int(offsets[-1]))
    mean = [np.tile(phi, len(first)) for first, phi, _ in parts]
    slope = [np.tile(dphi, len(first)) for first, _, dphi in parts]
    row_ends = np.concatenate(([0], np.cumsum(np.concatenate([np.full(i.shape[0], i.shape[1]) for i in index]))))
    columns = np.concatenate([i.ravel() for i in index])
    gains = [np.full(len(first), float(np.sum(dphi**2))) for first, _, dphi in parts]
    return WeakRows(
        mean=csr_array((np.concatenate(mean), columns, row_ends), shape=shape),
        slope=csr_array((np.concatenate(slope), columns, row_ends), shape=shape),
        noise_gain=float(np.sqrt(np.mean(np.concatenate(gains)))),
        effective=float(
            sum(2.0 * n / (len(p) // 2) for (n, _), (at, p, _) in zip(grids, parts, strict=True) if len(at))
        ),
        width=width,
        lengths=tuple(n for n, _ in grids),
    )


def half_samples(n: int, h: float, width: float) -> int:
    """Half-width in samples: at least 4, at most a third of the run."""
    return int(np.clip(round(width / h), min(4, max((n - 1) // 2, 1)), max((n - 1) // 3, 1)))


def _place(n: int, h: float, width: float, rows: int) -> tuple[Ints, Floats, Floats]:
    """First samples of the test functions of a run, and their weights; none in a run of fewer than seven samples."""
    half = half_samples(n, h, width)
    if half < 2:
        return (np.empty(0, dtype=np.int64), *stencil(2, h))
    last = n - 1 - 2 * half
    first = np.unique(np.round(np.linspace(0, last, min(rows, last + 1))).astype(np.int64))
    return (first, *stencil(half, h))


# --- what the rows get wrong besides the white noise of the samples: one figure per state -------------


def under_resolution(grids: Sequence[Grid], width: float, *, bent: bool = False) -> Floats:
    """Error of the quadrature (d,): the relative difference between steps 2h and h, squared, times the slopes.

    bent: slopes jump where an input is switched: a sum over samples is of second order there, and its error is a third
    of the difference.
    """
    differences: list[Floats] = []
    slopes: list[Floats] = []
    for g in grids:
        n, h = len(g.t), g.step
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
    if bent:
        return apart / 3.0
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
    everything stood at this error. Noise counts as NARROW of the spread at least: errors of rounding stay the same over
    many samples, and a slope along what only they change is chance as well.
    """
    states = np.ascontiguousarray((rows.mean @ np.concatenate([g.x for g in grids])).T)
    apart = states - states.mean(axis=1, keepdims=True)
    size = np.maximum(left, NARROW * root_mean_square(apart))
    size = np.where(size > 0.0, size, 1.0)
    u, stretch, across = np.linalg.svd(apart / size[:, None], full_matrices=False)
    back = across @ (b - b.mean(axis=1, keepdims=True)).T
    damped = stretch / (stretch**2 + states.shape[1])
    slopes = (u @ (damped[:, None] * back)).T / size
    return np.sqrt(np.sum((slopes * left) ** 2, axis=1))


def through_inputs(rows: WeakRows, grids: Sequence[Grid], b: Floats, holds: Sequence[Hold] = ()) -> Floats:
    """Error of f(x, u) (d,) because inputs u are known at the samples only, through a linear fit of b on x and u.

    The means of u under the test functions with every second sample less those with all: next to nothing for a smooth
    input, but a switch between two samples may stand anywhere between them. Of an input that is held it is known where
    it stands: there the error is what sums miss of integrals, a third of what means over two steps miss; so it is with
    the states, whose slopes jump where an input is switched.
    """
    x, u = (np.concatenate([getattr(g, own) for g in grids]) for own in ("x", "inputs"))
    if not u.shape[1]:
        return np.zeros(len(b))
    holds = holds or ("linear",) * int(u.shape[1])
    half = csr_array(rows.mean[:, ::2])
    half = csr_array(diags_array(1.0 / np.asarray(half.sum(axis=1)).ravel()) @ half)
    fine = np.ascontiguousarray((rows.mean @ np.hstack((x, u))).T)
    known = np.array([hold in (*HELD_ON, "next") for hold in holds])
    coarse = np.hstack((x, np.where(known, np.concatenate([_over_two_steps(g.inputs) for g in grids]), u)))
    apart = root_mean_square(fine - np.ascontiguousarray((half @ coarse[::2]).T))
    bent = 1.0 / 3.0 if any(hold != "linear" for hold in holds) else 0.0
    apart *= np.concatenate((np.full(x.shape[1], bent), np.where(known, 1.0 / 3.0, 1.0)))
    design = np.vstack((fine, np.ones(fine.shape[1])))
    slopes = np.array([least_squares(design, row).coefficients[:-1] for row in b])
    return np.sqrt(np.sum((slopes * apart) ** 2, axis=1))


def _over_two_steps(u: Floats) -> Floats:
    """Means (n, u) from a step before to a step after, of those over half as much."""
    wide = np.vstack((u[:1], u, u[-1:]))
    return (wide[:-2] + 2.0 * wide[1:-1] + wide[2:]) / 4.0
