"""The weak form over all samples of long data, block by block: for coefficients of a structure that is chosen.

The search looks at a thinned view (`samples.thinned`). Here test functions of the same width in time are placed over
the samples as measured. Their number depends on the width alone, not on the number of samples, so only the columns
(k, M) of the regression are ever whole; term values live for one block of samples.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.interpolate import make_interp_spline

from dolq_core.arrays import Bools, Floats, Ints
from dolq_core.numerics.derivative import is_uniform
from dolq_core.numerics.noise import Run
from dolq_core.numerics.samples import CLEAN, MOST_SAMPLES, usable
from dolq_core.numerics.target import Target
from dolq_core.numerics.weak import half_samples, stencil

BLOCK = 32_768
"""Samples whose term values are held at a time."""
PER_HALF = 8
"""Test functions per half-width; neighbours overlap almost wholly, so that no sample counts less than another."""

LEAST_HALF = 12
"""Half-width in samples from which sums over samples as measured are as good as integrals."""

Columns = Callable[[Floats, Floats], Floats]
"""(values (d + u, m), t (m,)) -> term values (k, m)."""


@dataclass(frozen=True, slots=True, eq=False)
class LongRun:
    """One run as measured.

    Attributes:
        t: (n,) even times; x: (n, d) states; inputs: (n, u).
        smooth: times (m,) -> (m, d), the curve of the thinned view; clean: (d,) states that are used as measured.
    """

    t: Floats
    x: Floats
    inputs: Floats
    smooth: Callable[[Floats], Floats]
    clean: Bools

    def block(self, first: int, end: int) -> tuple[Floats, Floats]:
        """Return the states (m, d) that slopes are taken of, gaps filled from the curve, and the values (d + u, m)."""
        x, smooth = self.x[first:end], self.smooth(self.t[first:end])
        raw = np.where(np.isfinite(x), x, smooth)
        return raw, np.hstack((np.where(self.clean, raw, smooth), self.inputs[first:end])).T


def long_runs(runs: Sequence[Run], inputs: Sequence[Floats], target: Target) -> list[LongRun] | str:
    """Return the runs behind a target that was built on a thinned view of them, or why there is nothing to add."""
    kept, known, _ = usable(runs, inputs)
    if sum(len(t) for t, _ in kept) <= MOST_SAMPLES:
        return ""
    if target.rows is None:
        return "fitted on a thinned view: only the weak form is fitted on every sample"
    if sum(target.rows.lengths) >= sum(len(t) for t, _ in kept):
        return ""
    if not _reach_the_end([t for t, _ in kept], target):
        return "fitted on the first part of each run: what is fast would be lost on a thinned view of all samples"
    if not all(is_uniform(t) for t, _ in kept):
        return "fitted on a thinned view: the times are uneven"
    if min(target.rows.lengths) < 4 or min(_half(t, target.rows.width) for t, _ in kept) < LEAST_HALF:
        return f"fitted on a thinned view: a run has too few samples for means over {LEAST_HALF} and more"
    ends = np.cumsum(target.rows.lengths)[:-1]
    curves = zip(np.split(target.t, ends), np.split(target.x.T, ends), strict=True)
    spread = np.nanstd(np.concatenate([x for _, x in kept]), axis=0)
    clean: Bools = target.noise <= CLEAN * spread
    return [
        LongRun(t, x, u, partial(_smooth, make_interp_spline(*curve, k=3)), clean)
        for (t, x), u, curve in zip(kept, known, curves, strict=True)
    ]


def _reach_the_end(times: Sequence[Floats], target: Target) -> bool:
    """Whether a thinned view goes on to the last samples of each run."""
    last = np.cumsum(target.lengths) - 1
    steps: Floats = target.t[last] - target.t[last - 1]
    return bool(np.all(target.t[last] + 2.0 * steps >= [t[-1] for t in times]))


def _smooth(spline: Callable[[Floats], Floats], t: Floats) -> Floats:
    return np.asarray(spline(t), dtype=np.float64)


def long_rows(
    runs: Sequence[LongRun], width: float, columns: Columns, state: int, block: int = BLOCK
) -> tuple[Floats, Floats, float]:
    """Return columns (k, M), left-hand side (M,) of one state, and the number of independent rows."""
    parts = [_rows(run, width, columns, state, block) for run in runs]
    sums = np.concatenate([rows for rows, _ in parts], axis=1)
    return np.ascontiguousarray(sums[:-1]), sums[-1].copy(), min(sum(e for _, e in parts), float(sums.shape[1]))


def _rows(run: LongRun, width: float, columns: Columns, state: int, block: int) -> tuple[Floats, float]:
    """Sums (k + 1, M) of the terms, then of the slope, under each test function; and the independent rows."""
    n, half = len(run.t), _half(run.t, width)
    mean, slope = stencil(half, _step(run.t))
    starts = placed(n, half)
    origin = float(run.block(0, 1)[0][0, state])  # a large constant would leave its rounding under the slope
    sums: Floats | None = None
    for first in range(0, n, block):
        end = min(first + block, n)
        raw, values = run.block(first, end)
        both = np.vstack((columns(values, run.t[first:end]), raw[:, state] - origin))
        sums = np.zeros((len(both), len(starts))) if sums is None else sums
        _add(sums, both, first, starts, mean, slope)
    return np.empty((1, 0)) if sums is None else sums, 2.0 * n / half


def _step(t: Floats) -> float:
    return float(t[-1] - t[0]) / (len(t) - 1)


def _half(t: Floats, width: float) -> int:
    return half_samples(len(t), _step(t), width)


def placed(n: int, half: int) -> Ints:
    """First samples of test functions of 2 half + 1 samples: evenly, PER_HALF to a half-width, from end to end."""
    last = n - 1 - 2 * half
    count = -(-last * PER_HALF // half) + 1
    return np.unique(np.round(np.linspace(0, last, min(count, last + 1))).astype(np.int64))


def _add(sums: Floats, both: Floats, first: int, starts: Ints, mean: Floats, slope: Floats) -> None:
    """Add one block of samples to all test functions that reach into it."""
    end, size = first + both.shape[1], len(mean)
    for row in range(*np.searchsorted(starts, [first - size + 1, end]).tolist()):
        at = int(starts[row])
        low, high = max(first, at), min(end, at + size)
        part = both[:, low - first : high - first]
        sums[:-1, row] += part[:-1] @ mean[low - at : high - at]
        sums[-1, row] += part[-1] @ slope[low - at : high - at]
