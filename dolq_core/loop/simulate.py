"""The best system so far: fitted again to whole runs where that helps, and simulated."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from dolq_core.bans import by_person
from dolq_core.blocks import is_joint, is_watched
from dolq_core.fitting import LEADERS, Workbench
from dolq_core.fitting.merit import rank
from dolq_core.fitting.prior import Prior
from dolq_core.loop.advance import advance
from dolq_core.loop.ranking import ranked, structure, structures, unharmed
from dolq_core.loop.stated import keeping
from dolq_core.records import EquationFit, Iteration, RunState, TermKey, TrajectoryScore


def simulated(state: RunState, done: Iteration, bench: Workbench) -> Iteration:
    """Add the best system so far, fitted again where that helps, and its score against the data.

    The score is of the numbers that are reported: of a law that stays as it was, not of those that it would have beside
    a new law of another state.
    """
    found = _fitted(state, done, bench)
    if found.trajectory is None or not unharmed(state):
        return found
    kept = [visited.scored for visited in advance(state, found).best if visited is not None]
    return replace(found, trajectory=bench.trajectory_score(kept))


def _fitted(state: RunState, done: Iteration, bench: Workbench) -> Iteration:
    """Add the best system so far with its numbers, all fitted together, and the score of these.

    The score is that of coefficients which have not seen the held-out part; only then are all rows used. What the
    last iteration found of the same system is not computed again.
    """
    if is_joint(state.problem.blocks) or is_watched(state.problem.blocks):
        return _best_whole(state, done, bench)
    after = advance(state, done)
    leaders = [_leaders(after, j) for j in range(len(after.best))]
    if not all(leaders):
        return done
    kept = {structure(j, visited.fit.terms) for j, visited in unharmed(after).items()}
    systems = [system.equations for system in done.fits if kept <= {*structures(system.equations)}]
    best = bench.settle(leaders, systems, Prior(state.problem))
    bench = keeping(after, best, bench)
    moved = any(fit is not fits[0] for fit, fits in zip(best, leaders, strict=True))
    last = state.last
    if last is not None and last.refined and structures(last.refined) == structures(best):
        again = tuple(replace(old, score=new.score) for old, new in zip(last.refined, best, strict=True))
        kept = again if moved else last.refined
        return replace(done, refined=kept, blind=last.blind, trajectory=last.trajectory)
    found, held = bench.refine(best), bench.held is not None
    if not found and (tied := bench.together(best)) != tuple(best):
        found = tied
    final, score = _last(bench, found or best)
    if found and not all(map(isfinite, (*score.nmse, *score.held_out))):
        found = ()  # fitted to its samples it leaves them at once: chance, or chaos
        final, score = _last(bench, best)
    found = found or (best if moved else ())
    return replace(done, refined=final or found, blind=found if held else (), trajectory=score)


def _best_whole(state: RunState, done: Iteration, bench: Workbench) -> Iteration:
    """Add the best system that keeps every rule, with its coefficients fitted again where that keeps them too."""
    tried = [system.equations for system in done.fits if not any(fit.failure for fit in system.equations)]
    if state.last is not None and state.last.refined and _is_allowed(state, state.last.refined):
        tried.append(state.last.refined)
    for fits in _sound(state, tried, bench):
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


def _sound(
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


def _last(bench: Workbench, fits: Sequence[EquationFit]) -> tuple[tuple[EquationFit, ...], TrajectoryScore]:
    """Return the system fitted on all rows, and how it simulates without the held-out ones.

    Empty where those rows change nothing, or where it runs away with them and not without.
    """
    final, held = bench.final(fits), bench.held is not None
    score = bench.trajectory_score(fits if held else final or fits)
    runs_away = held and final and isfinite(max(score.nmse)) and not _is_finite(bench, final)
    return () if runs_away else final, score


def _leaders(state: RunState, equation: int) -> list[EquationFit]:
    """The structures that simulations choose from, as first fitted, each with the score it has by now."""
    kept = unharmed(state).get(equation)
    if kept is not None:
        return [replace(kept.fit, score=rank(state, kept))]
    if state.settings.best_by == "mse":
        return [visited.fit for visited in ranked(state, equation)[:1]]
    return [replace(v.fit, score=rank(state, v)) for v in ranked(state, equation)[:LEADERS]]
