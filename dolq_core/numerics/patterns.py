"""What a series looks like: how two of them go together, and whether one swings."""

import numpy as np

from dolq_core.arrays import Floats

FEWEST_PERIODS, MOST_PERIODS = 2, 100
FEWEST_SAMPLES = 16
FINE = 8
"""Periods that are tried between one whole number of them and the next."""
IN_ONE_PEAK = 0.5
"""Share of a series that one sine explains, from which it counts as periodic."""


def correlation(a: Floats, b: Floats) -> float:
    """Return Pearson's correlation of two series (n,); 0 where one of them stands still."""
    scale = float(np.std(a) * np.std(b))
    return float(np.mean((a - np.mean(a)) * (b - np.mean(b)))) / scale if scale > 0.0 else 0.0


def period(values: Floats, t: Floats, beside: Floats | None = None) -> float | None:
    """Return the period of values (n,) at increasing times t (n,), in the unit of t; None where there is none.

    There is one where a sine explains half of what `beside` (k, n) leaves of the values, at least two periods fit into
    the times, and there are 16 samples. Times that jump back (several runs) have none.
    """
    n, span = len(t), float(t[-1] - t[0])
    if n < FEWEST_SAMPLES or bool(np.any(np.diff(t) <= 0.0)):
        return None
    other = np.ones((1, n)) if beside is None else np.vstack((np.ones(n), beside))
    basis = np.linalg.qr(other.T)[0]
    left = values - basis @ (basis.T @ values)
    cycles = np.arange(FEWEST_PERIODS, min(n / 4.0, MOST_PERIODS), 1.0 / FINE)
    shares = [_share(left, basis, 2.0 * np.pi * k / span * (t - t[0])) for k in cycles.tolist()]
    best = int(np.argmax(shares)) if shares else 0
    return span / float(cycles[best]) if best and shares[best] >= IN_ONE_PEAK else None


def _share(left: Floats, basis: Floats, phase: Floats) -> float:
    """Share of a series that sine and cosine of the phase explain, both without what the basis (n, k) explains."""
    waves = np.column_stack((np.cos(phase), np.sin(phase)))
    waves -= basis @ (basis.T @ waves)
    explained = waves @ np.linalg.lstsq(waves, left, rcond=None)[0]
    whole = float(left @ left)
    return float(explained @ left) / whole if whole > 0.0 else 0.0
