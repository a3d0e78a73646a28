"""Positions only: the rate of a state as one more state, which nobody measured.

x'' = f(x, x') is x' = v with v' = f(x, v). The values of v are slopes of a curve through x: they start fits and are
drawn beside simulations, and where noise is the limit no fit is compared with them: v follows from what it does to x.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.errors import DataError
from dolq_core.numerics.derivative import fit_curve
from dolq_core.numerics.noise import noise_levels
from dolq_core.numerics.target import Target
from dolq_core.records import Blocks, Dataset, EquationBlocks, Given, Trajectory, Variable
from dolq_core.terms import safe_names

MARK = "_dot"
"""What the name of a rate ends with: x_dot is the rate of x."""


def with_rates(dataset: Dataset, names: Sequence[str]) -> Dataset:
    """Return the data with the rate of each named state as a further state, after the others.

    Raises DataError for a name that is no state, or whose rate is there already, and for one with a given derivative.
    """
    if not names:
        return dataset
    places = [_place(dataset, name) for name in dict.fromkeys(names)]
    sources = [dataset.states[j] for j in places]
    own = [variable.name for variable in (*dataset.states, *dataset.inputs)]
    called = [_called(one) for one in sources]
    symbols = safe_names([*own, *called]).symbols[len(own) :]
    new = [
        Variable(name, symbol, _per(one.unit, dataset.time.unit), f"rate of {one.name}, not measured")
        for one, name, symbol in zip(sources, called, symbols, strict=True)
    ]
    noise = noise_levels([(run.t, run.x) for run in dataset.trajectories])
    return replace(
        dataset,
        states=(*dataset.states, *new),
        trajectories=tuple(_with_slopes(run, places, noise) for run in dataset.trajectories),
        unmeasured=tuple(Given(v.name, one.name) for v, one in zip(new, sources, strict=True)),
    )


def with_rate_equations(dataset: Dataset, blocks: Blocks) -> Blocks:
    """Return the rules with x' = v for each state x whose rate v is a state that was not measured."""
    rules = {one.equation: one for one in blocks.equations}
    for rate, state in sources_of(dataset).items():
        v = dataset.states[rate].symbol
        rules[state] = replace(rules.get(state, EquationBlocks(state)), terms=(v,), fixed=((v, 1.0),), start=())
    return replace(blocks, equations=tuple(rules.values())) if dataset.unmeasured else blocks


def sources_of(dataset: Dataset) -> dict[int, int]:
    """Return which state each unmeasured one is the rate of, by number."""
    place = {state.name: j for j, state in enumerate(dataset.states)}
    return {place[one.column]: place[one.state] for one in dataset.unmeasured}


def unmeasured_target(target: Target, dataset: Dataset) -> Target:
    """Return the target with nothing measured of the states that are rates, and the error of their slopes as noise."""
    sources = sources_of(dataset)
    if not sources:
        return target
    noise, floor, data = target.noise.copy(), target.floor.copy(), target.measured
    gain = None if target.white is None else target.white / np.where(noise > 0.0, noise, 1.0)
    for rate, state in sources.items():
        if noise[state] > 0.0:
            noise[rate] = max(
                noise[rate], _error([(run.t, run.x[:, state]) for run in dataset.trajectories], noise[state])
            )
            floor[rate] = np.hypot(floor[rate], noise[rate] * (0.0 if gain is None else gain[state]))
    if data is not None:
        seen = data.data.y.copy()
        seen[:, list(sources)] = np.nan
        sigma = np.where(np.isin(np.arange(len(noise)), list(sources)), noise, data.data.sigma)
        data = replace(data, data=replace(data.data, y=seen, sigma=sigma))
    return replace(target, noise=noise, floor=floor, measured=data)


def _place(data: Dataset, name: str) -> int:
    states = [state.name for state in data.states]
    if name not in states:
        reason = "a second-order law was asked for it, and the data have no such state"
        raise DataError(f"The state {name!r}", reason, f"The states are {', '.join(states)}.")
    if _called(data.states[states.index(name)]) in states:
        raise DataError(f"The state {name!r}", "its rate is a state already", "Take one of the two.")
    if any(one.state == name for one in data.derivatives):
        reason = "its derivative is given, so that nothing is left to find out by a second-order law"
        raise DataError(f"The state {name!r}", reason, "Take the derivative as a state, or leave it out.")
    return states.index(name)


def _called(state: Variable) -> str:
    return state.symbol.rstrip("_") + MARK


def _per(unit: str, time: str) -> str:
    return f"{unit or 1}/{time}" if time and (unit or time) else unit


def _with_slopes(run: Trajectory, places: Sequence[int], noise: Floats) -> Trajectory:
    slopes = [fit_curve(run.t, run.x[:, j], float(noise[j]))(run.t, 1) for j in places]
    unweighted = None if run.weights is None else np.hstack((run.weights, np.ones((len(run.t), len(places)))))
    unknown = (
        None if run.derivatives is None else np.hstack((run.derivatives, np.full((len(run.t), len(places)), np.nan)))
    )
    return replace(run, x=frozen(np.column_stack((run.x, *slopes))), weights=unweighted, derivatives=unknown)


def _error(runs: Sequence[tuple[Floats, Floats]], noise: float) -> float:
    """How far the slopes of a curve are off (root mean square): half of what those of its two halves differ by."""
    apart = [
        fit_curve(t[::2], x[::2], noise)(t, 1) - fit_curve(t[1::2], x[1::2], noise)(t, 1) for t, x in runs if len(t) > 3
    ]
    return 0.5 * float(np.sqrt(np.mean(np.concatenate(apart) ** 2))) if apart else 0.0
