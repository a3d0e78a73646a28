"""What is minimised between structures of one equation."""

from dataclasses import replace

from dolq_core.records import EquationFit, RunState, Visited


def merit(state: RunState, fit: EquationFit) -> float:
    """Return the score in nats, or the paper's plain MSE."""
    return fit.mse if state.settings.best_by == "mse" else fit.score


def rank(state: RunState, visited: Visited) -> float:
    """Return the merit of a structure; the score of coefficients from trajectories counts before others."""
    fit = visited.fit
    return merit(state, fit if visited.refined is None else replace(fit, score=visited.refined.score))
