"""What the fits aim at: the left-hand side of x' = f(x), estimated, with the error it has."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.errors import FitError
from dolq_core.numerics.derivative import gradient, is_uniform, savgol, spline
from dolq_core.numerics.given import given_target, with_rates
from dolq_core.numerics.growing import Growth, over_levels
from dolq_core.numerics.holding import Hold, at_samples
from dolq_core.numerics.integral import integral_target
from dolq_core.numerics.least_squares import root_mean_square
from dolq_core.numerics.noise import Run, bends, noise_levels
from dolq_core.numerics.samples import (
    CLEAN,
    COMPARED,
    PASSED_DENSE,
    PASSED_SPARSE,
    Grid,
    even_grid,
    is_dense,
    is_few,
    thinned,
    usable,
)
from dolq_core.numerics.stretches import measured
from dolq_core.numerics.target import LEAST_FLOOR, Target, blocks_of, row_scales
from dolq_core.numerics.weak import (
    between_curves,
    stencil,
    through_inputs,
    through_states,
    under_resolution,
    weak_rows,
)

Kind: TypeAlias = Literal["auto", "weak", "integral", "spline", "savgol", "gradient", "given"]

LARGEST = 1e60
"""Size of values, and inverse of it, beyond which another unit is asked for."""
FEWEST = 5
"""Samples with every derivative given from which nothing is estimated."""
SPARSE_DENSITY = 10
SPARSE_WIDTH = 2.5
"""Half-width of test functions on a spline, in samples, where the weak form is asked for with few samples."""
NOISE_OVER_SIGNAL = 3e-3
NOT_CLEAN = 2.0
"""Times what clean samples may have that bent ones have at least."""


def choose_target(
    runs: Sequence[Run],
    kind: Kind = "auto",
    inputs: Sequence[Floats] | None = None,
    rates: Sequence[Floats] | None = None,
    weights: Sequence[Floats] | None = None,
    called: Sequence[str] = (),
    holds: Sequence[Hold] = (),
    growth: Sequence[Growth] = (),
    *,
    may_be_few: bool = False,
) -> Target:
    """Build the target; for "auto", choose by number of samples and evenness of the times.

    | samples per run     | times                    | target                                      |
    |---------------------|--------------------------|---------------------------------------------|
    | any                 | any                      | given derivatives, where every state has one|
    | 50 and more         | any                      | weak form (uneven or with gaps: on a curve) |
    | fewer               | any                      | integral form on a smoothing curve          |

    rates: per run (n, d) derivatives that are given, NaN where not. Where only some states have one, or another form
    is asked for, they take the place of the estimate under the same test functions or integrals.
    weights: per run (n, d), above zero; they become `Target.scales`. may_be_few: some samples may count for so little
    that they are hardly there; else weights only say how noisy each is. growth: per state how its noise grows, if so.
    called: names of the states, for what is refused. holds: per input what it does between samples; () for lines.
    Raises FitError when no run has four samples of every state.
    """
    d = int(runs[0][1].shape[1])
    carried = _carried(runs, inputs, rates, weights)
    kept, known, left_out = usable(runs, carried)
    if not kept:
        raise FitError(
            "The data",
            "no run has four samples in which every state was measured",
            "Add samples, or leave the state that is missing out.",
        )
    _refuse_extremes(kept, called or [f"State {j + 1}" for j in range(d)])
    before = _noise(kept, known, holds)
    larger = over_levels(kept, growth, before)
    before = before * larger
    switched, every = holds, sum(len(t) for t, _ in kept)
    thin = thinned(kept, known, before)
    is_thin = sum(len(t) for t, _ in thin.runs) < every
    if is_thin and holds:
        u = len(holds)
        thin = thinned(kept, [np.hstack((at_samples(own[:, :u], holds), own[:, u:])) for own in known], before)
        holds = ()
    kept, known = thin.runs, thin.inputs
    noise = _noise(kept, known, switched) * larger if is_thin else before
    given = [u[:, : -2 * d] for u in known]
    slopes = None if rates is None else [u[:, -2 * d : -d] for u in known]
    if slopes is not None and kind in ("auto", "given") and _all_known(slopes):
        target = given_target(kept, given, slopes, noise, f"Given derivatives: nothing is estimated.{left_out}")
    else:
        dense = is_dense(kept, noise, is_weighted=may_be_few)
        chosen, reason = _choose(kept, dense) if kind in ("auto", "given") else (kind, "Chosen in the settings.")
        build = _form(chosen, dense)
        target = build(kept, given, noise, reason + left_out + thin.reason, holds)
        if thin.spread is not None and target.measured is not None:
            target = replace(target, measured=target.measured.over(thin.spread, thin.shares))
        target = target if slopes is None else with_rates(target, kept, slopes)
    if weights is not None:
        own = [u[:, -d:] for u in known]
        samples = None if target.measured is None else target.measured.weighted(own)
        target = replace(target, scales=row_scales(target, kept, own), may_be_few=may_be_few, measured=samples)
    sources = tuple(i for i, run in enumerate(runs) if usable([run], carried[i : i + 1])[0])
    return replace(target, noise=before, sources=sources)


def _noise(runs: Sequence[Run], known: Sequence[Floats], holds: Sequence[Hold]) -> Floats:
    """Noise (d,) of the states; where held inputs, the first columns known (n, u), bend them, they are never clean.

    Nor where their own bends, as dry friction makes them, are all that is not smooth: a weak form is not exact across a
    bend, and coefficients are fitted to whole runs there.
    """
    plain = noise_levels(runs)
    columns = [k for k, hold in enumerate(holds) if hold != "linear"]
    switches = [np.flatnonzero(np.any(np.diff(u[:, columns], axis=0) != 0.0, axis=1)) for u in known]
    clean = CLEAN * np.nanstd(np.concatenate([x for _, x in runs]), axis=0)
    if np.all(plain <= clean):
        return plain
    if any(map(len, switches)):
        return np.where(plain <= clean, plain, np.maximum(noise_levels(runs, switches), NOT_CLEAN * clean))
    turns = [bends(t, x) for t, x in runs]
    between = noise_levels(runs, turns) if any(map(len, turns)) else plain
    return np.maximum(between, NOT_CLEAN * clean) if np.all(between <= clean) else plain


def _carried(
    runs: Sequence[Run],
    inputs: Sequence[Floats] | None,
    rates: Sequence[Floats] | None,
    weights: Sequence[Floats] | None,
) -> list[Floats]:
    """What goes through cutting and thinning with each run: inputs (n, u), then rates and weights (n, d) each."""
    found: list[Floats] = []
    for i, (t, x) in enumerate(runs):
        known = np.empty((len(t), 0)) if inputs is None else inputs[i]
        more = [np.full_like(x, np.nan) if part is None else part[i] for part in (rates, weights)]
        found.append(np.hstack((known, *more)))
    return found


def _all_known(rates: Sequence[Floats]) -> bool:
    """Whether every state has a given derivative on enough samples."""
    seen = np.isfinite(np.concatenate(list(rates))).all(axis=1)
    return int(seen.sum()) >= FEWEST


def _refuse_extremes(runs: Sequence[Run], called: Sequence[str]) -> None:
    """Squares of the values and of their rates must stay in the range of numbers."""
    for values, what in ((np.concatenate([t for t, _ in runs]), "The times"), *_by_state(runs, called)):
        size = float(np.nanmax(np.abs(values)))
        if size > LARGEST or 0.0 < size < 1.0 / LARGEST:
            raise FitError(what, f"values of size {size:.0e} are out of range", "Use another unit.")


def _by_state(runs: Sequence[Run], called: Sequence[str]) -> list[tuple[Floats, str]]:
    x = np.concatenate([x for _, x in runs])
    return list(zip(x.T, called, strict=True))


def _choose(runs: Sequence[Run], dense: bool) -> tuple[Kind, str]:
    lengths = [len(t) for t, _ in runs]
    samples = int(np.median(lengths))
    if dense:
        many = f"{samples} samples per run" if samples >= COMPARED else f"{max(lengths)} samples in the longest run"
        even = all(is_uniform(t) for t, _ in runs)
        how = "on the samples themselves" if even else "on a smooth curve, because the times are uneven or rounded"
        if is_few(lengths):
            return "weak", f"Weak form {how}: {many} are few and noisy, so that whole runs decide between laws."
        return "weak", f"Weak form {how}: {many} are enough to average over, and averaging resists noise."
    return (
        "integral",
        f"Integral form on a smoothing curve: {samples} samples per run are too few for derivatives; "
        "coefficients are fitted again on trajectories.",
    )


# --- weak form --------------------------------------------------------------------------------------


def _weak_target(
    dense: bool, runs: Sequence[Run], inputs: Sequence[Floats], noise: Floats, reason: str, holds: Sequence[Hold]
) -> Target:
    density = 1 if dense else SPARSE_DENSITY
    grids = [even_grid(run, u, noise, density, holds) for run, u in zip(runs, inputs, strict=True)]
    width = _dense_width(grids, noise) if dense else SPARSE_WIDTH * float(np.median([g.sampling for g in grids]))
    shape = [(len(g.t), g.step) for g in grids]
    rows = weak_rows(shape, width)
    raw = np.concatenate([g.raw for g in grids])
    b = np.ascontiguousarray((rows.slope @ raw).T)
    sampling = float(np.mean([g.sampling / h for g, (_, h) in zip(grids, shape, strict=True)]))
    gain = rows.noise_gain * float(np.sqrt(sampling))
    unresolved = (
        under_resolution(grids, width, bent=any(hold != "linear" for hold in holds))
        if dense
        else between_curves(runs, rows, b, density)
    )
    blurred = through_states(rows, grids, b, noise * (PASSED_DENSE if dense else PASSED_SPARSE))
    driven = through_inputs(rows, grids, b, holds)
    rounded = LEAST_FLOOR * root_mean_square(b)
    return Target(
        kind="weak",
        reason=reason,
        x=np.ascontiguousarray(np.concatenate([g.x for g in grids]).T),
        t=np.concatenate([g.t for g in grids]),
        inputs=np.ascontiguousarray(np.concatenate([g.inputs for g in grids]).T),
        dx=np.ascontiguousarray(np.concatenate([g.dx for g in grids]).T),
        b=b,
        floor=np.sqrt((gain * noise) ** 2 + unresolved**2 + blurred**2 + driven**2 + rounded**2),
        noise=noise,
        blocks=blocks_of(b.shape[1]),
        effective=min(rows.effective, float(b.shape[1])),
        rows=rows,
        measured=measured(runs, inputs, grids, noise, holds),
        lengths=rows.lengths,
        white=gain * noise,
    )


def _dense_width(grids: Sequence[Grid], noise: Floats) -> float:
    """Half-width in time: N/20 within 12 to 60 samples, widened for noise up to N/6 (docs: numerics)."""
    longest = max(grids, key=lambda g: len(g.t))
    n, h = len(longest.t), longest.step
    half = int(np.clip(n // 20, 12, 60))
    signal = np.std(np.concatenate([g.dx for g in grids]), axis=0)
    while half < n // 6:
        gain = float(np.linalg.norm(stencil(half, h)[1]))
        if np.all(gain * noise <= NOISE_OVER_SIGNAL * signal):
            break
        half = min(int(half * 1.25) + 1, n // 6)
    return half * h


Form: TypeAlias = Callable[[Sequence[Run], Sequence[Floats], Floats, str, Sequence[Hold]], Target]


def _form(kind: str, dense: bool) -> Form:
    """Return what builds a target of a kind. dense: whether its samples are enough to average over."""
    known: dict[str, Form] = {"weak": partial(_weak_target, dense), "integral": integral_target}
    return known.get(kind) or partial(_pointwise_target, kind)


# --- derivatives at the samples ---------------------------------------------------------------------


def _pointwise_target(
    kind: str, runs: Sequence[Run], inputs: Sequence[Floats], noise: Floats, reason: str, holds: Sequence[Hold]
) -> Target:
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
        inputs=np.ascontiguousarray(np.concatenate([at_samples(u, holds) for u in inputs]).T),
        dx=b,
        b=b,
        floor=np.sqrt((_GAIN[kind] * noise / step) ** 2 + _truncation(filled, noise, method) ** 2 + least**2),
        noise=noise,
        blocks=blocks_of(b.shape[1]),
        effective=float(b.shape[1]) / (1.0 if kind == "gradient" else 2.0),
        lengths=tuple(len(t) for t, _ in runs),
        white=_GAIN[kind] * noise / step,
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
