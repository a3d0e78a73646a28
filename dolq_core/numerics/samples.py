"""From measured runs to even grids without gaps: what the targets are built on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import make_interp_spline

from dolq_core.arrays import Floats
from dolq_core.errors import grouped
from dolq_core.numerics.derivative import fit_curve, is_uniform, savgol
from dolq_core.numerics.holding import Hold, at_samples, on_grid
from dolq_core.numerics.noise import Run

CLEAN = 1e-4
"""Noise over standard deviation below which states are used as measured."""
DENSE = 50
"""Samples per run from which the weak form works on the samples themselves, and noisy states are smoothed."""
COMPARED = 30
"""The same of noisy samples, where whole runs decide and the weak form only leads to them."""
PASSED_DENSE, PASSED_SPARSE = 0.25, 0.6
"""Share of the noise that is left on smoothed states (measured on the paper's systems)."""
LOCAL = 100
"""Samples from which local polynomials smooth as well as a spline, in a tenth of the time."""
MOST_SAMPLES = 4000
"""Longer data are thinned before the search; 2000 to 4000 samples carry a weak form."""
MOST_UNTHINNED = 10_000
"""Samples that are searched at most where thinning to MOST_SAMPLES would lose what is fast: the first of each run."""
LEAST_HEAD = 200
"""Samples of a run that are kept in any case."""
BENT_MEAN = 0.03
"""Distance of means over a block from their middle, in standard deviations of the noise (root mean square), up to which
samples are averaged. At 0.3, in five runs of Burke and Shaw's system of 1,000 samples with 1 % noise, coefficients were
off by 11 standard errors and five terms of 1e-3 explained the samples better than the law."""
BENT_STRIDE = 0.2
"""Second difference over LAG strides, of a state's standard deviation (root mean square), up to which single samples
are taken: some 60 of them in a period."""
LAG = 4
"""Blocks between the samples of a second difference: noise weighs less in it than in that of neighbours."""
SHORTEST = 3 * LAG
"""Blocks of a run from which it is thinned."""
MOST_INTEGRAL = 500
"""Samples of a run up to which it has an integral form: matrices of n by n, and their eigenvectors."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """One run on an even grid.

    Attributes:
        t: (n,) even times.
        x: (n, d) states that terms are evaluated on, smoothed when noisy.
        raw: (n, d) states for the weak slopes: as measured where the grid is that of the samples.
        dx: (n, d) derivatives of the smooth curve.
        inputs: (n, u) known inputs; those that are held, their mean over a step.
        sampling: mean step of the samples, at least the step of the grid.
        own: whether the grid is that of the samples, without a gap.
    """

    t: Floats
    x: Floats
    raw: Floats
    dx: Floats
    inputs: Floats
    sampling: float
    own: bool

    @property
    def step(self) -> float:
        """Mean step of the grid: the first one is off by the last digit that times were written with."""
        return float(self.t[-1] - self.t[0]) / (len(self.t) - 1)


def is_dense(runs: Sequence[Run], noise: Floats, *, is_weighted: bool = False) -> bool:
    """Whether there are samples enough to average over: in half of the runs, or more in one than integrals are for.

    noise: (d,) of the states. is_weighted: whether some samples may count for so little that there are hardly as many.
    """
    lengths = [len(t) for t, _ in runs]
    is_noisy = bool(np.any(noise > CLEAN * np.nanstd(np.concatenate([x for _, x in runs]), axis=0)))
    return (
        bool(np.median(lengths) >= (COMPARED if is_noisy and not is_weighted else DENSE))
        or max(lengths) > MOST_INTEGRAL
    )


def is_few(lengths: Sequence[int]) -> bool:
    """Whether runs of so many samples have too few to average over: whole runs decide, and a law must beat a walk."""
    return float(np.median(lengths)) < DENSE and max(lengths) <= MOST_INTEGRAL


def usable(runs: Sequence[Run], inputs: Sequence[Floats]) -> tuple[list[Run], list[Floats], str]:
    """Cut runs to the span in which every state was seen, drop those that never saw one, and say so."""
    kept: list[Run] = []
    kept_inputs: list[Floats] = []
    for (t, x), u in zip(runs, inputs, strict=True):
        seen = np.isfinite(x)
        if not seen.any(axis=0).all():
            continue
        first = int(np.max(np.argmax(seen, axis=0)))
        last = int(np.min(len(t) - np.argmax(seen[::-1], axis=0)))
        if last - first >= 4:
            kept.append((t[first:last], x[first:last]))
            kept_inputs.append(u[first:last])
    dropped = len(runs) - len(kept)
    if not dropped:
        return kept, kept_inputs, ""
    plural = "s were" if dropped > 1 else " was"
    return (
        kept,
        kept_inputs,
        f" {dropped} run{plural} left out: a state was never measured there, or on fewer than four samples.",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Thinned:
    """Runs with fewer samples.

    Attributes:
        runs, inputs: per run (t (n,), x (n, d)) and (n, u).
        spread: per run (n,) variance of the times of the samples that one stands for; None where each is a sample.
        shares: per run, samples that one stands for, of those in the runs that are thinned.
        reason: what was left out, as a sentence behind a space; empty where nothing was.
    """

    runs: list[Run]
    inputs: list[Floats]
    spread: list[Floats] | None = None
    shares: tuple[float, ...] = ()
    reason: str = ""


def thinned(runs: Sequence[Run], inputs: Sequence[Floats], noise: Floats) -> Thinned:
    """Thin evenly to about MOST_SAMPLES in all: single samples of clean data, averages over blocks of noisy ones.

    An average over a curved stretch lies beside the curve, so clean data would lose their exactness; on noisy data
    averaging keeps what every sample says. Where so few samples would not resolve what is fast, more are kept, up to
    MOST_UNTHINNED; what is longer still is cut behind the first part of each run.
    """
    total = sum(len(t) for t, _ in runs)
    block = -(-total // MOST_SAMPLES)
    if block == 1:
        return Thinned(list(runs), list(inputs))
    spread = np.nanstd(np.concatenate([x for _, x in runs]), axis=0)
    clean = bool(np.all(noise <= CLEAN * spread))
    thin, scale = (_strided, BENT_STRIDE * spread) if clean else (_averaged, _mean_scale(noise, spread))
    while block > 1 and any(_bends(thin(x, block), scale) for _, x in runs):
        block //= 2
    blocks = [block if len(t) > SHORTEST * block else 1 for t, _ in runs]  # a short run stays as it is
    share = min(1.0, MOST_UNTHINNED / sum(len(t) // own for (t, _), own in zip(runs, blocks, strict=True)))
    heads = [len(t) if share == 1.0 else max(int(share * len(t)), LEAST_HEAD * block) for t, _ in runs]
    cut = [(t[:n], x[:n], u[:n], own) for (t, x), u, n, own in zip(runs, inputs, heads, blocks, strict=True)]
    left = sum(len(t) for t, _, _, _ in cut)
    return Thinned(
        [(thin(t[:, None], own)[:, 0], thin(x, own)) for t, x, _, own in cut],
        [thin(u, own) for _, _, u, own in cut],
        None if clean or block == 1 else [_variances(t, own) for t, _, _, own in cut],
        tuple(own / block for own in blocks),
        f" Of {grouped(total)} samples the first {grouped(left)} are used, from the beginning of each run."
        if left < total
        else "",
    )


def _strided(values: Floats, block: int) -> Floats:
    return np.ascontiguousarray(values[::block])


def _averaged(values: Floats, block: int) -> Floats:
    return np.mean(_blocks(values, block), axis=1)


def _blocks(values: Floats, block: int) -> Floats:
    count = len(values) // block
    return values[: count * block].reshape(count, block, values.shape[1])


def _variances(t: Floats, block: int) -> Floats:
    return np.var(_blocks(t[:, None], block)[:, :, 0], axis=1)


def _mean_scale(noise: Floats, spread: Floats) -> Floats:
    """Second difference (d,) over LAG blocks at which their means are near enough to the curve.

    A mean over a block lies a 24th of the second difference over one block beside its middle.
    """
    return 24.0 * LAG**2 * BENT_MEAN * np.maximum(noise, CLEAN * spread)


def _bends(x: Floats, scale: Floats) -> bool:
    """Whether second differences of a state (n, d) over LAG samples are larger than `scale` (d,).

    As root mean square: a switch now and then bends few means, a swing bends all.
    """
    if len(x) <= SHORTEST:
        return False
    second = x[2 * LAG :] - 2.0 * x[LAG:-LAG] + x[: -2 * LAG]
    seen = np.isfinite(second)
    return bool(np.any(np.sum(np.where(seen, second, 0.0) ** 2, axis=0) > scale**2 * seen.sum(axis=0)))


def even_grid(run: Run, inputs: Floats, noise: Floats, density: int, holds: Sequence[Hold] = ()) -> Grid:
    """Put one run on an even grid with `density` steps per sample (1: the samples' own, when they are even)."""
    t, x = run
    n = (len(t) - 1) * density + 1
    own = density == 1 and is_uniform(t) and bool(np.isfinite(x).all())
    grid: Floats = t if own else np.linspace(float(t[0]), float(t[-1]), n)
    smooth, slopes = savgol(t, x, noise) if own and n >= LOCAL else _on_curves(t, x, noise, grid)
    clean = noise <= CLEAN * np.nanstd(x, axis=0)
    states = np.where(clean[None, :], x, smooth) if own else smooth
    return Grid(
        t=grid,
        x=states,
        raw=x if own else smooth,
        dx=slopes,
        inputs=at_samples(inputs, holds) if own else on_grid(t, inputs, holds, grid),
        sampling=float(t[-1] - t[0]) / (len(t) - 1),
        own=own,
    )


def _on_curves(t: Floats, x: Floats, noise: Floats, grid: Floats) -> tuple[Floats, Floats]:
    curves = [fit_curve(t, x[:, j], float(noise[j])) for j in range(x.shape[1])]
    return np.column_stack([c(grid, 0) for c in curves]), np.column_stack([c(grid, 1) for c in curves])


def interpolated(t: Floats, x: Floats, density: int) -> Floats:
    """Cubic through all samples, at `density` even steps per sample (m, d): to compare smoother curves with."""
    grid: Floats = np.linspace(float(t[0]), float(t[-1]), (len(t) - 1) * density + 1)
    curves = np.empty((len(grid), x.shape[1]))
    for j, y in enumerate(x.T):
        seen = np.isfinite(y)
        curves[:, j] = make_interp_spline(t[seen], y[seen], k=3)(grid)
    return curves
