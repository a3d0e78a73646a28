"""A state that may be the measured rate of another one: by its unit, and as the other changes by what it adds up to."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from dolq_core.records import Dataset
from dolq_core.units import Unit, read_unit, without_unit
from dolq_core.views.sampling import Check

APART = 0.02
"""Share of the squares of a state's changes up to which the sum of its rate over time may miss them."""
FEWEST = 5
NEGLIGIBLE = 0.05
"""Share of the largest rate below which its sign does not count."""
ANGLES = frozenset({"radian", "degree", "turn"})
MADE_DERIVATIVE = "Derivative on the page Data, --derivative on the command line"


def measured_rate(dataset: Dataset) -> Check | None:
    """Ask whether a state was measured as the rate of another one, which would then have a law to be found."""
    for rate, state in _pairs(dataset):
        if _adds_up(dataset, rate, state):
            v, s = (without_unit(dataset.states[j].name) for j in (rate, state))
            held = f"It has the unit of a rate of {s}, and {s} changes by what {v} adds up to over time."
            way_out = f"If it was measured as that rate, make it the derivative of {s}: {MADE_DERIVATIVE}."
            return Check("rate", "bad", f"{v} may be the rate of {s}", f"{held} {way_out}")
    return None


def _pairs(dataset: Dataset) -> Iterator[tuple[int, int]]:
    """Yield which state has the unit of a rate of which other one; a place has a velocity, which is a state, too."""
    with_units = {j: one.unit for j, one in enumerate(dataset.states) if one.unit}
    if len(with_units) < 2 or not dataset.time.unit:
        return
    t, units = read_unit(dataset.time.unit), {j: read_unit(unit) for j, unit in with_units.items()}
    rates = defaultdict[object, list[int]](list)
    for j, unit in units.items():
        if unit is not None:
            rates[unit.powers].append(j)
    for j, unit in units.items():
        if t is not None and unit is not None and not _is_place(unit):
            yield from ((rate, j) for rate in rates.get(unit.times(t, -1.0).powers, ()))


def _is_place(unit: Unit) -> bool:
    """Whether a unit is one of lengths or of angles."""
    return dict(unit.measures) == {"[length]": 1.0} or (bool(unit.powers) and set(unit.powers) <= ANGLES)


def _adds_up(dataset: Dataset, rate: int, state: int) -> bool:
    """Whether the state changes by the integral of the rate; not where a single state would have rates of both signs.

    No law in that state alone can do that.
    """
    missed = spread = 0.0
    for run in dataset.trajectories:
        seen = np.isfinite(run.x[:, rate]) & np.isfinite(run.x[:, state])
        t, v, s = run.t[seen], run.x[seen, rate], run.x[seen, state]
        if len(t) < FEWEST:
            continue
        least = NEGLIGIBLE * float(np.max(np.abs(v)))
        if len(dataset.states) == 2 and float(np.min(v)) < -least and float(np.max(v)) > least:
            return False
        sums = np.concatenate(([0.0], np.cumsum(np.diff(t) * (v[1:] + v[:-1]) / 2.0)))
        missed += float(np.sum((s - sums - np.mean(s - sums)) ** 2))
        spread += float(np.sum((s - np.mean(s)) ** 2))
    return spread > 0.0 and missed <= APART * spread
