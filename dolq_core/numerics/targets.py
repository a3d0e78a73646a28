"""What the fits aim at: the left-hand side of x' = f(x), estimated, with the error it has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from dolq_core.arrays import Floats, Ints
from dolq_core.errors import FitError
from dolq_core.numerics.derivative import gradient, is_uniform, savgol, spline
from dolq_core.numerics.floors import between_curves, root_mean_square, through_states, under_resolution
from dolq_core.numerics.integral import integral_rows, swings_between_samples
from dolq_core.numerics.noise import Run, noise_levels
from dolq_core.numerics.samples import Grid, even_grid, thinned, usable
from dolq_core.numerics.weak import WeakRows, stencil, weak_rows

Kind: TypeAlias = Literal["auto", "weak", "integral", "spline", "savgol", "gradient"]

BLOCKS = 8
LARGEST = 1e60
"""Size of values, and inverse of it, beyond which another unit is asked for."""
DENSE = 50
"""Samples per run from which the weak form works on the samples themselves."""
SPARSE_DENSITY = 10
SPARSE_WIDTH = 2.5
"""Half-width of test functions on a spline, in samples, where the weak form is asked for with few samples."""
NOISE_OVER_SIGNAL = 3e-3
PASSED_DENSE, PASSED_SPARSE = 0.25, 0.6
"""Share of the noise that is left on smoothed states (measured on the paper's systems)."""
APART = 3
"""Columns that SciPy multiplies faster one by one than together."""
LEAST_FLOOR = 1e-9
"""Relative to the target: what rounding and a good integrator leave; below it all structures are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """Estimated left-hand sides for d equations.

    Attributes:
        kind: the method that was used; never "auto".
        reason: why, in words for a person.
        x: (d, N) states at which terms are evaluated, contiguous per state.
        t: (N,) their times.
        inputs: (u, N) known inputs at the same times.
        dx: (d, N) derivatives at the same times, for plots and hints.
        b: (d, M) left-hand sides, in units of the state per time; of the state itself for the integral form.
        floor: (d,) error of b: noise, resolution and rounding together (root mean square).
        noise: (d,) standard deviation of the white noise on the states.
        blocks: (M,) index of the block of each row, for errors on left-out blocks.
        effective: number of independent rows.
        rows: the test functions of a weak form.
        measured: (d, N) the samples themselves at the times t, where these are the even times of the data; else None.
        own_noise: (d,) noise of `measured`, which averages over blocks of long data make smaller than `noise`.
        sums: (M, N) integrals up to each sample, for the integral form instead of `rows`.
        operator: (M, N) what turns term values into columns instead of `rows` (`fitting.along`).
        lengths: how many of the N belong to each run that is used; sources: which of the given runs these are.
    """

    kind: str
    reason: str
    x: Floats
    t: Floats
    inputs: Floats
    dx: Floats
    b: Floats
    floor: Floats
    noise: Floats
    blocks: Ints
    effective: float
    rows: WeakRows | None = None
    measured: Floats | None = None
    own_noise: Floats | None = None
    operator: Floats | None = None
    sums: csr_array | None = None
    lengths: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()

    def apply(self, columns: Floats) -> Floats:
        """Turn columns (k, N) of term values into columns (k, M) of the regression."""
        if self.operator is not None:
            return np.ascontiguousarray((self.operator @ columns.T).T)
        if self.sums is not None:
            return np.ascontiguousarray((self.sums @ columns.T).T)
        if self.rows is None:
            return columns
        mean = self.rows.mean
        if len(columns) <= APART:
            return np.array([mean @ column for column in columns]).reshape(len(columns), mean.shape[0])
        return np.ascontiguousarray((mean @ columns.T).T)

    def resolves(self, values: Floats) -> bool:
        """Whether the samples lie close enough for a term with these values (N,)."""
        return self.sums is None or not swings_between_samples(values)


def choose_target(runs: Sequence[Run], kind: Kind = "auto", inputs: Sequence[Floats] | None = None) -> Target:
    """Build the target; for "auto", choose by number of samples and evenness of the times.

    | samples per run     | times                    | target                                     |
    |---------------------|--------------------------|--------------------------------------------|
    | 50 and more         | any                      | weak form (uneven or with gaps: on a curve)|
    | fewer               | any                      | integral form on a smoothing curve         |

    Raises FitError when no run has four samples of every state.
    """
    given = list(inputs) if inputs is not None else [np.empty((len(t), 0)) for t, _ in runs]
    kept, known, left_out = usable(runs, given)
    if not kept:
        raise FitError(
            "The data",
            "no run has four samples in which every state was measured",
            "Add samples, or leave the state that is missing out.",
        )
    _refuse_extremes(kept)
    measured = noise_levels(kept)
    every = sum(len(t) for t, _ in kept)
    kept, known = thinned(kept, known, measured)
    noise = measured if sum(len(t) for t, _ in kept) == every else noise_levels(kept)
    chosen, reason = _choose(kept) if kind == "auto" else (kind, "Chosen in the settings.")
    build = _FORMS.get(chosen) or partial(_pointwise_target, chosen)
    sources = tuple(i for i, run in enumerate(runs) if usable([run], given[i : i + 1])[0])
    return replace(build(kept, known, noise, reason + left_out), noise=measured, sources=sources)


def _refuse_extremes(runs: Sequence[Run]) -> None:
    """Squares of the values and of their rates must stay in the range of numbers."""
    for values, what in ((np.concatenate([t for t, _ in runs]), "The times"), *_by_state(runs)):
        size = float(np.nanmax(np.abs(values)))
        if size > LARGEST or 0.0 < size < 1.0 / LARGEST:
            raise FitError(what, f"values of size {size:.0e} are out of range", "Use another unit.")


def _by_state(runs: Sequence[Run]) -> list[tuple[Floats, str]]:
    x = np.concatenate([x for _, x in runs])
    return [(x[:, j], f"State {j + 1}") for j in range(x.shape[1])]


def _choose(runs: Sequence[Run]) -> tuple[Kind, str]:
    samples = int(np.median([len(t) for t, _ in runs]))
    if samples >= DENSE:
        even = all(is_uniform(t) for t, _ in runs)
        how = "on the samples themselves" if even else "on a smooth curve, because the times are uneven"
        return (
            "weak",
            f"Weak form {how}: {samples} samples per run are enough to average over, and averaging resists noise.",
        )
    return (
        "integral",
        f"Integral form on a smoothing curve: {samples} samples per run are too few for derivatives; "
        "coefficients are fitted again on trajectories.",
    )


# --- integral form ----------------------------------------------------------------------------------


def _integral_target(runs: Sequence[Run], inputs: Sequence[Floats], noise: Floats, reason: str) -> Target:
    rows = integral_rows(runs, inputs, noise)
    least = LEAST_FLOOR * root_mean_square(rows.b)
    return Target(
        kind="integral",
        reason=reason,
        x=rows.x,
        t=rows.t,
        inputs=rows.inputs,
        dx=rows.dx,
        b=rows.b,
        floor=np.sqrt(noise**2 + rows.unresolved**2 + least**2),
        noise=noise,
        blocks=_blocks(rows.b.shape[1]),
        effective=rows.effective,
        sums=rows.sums,
        lengths=rows.lengths,
    )


# --- weak form --------------------------------------------------------------------------------------


def _weak_target(runs: Sequence[Run], inputs: Sequence[Floats], noise: Floats, reason: str) -> Target:
    dense = np.median([len(t) for t, _ in runs]) >= DENSE
    density = 1 if dense else SPARSE_DENSITY
    grids = [even_grid(run, u, noise, density) for run, u in zip(runs, inputs, strict=True)]
    width = _dense_width(grids, noise) if dense else SPARSE_WIDTH * float(np.median([g.sampling for g in grids]))
    shape = [(len(g.t), float(g.t[1] - g.t[0])) for g in grids]
    rows = weak_rows(shape, width)
    raw = np.concatenate([g.raw for g in grids])
    b = np.ascontiguousarray((rows.slope @ raw).T)
    sampling = float(np.mean([g.sampling / h for g, (_, h) in zip(grids, shape, strict=True)]))
    gain = rows.noise_gain * float(np.sqrt(sampling))
    unresolved = under_resolution(grids, width) if dense else between_curves(runs, rows, b, density)
    blurred = through_states(rows, grids, b, noise * (PASSED_DENSE if dense else PASSED_SPARSE))
    return Target(
        kind="weak",
        reason=reason,
        b=b,
        floor=np.sqrt((gain * noise) ** 2 + unresolved**2 + blurred**2 + (LEAST_FLOOR * root_mean_square(b)) ** 2),
        noise=noise,
        blocks=_blocks(b.shape[1]),
        effective=min(rows.effective, float(b.shape[1])),
        rows=rows,
        own_noise=noise,
        measured=np.ascontiguousarray(raw.T) if all(g.own for g in grids) else None,
        sums=None,
        operator=None,
        lengths=rows.lengths,
        sources=(),
        **_evaluated(grids),
    )


def _evaluated(grids: Sequence[Grid]) -> dict[str, Floats]:
    return {
        "x": np.ascontiguousarray(np.concatenate([g.x for g in grids]).T),
        "t": np.concatenate([g.t for g in grids]),
        "inputs": np.ascontiguousarray(np.concatenate([g.inputs for g in grids]).T),
        "dx": np.ascontiguousarray(np.concatenate([g.dx for g in grids]).T),
    }


def _dense_width(grids: Sequence[Grid], noise: Floats) -> float:
    """Half-width in time: N/20 within 12 to 60 samples, widened for noise up to N/6 (docs: numerics)."""
    longest = max(grids, key=lambda g: len(g.t))
    n, h = len(longest.t), float(longest.t[1] - longest.t[0])
    half = int(np.clip(n // 20, 12, 60))
    signal = np.std(np.concatenate([g.dx for g in grids]), axis=0)
    while half < n // 6:
        gain = float(np.linalg.norm(stencil(half, h)[1]))
        if np.all(gain * noise <= NOISE_OVER_SIGNAL * signal):
            break
        half = min(int(half * 1.25) + 1, n // 6)
    return half * h


def _blocks(rows: int) -> Ints:
    return np.arange(rows) * min(BLOCKS, rows) // rows


Form: TypeAlias = Callable[[Sequence[Run], Sequence[Floats], Floats, str], Target]
_FORMS: dict[str, Form] = {"weak": _weak_target, "integral": _integral_target}


# --- derivatives at the samples ---------------------------------------------------------------------


def _pointwise_target(kind: str, runs: Sequence[Run], inputs: Sequence[Floats], noise: Floats, reason: str) -> Target:
    method = _METHODS[kind]
    filled = [(t, _filled(t, x, noise)) for t, x in runs]
    pairs = [method(t, x, noise) for t, x in filled]
    x = np.concatenate([p[0] for p in pairs])
    dx = np.concatenate([p[1] for p in pairs])
    b = np.ascontiguousarray(dx.T)
    step = float(np.median(np.concatenate([np.diff(t) for t, _ in runs])))
    least = LEAST_FLOOR * root_mean_square(b)
    return Target(
        kind=kind,
        reason=reason,
        x=np.ascontiguousarray(x.T),
        t=np.concatenate([t for t, _ in runs]),
        inputs=np.ascontiguousarray(np.concatenate(list(inputs)).T),
        dx=b,
        b=b,
        floor=np.sqrt((_GAIN[kind] * noise / step) ** 2 + _truncation(filled, noise, method) ** 2 + least**2),
        noise=noise,
        blocks=_blocks(b.shape[1]),
        effective=float(b.shape[1]) / (1.0 if kind == "gradient" else 2.0),
        lengths=tuple(len(t) for t, _ in runs),
    )


def _filled(t: Floats, x: Floats, noise: Floats) -> Floats:
    if np.isfinite(x).all():
        return x
    smooth, _ = spline(t, x, noise)
    return np.where(np.isfinite(x), x, smooth)


def _plain(t: Floats, x: Floats, noise: Floats) -> tuple[Floats, Floats]:
    return x, gradient(t, x)


Method: TypeAlias = Callable[[Floats, Floats, Floats], tuple[Floats, Floats]]
_METHODS: dict[str, Method] = {"gradient": _plain, "spline": spline, "savgol": savgol}
_GAIN = {"gradient": 0.71, "spline": 0.5, "savgol": 0.25}
"""Noise of the derivative over noise of the state, times the step: 1/sqrt(2) for central differences."""


def _truncation(runs: Sequence[Run], noise: Floats, method: Method) -> Floats:
    """A third of the change when every second sample is used: the error of a rule of second order (d,)."""
    changes = [method(t[::2], x[::2], noise)[1] - method(t, x, noise)[1][::2] for t, x in runs if len(t) >= 12]
    if not changes:
        return np.zeros(int(runs[0][1].shape[1]), dtype=np.float64)
    apart = np.sqrt(np.mean(np.concatenate(changes) ** 2, axis=0))
    noisy = noise * _GAIN["gradient"] / float(np.median(np.concatenate([np.diff(t) for t, _ in runs])))
    return np.sqrt(np.maximum(apart**2 - noisy**2, 0.0)) / 3.0
