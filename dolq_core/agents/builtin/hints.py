"""What the residual of an equation looks like: it grows with a variable, or swings in time."""

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.records import EquationFit

STRONG = 0.5
"""Correlation, or share of the spectrum, from which a pattern is worth a sentence."""
FEWEST_PERIODS = 2


def hint(fit: EquationFit, bench: Workbench) -> str:
    """Return one sentence on the pattern of the residual; empty when there is none."""
    residual = bench.residual(fit)
    spread = float(np.std(residual))
    if not spread > 0.0:
        return ""
    name = bench.names.own[fit.equation]
    shapes = _shapes(bench)
    strengths = [abs(_correlation(residual, column)) for _, column in shapes]
    k = int(np.argmax(strengths))
    if strengths[k] >= STRONG:
        way = "grows" if _correlation(residual, shapes[k][1]) > 0 else "falls"
        return f"What is left in the equation of {name} {way} with {shapes[k][0]}."
    period = _period(residual, bench.t)
    if period is not None:
        return f"What is left in the equation of {name} swings in time with a period of about {period:.3g}."
    return ""


def _shapes(bench: Workbench) -> list[tuple[str, Floats]]:
    own = bench.names.own
    found: list[tuple[str, Floats]] = []
    for i in range(len(own)):
        values: Floats = bench.values[i]
        found.append((own[i], values))
        found.append((f"the square of {own[i]}", np.square(values - float(np.mean(values)))))
        found.extend((f"{own[i]} times {own[j]}", values * bench.values[j]) for j in range(i))
    return found


def _correlation(a: Floats, b: Floats) -> float:
    scale = float(np.std(a) * np.std(b))
    return float(np.mean((a - np.mean(a)) * (b - np.mean(b)))) / scale if scale > 0.0 else 0.0


def _period(residual: Floats, t: Floats) -> float | None:
    if len(t) < 16 or np.any(np.diff(t) <= 0.0):
        return None
    times: Floats = np.linspace(float(t[0]), float(t[-1]), len(t))
    even: Floats = np.interp(times, t, residual)
    spectrum = np.abs(np.fft.rfft(even - np.mean(even))) ** 2
    k = int(np.argmax(spectrum))
    if k < FEWEST_PERIODS or float(np.sum(spectrum[max(k - 1, 0) : k + 2])) < STRONG * float(np.sum(spectrum)):
        return None
    return float(t[-1] - t[0]) / k
