"""Variable projection: outer coefficients by least squares, only the inner parameters are searched.

The residual after projecting out the linear part is a function of the inner parameters alone; Levenberg-Marquardt
on it converges where a search over all coefficients ends at wrong constants (docs: numerics). Budgets count
evaluations, so a result never depends on the machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy.linalg import lapack
from scipy.optimize import leastsq

from dolq_core.arrays import Bools, Floats

Columns = Callable[[Floats], Floats | None]
"""Inner parameters (p,) -> A (k, M), or None where a column is not finite."""

_dgeqrf = cast(Callable[..., tuple[Any, ...]], lapack.dgeqrf)
_dormqr = cast(Callable[..., tuple[Any, ...]], lapack.dormqr)
WORK = 64
"""Work space of LAPACK for one right-hand side; any size serves."""
_leastsq = cast(Callable[..., tuple[Floats, Any, dict[str, Any], str, int]], leastsq)

EVALUATIONS = 200
"""Per start; each evaluation is one linear solve."""
KEPT_STARTS = 3
PERFECT = 1e-18
"""Relative squared residual at which no other start can be better"""
STEP = 1.5e-8
"""Relative step of the differences: the root of the rounding error."""
RANGE = 60.0
"""Inner parameters stay within exp(+-60) of one."""


@dataclass(frozen=True, slots=True, eq=False)
class InnerFit:
    """The inner parameters (p,) with the least residual, its MSE, and how many evaluations it took."""

    inner: Floats
    mse: float
    evaluations: int


def project(
    columns: Columns,
    b: Floats,
    starts: Sequence[Floats],
    signed: Sequence[bool] | None = None,
    evaluations: int = EVALUATIONS,
) -> InnerFit | None:
    """Minimise the residual over the inner parameters, from the best few of `starts`.

    Args:
        columns: the regression columns for given inner parameters.
        b: (M,) left-hand side.
        starts: inner parameters to try; all are evaluated once, the best KEPT_STARTS are refined.
        signed: per inner parameter whether it may change its sign; those that may not are searched in log space.
        evaluations: budget per start.

    Returns None when no start gives finite columns.
    """
    if not len(starts):
        return None
    free = np.ones(len(starts[0]), dtype=np.bool_) if signed is None else np.array(signed, dtype=np.bool_)
    scale = float(np.sqrt(np.mean(b**2))) or 1.0

    def residual(inner: Floats) -> Floats:
        a = columns(inner)
        if a is None:
            return np.full(len(b), 1e3)
        return projected_out(a, b) / scale

    tried = sorted(((float(np.mean(residual(s) ** 2)), i) for i, s in enumerate(starts)), key=lambda pair: pair)
    results: list[InnerFit] = []
    for value, i in tried[:KEPT_STARTS]:
        if value < 1e5 and not any(found.mse < PERFECT for found in results):
            results.append(_refine(residual, starts[i], free, evaluations))
    if not results:
        return None
    best = min(results, key=lambda found: found.mse)
    used = len(starts) + sum(found.evaluations for found in results)
    return InnerFit(best.inner, best.mse * scale**2, used)


def projected_out(a: Floats, b: Floats) -> Floats:
    """Return what the columns a (k, M) leave of b (M,)."""
    size = np.sqrt(np.einsum("ij,ij->i", a, a))
    packed, tau, _, _ = _dgeqrf((a / np.where(size > 0.0, size, 1.0)[:, None]).T)
    turned, _, _ = _dormqr("L", "T", packed[:, : len(tau)], tau, b[:, None], WORK)
    turned[: len(tau)] = 0.0
    return _dormqr("L", "N", packed[:, : len(tau)], tau, turned, WORK)[0][:, 0]


def _refine(residual: Callable[[Floats], Floats], start: Floats, free: Bools, evaluations: int) -> InnerFit:
    """Levenberg-Marquardt from one start, on parameters v that are one there and change by their own size."""
    sign = np.where(start < 0.0, -1.0, 1.0)
    u0 = np.where(free, start, np.log(np.maximum(np.abs(start), 1e-12)))
    size = np.where(free, np.maximum(np.abs(u0), 1e-3), 1.0)
    last: list[tuple[bytes, Floats]] = []

    def inner(v: Floats) -> Floats:
        u = u0 + size * (v - 1.0)
        return np.where(free, u, sign * np.exp(np.clip(u, -RANGE, RANGE)))

    def left(v: Floats) -> Floats:
        key = v.tobytes()
        if not last or last[0][0] != key:
            last[:] = [(key, residual(inner(v)))]
        return last[0][1]

    v, _, info, _, _ = _leastsq(
        left,
        np.ones(len(u0)),
        Dfun=_slopes(left),
        col_deriv=True,
        ftol=1e-14,
        xtol=1e-12,
        gtol=0.0,
        maxfev=max(evaluations // (len(u0) + 1), 2),
        full_output=True,
    )
    used = int(info["nfev"]) + len(u0) * int(info["njev"])
    return InnerFit(inner(v), float(np.mean(np.asarray(info["fvec"]) ** 2)), used)


def _slopes(left: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """Forward differences (p, M) with steps of at least STEP: MINPACK's own vanish where a parameter does."""

    def slopes(v: Floats) -> Floats:
        here = left(v)
        steps = STEP * np.maximum(np.abs(v), 1.0)
        rows = np.empty((len(v), len(here)))
        for i, step in enumerate(steps.tolist()):
            moved = v.copy()
            moved[i] += step
            rows[i] = (left(moved) - here) / (moved[i] - v[i])
        return rows

    return slopes
