"""What is said of states that are seen in steps: how finely they were read, and where they jump."""

from itertools import pairwise
from math import sqrt

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.numerics.digits import last_digit, written_digits
from dolq_core.numerics.noise import LEAST, jumps, levels, noise_levels, resolution, rounding
from dolq_core.records import Dataset

FEW = 40
"""Different values of a state up to which no law of it is borne out: 1 in 40 is what a change of 2.5 % makes."""
OWN = 2.0
"""Times what rounding adds, from which noise of its own carries a state from value to value: then they are no limit."""
TOLD = 3
"""Jumps that are named."""


def rounded_words(dataset: Dataset) -> str:
    """Say in which steps the states were written, where that is seen, as sentences; empty where it is not."""
    said: list[str] = []
    for j, state in enumerate(dataset.states):
        values = _values(dataset, j)
        series = [(run.t, run.x[:, [j]]) for run in dataset.trajectories]
        step, digits = resolution(values), written_digits(values[np.isfinite(values)])
        least = rounding(values, float(noise_levels(series)[0])) if step or digits else 0.0
        if not least:
            continue
        by_step = f"read in steps of {step:.4g} ({levels(values)} values)"
        how = by_step if least <= step / sqrt(12.0) else f"written with {digits} digit{'s' * (digits > 1)}"
        said.append(f" {state.name} was {how}: its noise is taken to be at least {least:.3g}.")
    return "".join(said)


def coarse_words(dataset: Dataset, state: int) -> str:
    """Return why the values of a state are too few to bear a law out, as a sentence; empty where they are not."""
    values = _values(dataset, state)
    seen, count = int(np.isfinite(values).sum()), levels(values)
    if seen < LEAST or count > min(FEW, seen // 3) or count < 2:
        return ""
    step = resolution(values)
    series = [(run.t, run.x[:, [state]]) for run in dataset.trajectories]
    if step and float(noise_levels(series)[0]) > OWN * step / sqrt(12.0):
        return ""
    first = next(
        (when for run in dataset.trajectories if (when := _first_change(run.t, run.x[:, state])) is not None), 0.0
    )
    name, time = dataset.states[state].name, dataset.time.name
    apart = f", {step:.4g} apart," if step else ""
    return (
        f"{name} takes {count} values only{apart} and stays at each (it first changes at {time} = {first:.4g}): "
        "what happens between them is not known."
    )


def jump_words(dataset: Dataset, state: int) -> str:
    """Say where a state jumps from one sample to the next, as a sentence; empty where it does not.

    The last digit that is written may be all that changes where a curve has levelled off: that is no jump.
    """
    found: list[float] = []
    for run in dataset.trajectories:
        x = run.x[:, state]
        digit = last_digit(x)
        found += [float(run.t[i + 1]) for i in jumps(x) if abs(x[i + 1] - x[i]) > 1.5 * max(digit[i : i + 2])]
    if not found:
        return ""
    shown = ", ".join(f"{when:.4g}" for when in found[:TOLD]) + (" ..." if len(found) > TOLD else "")
    times = "once" if len(found) == 1 else f"{len(found)} times"
    return f"{dataset.states[state].name} jumps {times}, at {dataset.time.name} = {shown}."


def _values(dataset: Dataset, state: int) -> Floats:
    return np.concatenate([run.x[:, state] for run in dataset.trajectories])


def _first_change(t: Floats, x: Floats) -> float | None:
    return next((float(t[i + 1]) for i, (one, other) in enumerate(pairwise(x.tolist())) if other != one), None)
