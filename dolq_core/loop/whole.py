"""The best system where equations hang together or simulations have limits: chosen as a whole."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from dolq_core.bans import by_person
from dolq_core.fitting import Workbench
from dolq_core.fitting.prior import Prior
from dolq_core.records import EquationFit, Iteration, RunState, TermKey


def best_whole(state: RunState, done: Iteration, bench: Workbench) -> Iteration:
    """Add the best system that keeps every rule, with its coefficients fitted again where that keeps them too."""
    tried = [system.equations for system in done.fits if not any(fit.failure for fit in system.equations)]
    if state.last is not None and state.last.refined and _is_allowed(state, state.last.refined):
        tried.append(state.last.refined)
    for fits in _ranked(state, tried, bench):
        found = bench.refine(fits)
        if found and (bench.why_not_together(found) or not _is_finite(bench, found)):
            found = ()
        chosen = found or bench.together(fits)
        final = bench.final(chosen)
        if final and bench.why_not_together(final):
            final = ()
        held = bench.held is not None
        score = bench.trajectory_score(chosen if held else final or chosen)
        return replace(done, refined=final or chosen, blind=chosen if held else (), trajectory=score)
    return done


def _ranked(
    state: RunState, systems: Sequence[tuple[EquationFit, ...]], bench: Workbench
) -> list[tuple[EquationFit, ...]]:
    """Systems that keep every rule, the shortest description first; by the scores of equations where none is known."""
    sound = [system for system in systems if not bench.why_not_together(system)]
    compared = bench.lengths(sound, Prior(state.problem)) if state.settings.best_by != "mse" else None
    costs = [sum(fit.score for fit in system) for system in sound] if compared is None else compared[1]
    return [sound[k] for k in sorted(range(len(sound)), key=lambda k: costs[k])]


def _is_allowed(state: RunState, fits: Sequence[EquationFit]) -> bool:
    return not any(by_person(state, TermKey(fit.equation, term.skeleton)) for fit in fits for term in fit.terms)


def _is_finite(bench: Workbench, fits: Sequence[EquationFit]) -> bool:
    score = bench.trajectory_score(fits)
    return all(map(isfinite, (*score.nmse, *score.held_out)))
