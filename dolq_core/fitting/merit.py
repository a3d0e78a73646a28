"""What is minimised between structures of one equation, and a law without what it does not need."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from dolq_core.fitting.workbench import Workbench
from dolq_core.records import EquationFit, RunState, Visited
from dolq_core.terms import Skeleton


def merit(state: RunState, fit: EquationFit) -> float:
    """Return the score in nats, or the paper's plain MSE."""
    return fit.mse if state.settings.best_by == "mse" else fit.score


def rank(state: RunState, visited: Visited) -> float:
    """Return the merit of a structure; the score of coefficients from trajectories counts before others."""
    fit = visited.fit
    return merit(state, fit if visited.refined is None else replace(fit, score=visited.refined.score))


def pruned(
    state: RunState, bench: Workbench, equation: int, skeletons: Sequence[Skeleton], fixed: Collection[Skeleton] = ()
) -> EquationFit:
    """Fit a structure, and drop terms, none of `fixed`, while the law gains by it or loses nothing; one stays."""
    optimizer = state.settings.optimizer
    left = list(skeletons)
    now = bench.fit(equation, left, optimizer)
    while len(left) > 1 and not now.failure:
        less = [[s for s in left if s != one] for one in left if one not in fixed]
        tried = [bench.fit(equation, some, optimizer) for some in less]
        sound = [k for k, one in enumerate(tried) if not one.failure]
        best = min(sound, key=lambda k: merit(state, tried[k]), default=None)
        if best is None or merit(state, tried[best]) > merit(state, now):
            break
        now, left = tried[best], less[best]
    return now
