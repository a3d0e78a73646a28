"""Where the best system goes: past the end of the data, and from another start."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.panels.system import MISSING, as_far, last_of, reported, seen_by
from dolq_core.records import Dataset, RunState

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


def own_start(state: RunState, bench: Workbench, run: int) -> tuple[float, ...]:
    """Return the state from which the reported system is simulated for a run; empty where it is not known."""
    fits = reported(state)
    if not fits:
        return ()
    known, place = seen_by(bench, run)
    first = known.simulate(fits, place, t=known.times(place)[:2]).x[0]
    return tuple(first.tolist()) if np.isfinite(first).all() else ()


def forecast(
    state: RunState, bench: Workbench, run: int, ahead: float, start: Sequence[float] | None = None
) -> Forecast:
    """Follow the best system through a run and `ahead` further, from the run's own start or from another one.

    Inputs keep their last value beyond the data. The band is that of the run's own start.
    """
    dataset = state.problem.dataset
    measured, fits = dataset.trajectories[run], reported(state)
    first, since = float(measured.t[0]), float(measured.t[-1])
    own = own_start(state, bench, run)
    begin = tuple(own if start is None else start)
    t = _times(first, since, max(ahead, 0.0))
    if not fits or not begin:
        why = "The start is not known: a state was not measured there." if fits else MISSING
        return Forecast(measured.label, measured.t, measured.x, t, None, since, begin, True, None, None, None, why)
    known, place = seen_by(bench, run)
    path = as_far(partial(known.simulate, fits, place, start=np.array(begin)), t)
    reached = last_of(path)
    is_own = begin == own
    band = known.band(fits, place, t) if is_own and not path.failure else None
    left_at = float(t[reached]) if path.failure else None
    words = "" if left_at is None else left_words(left_at, path.failure, dataset)
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


def left_words(at: float, failure: str, dataset: Dataset) -> str:
    """Say where and why a simulation stops."""
    when = f"{dataset.time.name} = {at:.4g} {dataset.time.unit}".rstrip().replace("-", "\N{MINUS SIGN}")
    return f"The model leaves at {when}. {failure}"
