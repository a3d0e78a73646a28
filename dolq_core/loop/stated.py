"""What hypotheses state of their numbers: held against the data, and kept by the law where it holds."""

from collections.abc import Sequence
from dataclasses import replace
from math import log

from dolq_core.blocks import merged
from dolq_core.fitting import Workbench
from dolq_core.fitting.restriction import law_of, restriction_of
from dolq_core.loop.ranking import structures
from dolq_core.records import Blocks, EquationFit, RunState, Stated
from dolq_core.terms import Skeleton, count_params

CHANCE = 2.0
"""Nats that a statement may cost beyond what its numbers save: chance alone costs less in nineteen of twenty cases."""


def stating(
    state: RunState, law: Sequence[Sequence[Skeleton]], stated: Sequence[Stated], bench: Workbench
) -> tuple[tuple[Stated, ...], Workbench]:
    """Return the statements with what the data say of each, and the data for a fit that keeps those that hold."""
    own = state.problem.blocks
    free = _fitted(bench, law)
    told = tuple(_held_against(one, bench.under(merged(own, [one.blocks])), free, law) for one in stated)
    return told, bench.under(merged(own, [one.blocks for one in told if one.holds]))


def keeping(state: RunState, fits: Sequence[EquationFit], bench: Workbench) -> Workbench:
    """Return the data for a fit that keeps what was stated of this system and holds."""
    kept = state.stated.get(structures(fits), ())
    return bench.under(merged(state.problem.blocks, [one.blocks for one in kept])) if kept else bench


def _fitted(bench: Workbench, law: Sequence[Sequence[Skeleton]]) -> tuple[EquationFit, ...]:
    return bench.together([bench.fit(j, skeletons) for j, skeletons in enumerate(law)])


def _held_against(
    stated: Stated, bench: Workbench, free: Sequence[EquationFit], law: Sequence[Sequence[Skeleton]]
) -> Stated:
    """Compare the fit with a statement to that without, by what is left of the rates beyond their own error."""
    fits = _fitted(bench, law)
    if any(fit.failure for fit in (*fits, *free)) or bench.why_not_together(fits):
        return replace(stated, holds=False)
    lost = 0.0
    for one, other in zip(fits, free, strict=True):
        target = bench.for_equation(one.equation).target
        floor = float(target.floor[one.equation]) ** 2 or 1e-30
        lost += 0.5 * target.effective * log((one.mse + floor) / (other.mse + floor))
    effective = max(bench.target.effective, 2.0)
    saved = _numbers(Blocks(), free) - _numbers(bench.blocks, free)
    return replace(stated, holds=lost <= CHANCE + 0.5 * max(saved, 0) * log(effective), nats=round(lost, 2))


def _numbers(blocks: Blocks, fits: Sequence[EquationFit]) -> int:
    rule = restriction_of(blocks, law_of(fits))
    if rule is not None:
        return rule.free.shape[1]
    return sum(1 + count_params(term.skeleton) for fit in fits for term in fit.terms)
