"""What a series looks like: how two of them go together, and whether one swings."""

import numpy as np

from dolq_core.arrays import Floats

FEWEST_PERIODS = 2
FEWEST_SAMPLES = 16
IN_ONE_PEAK = 0.5
"""Share of the spectrum in one peak from which a series counts as periodic."""


def correlation(a: Floats, b: Floats) -> float:
    """Return Pearson's correlation of two series (n,); 0 where one of them stands still."""
    scale = float(np.std(a) * np.std(b))
    return float(np.mean((a - np.mean(a)) * (b - np.mean(b)))) / scale if scale > 0.0 else 0.0


def period(values: Floats, t: Floats) -> float | None:
    """Return the period of values (n,) at increasing times t (n,), in the unit of t; None where there is none.

    There is one where half of the spectrum is in one peak, at least two periods fit into the times, and there are
    16 samples. Times that jump back (several runs) have none.
    """
    if len(t) < FEWEST_SAMPLES or bool(np.any(np.diff(t) <= 0.0)):
        return None
    times: Floats = np.linspace(float(t[0]), float(t[-1]), len(t))
    even: Floats = np.interp(times, t, values)
    spectrum = np.abs(np.fft.rfft(even - np.mean(even))) ** 2
    k = int(np.argmax(spectrum))
    peak = float(np.sum(spectrum[max(k - 1, 0) : k + 2]))
    if k < FEWEST_PERIODS or peak < IN_ONE_PEAK * float(np.sum(spectrum)):
        return None
    return float(t[-1] - t[0]) / k
