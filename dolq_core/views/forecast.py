"""The best system past the end of the data, from another start, and with other coefficients."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, isfinite

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.numerics.metrics import nmse
from dolq_core.records import Dataset, EquationFit, FittedTerm
from dolq_core.runs import Run, workbench
from dolq_core.views.amounts import moment
from dolq_core.views.system import MISSING, as_far, last_of, own_start, reported, seen_by
from dolq_core.views.trajectories import share_of_all

POINTS = 400
"""Times over the span of the data; beyond it as many per unit of time, up to MOST_POINTS in all."""
MOST_POINTS = 1600


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """One run and the best system followed past its end, with the reported coefficients.

    Attributes:
        t, data: (n,), (n, d) the run as measured.
        model_t, model: (m,), (m, d) the system from `start`; NaN from where it cannot be followed. None without one.
        since: the time at which the data end.
        start: (d,) the state at the first time.
        is_own: whether that is the run's own start, so that the data belong beside the model.
        left_at: the last time that the model reaches, None when it goes through.
        low, high: (m, d) two standard errors around the model; None where they are not known.
        words: where and why it stops; empty when it goes through.
    """

    label: str
    t: Floats
    data: Floats
    model_t: Floats
    model: Floats | None
    since: float
    start: tuple[float, ...]
    is_own: bool
    left_at: float | None
    low: Floats | None
    high: Floats | None
    words: str


def forecast(run: Run, number: int, ahead: float, start: Sequence[float] | None = None) -> Forecast:
    """Follow the best system through one run of the table and `ahead` further, from its own start or another one.

    Inputs keep their last value beyond the data. The band is that of the run's own start.
    """
    dataset = run.state.problem.dataset
    measured, fits = dataset.trajectories[number], reported(run.state)
    first, since = float(measured.t[0]), float(measured.t[-1])
    own = own_start(run, number)
    begin = tuple(own if start is None else start)
    t = _times(first, since, max(ahead, 0.0))
    if not fits or not begin:
        why = "The start is not known: a state was not measured there." if fits else MISSING
        return Forecast(measured.label, measured.t, measured.x, t, None, since, begin, True, None, None, None, why)
    known, place = seen_by(workbench(run), number)
    path = as_far(partial(known.simulate, fits, place, start=np.array(begin)), t)
    reached = last_of(path)
    is_own = begin == own
    band = known.band(fits, place, t) if is_own and not path.failure else None
    left_at = float(t[reached]) if path.failure else None
    words = "" if left_at is None else _left_words(left_at, path.failure, dataset)
    return Forecast(
        measured.label, measured.t, measured.x, t, path.x, since, begin, is_own, left_at,
        None if band is None else band[0], None if band is None else band[1], words,
    )  # fmt: skip


def _times(first: float, since: float, ahead: float) -> Floats:
    inside = np.linspace(first, since, POINTS)
    if not ahead:
        return inside
    more = int(np.clip(POINTS * ahead / (since - first), 2, MOST_POINTS - POINTS))
    return np.concatenate((inside, np.linspace(since, since + ahead, more + 1)[1:]))


def _left_words(at: float, failure: str, dataset: Dataset) -> str:
    """Say where and why a simulation stops."""
    when = moment(dataset.time.name, f"{at:.4g}".replace("-", "\N{MINUS SIGN}"), at, dataset.time.unit)
    return f"The model leaves at {when}. {failure}"


MOVED_POINTS = 300


@dataclass(frozen=True, slots=True, eq=False)
class MovedPath:
    """The system with other coefficients on one run, from the start of the fitted one.

    Attributes:
        t, x: (m,), (m, d) the simulation; NaN from where it cannot be followed. None where there is no system.
        nmse: per state as the chart of the fit has it: on the part that was fitted; None where it cannot be followed.
        failure: why it stops; empty when it goes through.
    """

    t: Floats
    x: Floats | None
    nmse: tuple[float | None, ...]
    failure: str


def moved(run: Run, number: int, values: Sequence[float]) -> MovedPath:
    """Simulate one run of the table with `values` as the numbers, in the order of `numbers`; nothing is stored."""
    fits, measured = reported(run.state), run.state.problem.dataset.trajectories[number]
    start = own_start(run, number)
    if not fits or not start:
        return MovedPath(measured.t, None, (None,) * measured.x.shape[1], MISSING)
    known, place = seen_by(workbench(run), number)
    t = np.union1d(measured.t, np.linspace(float(measured.t[0]), float(measured.t[-1]), MOVED_POINTS))
    path = as_far(partial(known.simulate, _with(fits, values), place, start=np.array(start)), t)
    at_data = path.x[np.searchsorted(t, measured.t)]
    held = workbench(run).held
    since = held.since[number] if held else None
    seen = measured.t < (inf if since is None or since <= measured.t[0] else since)
    x = measured.x[seen]
    share = share_of_all(run.state, x)
    errors = [nmse(at_data[seen, j], x[:, j]) * share[j] for j in range(x.shape[1])]
    failure = _left_words(float(t[last_of(path)]), path.failure, run.state.problem.dataset) if path.failure else ""
    return MovedPath(t, path.x, tuple(e if isfinite(e) else None for e in errors), failure)


def _with(fits: Sequence[EquationFit], values: Sequence[float]) -> tuple[EquationFit, ...]:
    left = iter(values)
    return tuple(
        replace(fit, terms=tuple(_term(term, [next(left) for _ in range(1 + len(term.inner))]) for term in fit.terms))
        for fit in fits
    )


def _term(term: FittedTerm, values: Sequence[float]) -> FittedTerm:
    return replace(term, coefficient=float(values[0]), inner=tuple(float(value) for value in values[1:]))
