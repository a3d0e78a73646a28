"""A system fitted to whole runs by its simulation: all numbers and starts at once (`numerics.lifted`)."""

from collections.abc import Sequence

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.numerics.lifted import Field, Path, Stretches, fit, one_stretch_a_run, with_steps
from dolq_core.records import EquationFit
from dolq_core.terms import compile_columns

MOST_NUMBERS = 3_000_000
"""Numbers in the slopes of all samples by all states and coefficients: 24 MB. Beyond, runs are fitted on stretches."""


def fitted(data: Stretches, fits: Sequence[EquationFit], symbols: tuple[str, ...], x: Floats) -> Path | None:
    """Return the fit from the numbers of `fits` and the states x (n, d); None where it does not become a simulation.

    None, too, where the system has too many states for that.
    """
    theta = np.array([v for one in fits for term in one.terms for v in (term.coefficient, *term.inner)])
    n, d = x.shape
    if not len(theta) or n * d * (1 + d + len(theta)) > MOST_NUMBERS:
        return None
    field = field_of(fits, symbols)
    found = fit(with_steps(data, field, theta, x), field, theta, x)
    return found if found is not None and found.is_simulation and np.isfinite(found.chi2) else None


def field_of(fits: Sequence[EquationFit], symbols: tuple[str, ...]) -> Field:
    """Return the right-hand sides of a system for many points and many sets of its numbers at once."""
    parts: list[tuple[int, int, int]] = []
    columns = [compile_columns(term.skeleton, symbols) for one in fits for term in one.terms]
    at = 0
    for one in fits:
        for term in one.terms:
            parts.append((one.equation, at, at + 1 + len(term.inner)))
            at = parts[-1][2]
    d = len(fits)

    def field(values: Floats, t: Floats, theta: Floats) -> Floats:
        rates = np.zeros((d, len(t)))
        for (equation, first, end), column in zip(parts, columns, strict=True):
            rates[equation] += theta[first] * column(values, t, list(theta[first + 1 : end]))
        return rates

    return field


def stretches(
    runs: Sequence[tuple[Floats, Floats]],
    inputs: Sequence[Floats | None],
    counts: Sequence[Floats] | None,
    noise: Floats,
) -> Stretches:
    """Return whole runs, each one stretch."""
    driving = [np.empty((len(t), 0)) if u is None else u for (t, _), u in zip(runs, inputs, strict=True)]
    return Stretches(
        t=np.concatenate([t for t, _ in runs]),
        y=np.concatenate([x for _, x in runs]),
        inputs=np.concatenate(driving),
        sigma=noise,
        ends=one_stretch_a_run([len(t) for t, _ in runs]),
        counts=1.0 if counts is None else np.concatenate(list(counts)),
    )
