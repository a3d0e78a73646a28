"""Which structure of each equation explains the trajectories best: a right law can look second-best to derivatives."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, isfinite, log

import numpy as np

from dolq_core.fitting.score import term_cost
from dolq_core.numerics.shooting import Shot
from dolq_core.records import EquationFit

LEADERS = 5
"""Structures per equation that are compared."""
SWEEPS = 2
CLEAR = 3.0
"""Nats by which a system must be shorter to replace the one with the better derivative fits."""
MOST_GAIN = 50.0
"""Nats that a structure can gain by its trajectories over the one it replaces."""

Judge = Callable[[Sequence[EquationFit]], float]


def choose(leaders: Sequence[Sequence[EquationFit]], judge: Judge) -> tuple[EquationFit, ...]:
    """Return one of the leaders per equation, those whose system `judge` finds shortest (nats).

    Equation by equation, the others at their best so far, until nothing changes. A structure that replaces the
    first one of its equation gets its score less what the system gained, so that it ranks before it from now on.
    """
    chosen = [fits[0] for fits in leaders]
    least = judge(chosen)
    for _ in range(SWEEPS):
        before = list(chosen)
        for j, fits in enumerate(leaders):
            for fit in fits[:LEADERS]:
                if fit is before[j] or fit is chosen[j]:
                    continue
                length = judge([*chosen[:j], fit, *chosen[j + 1 :]])
                if length < least - CLEAR:
                    gain = min(least - length, MOST_GAIN)
                    chosen[j] = replace(fit, score=min(fit.score, chosen[j].score) - gain)
                    least = length
        if chosen == before:
            break
    return tuple(chosen) if isfinite(least) else tuple(fits[0] for fits in leaders)


def description_of(shot: Shot, noise: Sequence[float], fits: Sequence[EquationFit]) -> float:
    """Return the description length of a system on trajectories, in nats; inf where a simulation failed.

    noise: variance of the measurement noise of each state over the state's own; no error below it counts as smaller.
    """
    if not np.isfinite(shot.errors).all():
        return inf
    errors, samples = shot.errors.tolist(), shot.samples.tolist()
    fit_part = sum(
        0.5 * n * log(max(error, least, 1e-16)) for error, least, n in zip(errors, noise, samples, strict=True)
    )
    cost = sum(term_cost(term.skeleton, len(term.inner), samples[fit.equation]) for fit in fits for term in fit.terms)
    return fit_part + cost
