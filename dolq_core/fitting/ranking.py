"""Which structure of each equation explains the trajectories best: a right law can look second-best to derivatives."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf, isfinite, log

import numpy as np

from dolq_core.fitting.prior import SHARED
from dolq_core.fitting.score import NAMING, complexity, term_cost
from dolq_core.numerics.rounding import nats
from dolq_core.numerics.shooting import Shot
from dolq_core.records import AT_FLOOR, EquationFit

LEADERS = 5
"""Structures per equation that are compared."""
SWEEPS = 2
CLEAR = 1.0
"""Nats by which a system must be shorter to replace the one with the better derivative fits: what stopping early
costs. The derivatives are made of the same samples and know nothing more."""
MOST_GAIN = 50.0
"""Nats that a structure can gain by its trajectories over the one it replaces."""

DOUBTFUL = 1.5
"""Nats that a term has to earn beyond what it costs: among hundreds of structures chance finds one that earns a nat."""

Judge = Callable[[Sequence[EquationFit]], float]


def choose(
    leaders: Sequence[Sequence[EquationFit]], judge: Judge, systems: Sequence[Sequence[EquationFit]] = ()
) -> tuple[EquationFit, ...]:
    """Return one of the leaders per equation, those whose system `judge` finds shortest (nats).

    First whole `systems`, because two wrong equations can hide that a third is right; then equation by equation, the
    others at their best so far, until nothing changes. A structure that replaces the first one of its equation gets
    its score less what the system gained, so that it ranks before it from now on. Where the first one leaves nothing of
    the derivatives, one that they speak against by more than MOST_GAIN is not compared: beside a wrong equation
    simulations choose by chance.
    """
    systems = [own for own in systems if all(map(_may_replace, own, (fits[0] for fits in leaders)))]
    leaders = [[fit for fit in fits if _may_replace(fit, fits[0])] for fits in leaders]
    chosen = [fits[0] for fits in leaders]
    least = judge(chosen)
    for system in systems:
        length = judge(system)
        if length < least - CLEAR:
            chosen = [_preferred(fit, fits[0], least - length) for fit, fits in zip(system, leaders, strict=True)]
            least = length
    for _ in range(SWEEPS):
        before = list(chosen)
        for j, fits in enumerate(leaders):
            for fit in fits[:LEADERS]:
                if _shape(fit) in (_shape(before[j]), _shape(chosen[j])):
                    continue
                length = judge([*chosen[:j], fit, *chosen[j + 1 :]])
                if length < least - CLEAR:
                    chosen[j] = _preferred(fit, chosen[j], least - length)
                    least = length
        if chosen == before:
            break
    return tuple(chosen) if isfinite(least) else tuple(fits[0] for fits in leaders)


def shortest(
    leaders: Sequence[Sequence[EquationFit]], start: Sequence[EquationFit], length: Judge
) -> tuple[EquationFit, ...]:
    """Return one of the leaders per equation, those of the system with the shortest description, from `start` on.

    One without a DOUBTFUL term is preferred. A structure that is not the first of its equation gets a score before that
    one.
    """
    best, least = list(start), length(start)
    for _ in range(SWEEPS):
        before = best
        for j, fits in enumerate(leaders):
            for fit in fits[:LEADERS]:
                trial = [*best[:j], fit, *best[j + 1 :]]
                if (value := length(trial)) < least:
                    best, least = trial, value
        if best is before:
            break
    for j, fits in enumerate(leaders):
        for fit in fits[:LEADERS]:
            plainer = [*best[:j], fit, *best[j + 1 :]]
            if _shape(fit) < _shape(best[j]) and length(plainer) <= least + DOUBTFUL:
                best = plainer
    return tuple(
        fits[0] if _shape(fit) == _shape(fits[0]) else replace(fit, score=min(fit.score, fits[0].score) - CLEAR)
        for fit, fits in zip(best, leaders, strict=True)
    )


def _may_replace(fit: EquationFit, first: EquationFit) -> bool:
    return first.floor_ratio > AT_FLOOR or fit.score <= first.score + MOST_GAIN


def _preferred(fit: EquationFit, other: EquationFit, gain: float) -> EquationFit:
    """The fit with a score that ranks it before the other one by what the trajectories gained."""
    if _shape(fit) == _shape(other):
        return other
    return replace(fit, score=min(fit.score, other.score) - min(gain, MOST_GAIN))


def _shape(fit: EquationFit) -> frozenset[str]:
    return frozenset(term.skeleton for term in fit.terms)


def description_of(shot: Shot, noise: Sequence[float], fits: Sequence[EquationFit]) -> float:
    """Return the description length of a system on trajectories, in nats; inf where a simulation failed.

    noise: variance of the measurement noise of each state over the state's own; no error below it counts as smaller.
    A term that another equation has already named costs SHARED instead of its name: what leaves one state often
    enters another, at the same rate.
    """
    if not np.isfinite(shot.errors).all():
        return inf
    errors, samples = shot.errors.tolist(), shot.samples.tolist()
    fit_part = sum(
        0.5 * n * log(max(error, least, 1e-16)) for error, least, n in zip(errors, noise, samples, strict=True)
    )
    terms = [(term, samples[fit.equation]) for fit in fits for term in fit.terms]
    cost = sum(term_cost(term.skeleton, len(term.inner), n) for term, n in terms)
    return nats(fit_part + cost - sum(_saved([term.skeleton for term, _ in terms])))


def _saved(skeletons: Sequence[str]) -> list[float]:
    """What each repeated name saves."""
    repeated = [s for i, s in enumerate(skeletons) if s in skeletons[:i]]
    return [max(NAMING + complexity(s) - SHARED, 0.0) for s in repeated]
