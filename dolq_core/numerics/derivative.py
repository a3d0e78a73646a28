"""Time derivatives at the samples of one run: three methods, each with the states it believes in.

| method   | states       | good for                                    |
|----------|--------------|---------------------------------------------|
| gradient | as measured  | dense clean data; the paper's choice        |
| spline   | smoothed     | few or unevenly spaced samples              |
| savgol   | smoothed     | many evenly spaced samples with some noise  |
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.interpolate import BSpline, make_interp_spline, make_smoothing_spline

from dolq_core.arrays import Floats
from dolq_core.numerics.digits import written_to

Curve = Callable[[Floats, int], Floats]
"""A fitted curve: (times (m,), order of the derivative) -> values (m,)."""

LOCAL_DEGREE = 4
MOST_WINDOW = 801
ROUNDED = 0.01
"""Share of a step up to which the last digit of times is no unevenness: at the fastest a state that crosses its range
in ten samples moves by a thousandth of it meanwhile."""
CURVES = 32
"""Smoothing curves that are remembered."""


def gradient(t: Floats, x: Floats) -> Floats:
    """Return dx (n, d) by `numpy.gradient` with `edge_order=2` (paper, appendix 'Derivative computation')."""
    edge = 2 if len(t) > 2 else 1
    return np.asarray(np.gradient(x, t, axis=0, edge_order=edge), dtype=np.float64)


def is_uniform(t: Floats, tolerance: float = 1e-6) -> bool:
    """Whether all steps of times (n,) are equal, or are but for the last digit that was written, where it is small."""
    steps = np.diff(t)
    step = float(np.mean(steps))
    if np.ptp(steps) <= tolerance * step:
        return True
    place = float(np.max(written_to(t))) if np.ptp(steps) <= 2.0 * ROUNDED * step else 0.0
    off = float(np.max(np.abs(t - t[0] - step * np.arange(len(t), dtype=np.float64))))
    return place <= ROUNDED * step and off <= place


def linear(t: Floats, values: Floats, at: Floats) -> Floats:
    """Return values (n, u) at t (n,) at other times, linear between samples: (len(at), u)."""
    found = np.empty((len(at), values.shape[1]))
    for j, column in enumerate(values.T):
        found[:, j] = np.interp(at, t, column)
    return found


def fit_curve(t: Floats, x: Floats, noise: float) -> Curve:
    """Fit one state (n,) by a curve: a quintic through clean samples, else a smoothing cubic (cross-validation).

    Missing cells are left out. Fewer than six samples: a cubic or a straight line.
    """
    seen = np.isfinite(x)
    ts, xs = t[seen], x[seen]
    if len(ts) < 2:
        level = float(xs[0]) if len(xs) else 0.0
        return lambda at, order: np.full(len(at), level if order == 0 else 0.0)
    centre, scale = float(np.mean(xs)), float(np.std(xs))
    origin, unit = float(ts[0]), float(ts[-1] - ts[0]) / (len(ts) - 1)
    if scale <= 1e-14 * abs(centre):
        return lambda at, order: np.full(len(at), centre if order == 0 else 0.0)
    spline = _spline((ts - origin) / unit, (xs - centre) / scale, noise / scale)

    def curve(at: Floats, order: int) -> Floats:
        values = np.asarray(spline((at - origin) / unit, nu=order), dtype=np.float64)
        return values * scale / unit**order + (centre if order == 0 else 0.0)

    return curve


def _spline(t: Floats, x: Floats, noise: float) -> BSpline:
    n = len(t)
    if n < 5 or noise < 1e-5:
        return make_interp_spline(t, x, k=5 if n > 5 else 3 if n > 3 else 1)
    return _smoothing(t.tobytes(), x.tobytes())


@lru_cache(maxsize=CURVES)
def _smoothing(t: bytes, x: bytes) -> BSpline:
    """Return the smoothing cubic of some samples, by their bytes: the choice of its smoothness is dear."""
    return make_smoothing_spline(np.frombuffer(t), np.frombuffer(x))


def spline(t: Floats, x: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Return smoothed states and derivatives, both (n, d), from `fit_curve` on each state."""
    curves = [fit_curve(t, x[:, j], float(noise[j])) for j in range(x.shape[1])]
    return np.column_stack([c(t, 0) for c in curves]), np.column_stack([c(t, 1) for c in curves])


def savgol(t: Floats, x: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Return smoothed states and derivatives, both (n, d): local polynomials of degree 4.

    The window of each state has the least expected error: what is left plus twice the noise that passes (Mallows).
    """
    pairs = [_savgol_state(t, x[:, j], float(noise[j])) for j in range(x.shape[1])]
    return np.column_stack([p[0] for p in pairs]), np.column_stack([p[1] for p in pairs])


def _savgol_state(t: Floats, x: Floats, noise: float) -> tuple[Floats, Floats]:
    n = len(t)
    widest = min(n if n % 2 else n - 1, MOST_WINDOW)
    halves = sorted({int(h) for h in np.geomspace(min(4, widest // 2), widest // 2, 20)})
    best = _local_polynomial(t, x, 2 * halves[0] + 1)
    least = float("inf")
    for half in halves:
        trial = _local_polynomial(t, x, 2 * half + 1)
        left = float(np.mean((trial[0] - x) ** 2))
        risk = left + 2.0 * noise**2 * _own_weight(half)
        if risk < least:
            best, least = trial, risk
        elif left > 4.0 * noise**2:
            break
    return best


def _own_weight(half: int) -> float:
    """Weight of a sample in its own smoothed value, for an even window."""
    u = np.arange(-half, half + 1) / half
    q, _ = np.linalg.qr(u[:, None] ** np.arange(min(LOCAL_DEGREE, 2 * half) + 1))
    return float(np.sum(q[half] ** 2))


def _local_polynomial(t: Floats, x: Floats, window: int) -> tuple[Floats, Floats]:
    degree = min(LOCAL_DEGREE, window - 1)
    if is_uniform(t):
        from scipy.signal import savgol_filter  # noqa: PLC0415  a third of a second to import, of the app's first page

        h = float(t[-1] - t[0]) / (len(t) - 1)
        smooth = savgol_filter(x, window, degree, mode="interp")
        slope = savgol_filter(x, window, degree, deriv=1, delta=h, mode="interp")
        return np.asarray(smooth, dtype=np.float64), np.asarray(slope, dtype=np.float64)
    n = len(t)
    first = np.clip(np.arange(n) - window // 2, 0, n - window)
    index = first[:, None] + np.arange(window)
    reach = t[index[:, -1]] - t[index[:, 0]]
    u = (t[index] - t[:, None]) / reach[:, None]
    powers = u[:, :, None] ** np.arange(degree + 1)
    fitted = np.einsum("npw,nw->np", np.linalg.pinv(powers), x[index])
    return fitted[:, 0], fitted[:, 1] / reach
