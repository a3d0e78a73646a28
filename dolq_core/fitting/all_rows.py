"""Outer coefficients of a chosen structure on every sample of data that the search sees thinned."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting.coefficients import slopes_of, with_errors, with_numbers
from dolq_core.numerics.least_squares import LinearFit, least_squares
from dolq_core.numerics.long import Columns, LongRun, long_rows, long_runs
from dolq_core.numerics.noise import Run
from dolq_core.numerics.target import Target
from dolq_core.records import EquationFit
from dolq_core.terms import Skeleton, compile_columns


def on_all_rows(
    fits: Sequence[EquationFit],
    target: Target,
    runs: Sequence[Run],
    inputs: Sequence[Floats | None],
    symbols: tuple[str, ...],
) -> tuple[EquationFit, ...]:
    """Return the fits with coefficients from all samples; one that keeps its own says why in its note.

    Inner parameters stay as they are. `target` was built on `runs` with `inputs`; data that it was not thinned on come
    back as they are.
    """
    known = [np.empty((len(t), 0)) if u is None else u for (t, _), u in zip(runs, inputs, strict=True)]
    long = long_runs(runs, known, target)
    if isinstance(long, str):
        return tuple(kept(fit, long) for fit in fits)
    width = target.rows.width if target.rows is not None else 0.0
    return tuple(_fitted(fit, long, width, symbols) if fit.terms else fit for fit in fits)


def kept(fit: EquationFit, why: str) -> EquationFit:
    """Return the fit as it is, with the reason in its note."""
    return replace(fit, note="; ".join(part for part in (fit.note, why) if part))


def _fitted(fit: EquationFit, runs: Sequence[LongRun], width: float, symbols: tuple[str, ...]) -> EquationFit:
    terms = [(term.skeleton, term.inner) for term in fit.terms]
    both, b, effective = long_rows(runs, width, _columns(terms, symbols), fit.equation)
    a, slopes = both[: len(terms)], both[len(terms) :]
    if not np.isfinite(a).all() or not np.isfinite(b).all():
        return kept(fit, "fitted on a thinned view: a term is not finite on all samples")
    found = least_squares(a, b, effective)
    old = np.array([term.coefficient for term in fit.terms])
    if not _is_better(found, b - old @ a, effective):
        return kept(fit, "fitted on a thinned view: all samples give no better coefficients")
    if len(slopes) and np.isfinite(slopes).all():
        found, _ = with_errors(found, a, slopes, b, effective)
    better, correlation = with_numbers(fit.terms, found)
    return replace(fit, terms=better, correlation=correlation, strategy=_strategy(fit))


def _columns(terms: Sequence[tuple[Skeleton, tuple[float, ...]]], symbols: tuple[str, ...]) -> Columns:
    """Return the columns of the terms, then their slopes by each inner parameter."""
    closures = [(compile_columns(skeleton, symbols), inner) for skeleton, inner in terms]

    def columns(values: Floats, t: Floats) -> Floats:
        own = [column(values, t, inner) for column, inner in closures]
        slopes = [
            slope
            for column, inner in closures
            for slope in slopes_of(lambda moved, c=column: c(values, t, moved), inner)
        ]
        return np.array([*own, *(slope for slope in slopes if slope is not None)])

    return columns


def _is_better(found: LinearFit, before: Floats, effective: float) -> bool:
    """Whether all coefficients are determined and the residual is not larger than that before (M,)."""
    whole = bool(np.isfinite(found.coefficients).all() and np.isfinite(found.std_errors).all())
    return whole and isfinite(found.mse) and effective > found.rank and found.mse <= float(np.mean(before**2))


def _strategy(fit: EquationFit) -> str:
    """Inner parameters keep the words for how they were found."""
    if any(term.inner for term in fit.terms):
        return fit.strategy if fit.strategy != "trajectory" else "trajectory, least squares"
    return "least squares"
