"""Where a run stands in one word per equation, and whether there is a reason to stop."""

from dolq_core.loop.decide import AT_FLOOR
from dolq_core.records import EquationFit, RunState, Status

CHANCE = 7.0
"""Nats: log of about a thousand structures that a search tries. On 44 random walks and series of white noise the best
of them gained up to 5.3."""
PREDICTS = 0.5
"""NMSE on the held-out part up to which a structure with a smaller gain is believed."""


def status(state: RunState, equation: int) -> tuple[Status, str]:
    """Return the status of one equation and the reason for it, as a sentence."""
    best = state.best[equation]
    if best is None or state.last is None:
        return "none", "No structure was fitted yet."
    if not best.fit.terms:
        return "none", "No term explains this state better than its own noise does."
    null_score = state.last.target.null_score
    if null_score and best.fit.score >= null_score[equation]:
        return "none", "The best structure is not worth its terms: standing still explains the data as well."
    if null_score and best.fit.score >= null_score[equation] - CHANCE and _fails_ahead(best.fit):
        return "none", "The best structure is no better than chance finds among hundreds of terms."
    if best.fit.floor_ratio <= AT_FLOOR:
        return "settled", "The residual stands at the error that the target itself has."
    if state.since_better >= state.settings.patience:
        return "settled", f"Nothing better came in {state.since_better} iterations."
    return "provisional", f"The residual is {best.fit.floor_ratio:.3g} times the error floor."


def reason_to_stop(state: RunState) -> str:
    """Return why auto mode should end now; empty while it should go on."""
    if state.iteration == 0:
        return ""
    if all(_found(state, j) for j in range(len(state.best))):
        return "Found: every equation stands at its error floor."
    if state.since_better >= state.settings.patience:
        return f"Stopped: nothing better came in {state.since_better} iterations."
    if state.iteration >= state.settings.iterations:
        return f"Stopped: all {state.settings.iterations} iterations are used."
    return ""


def _found(state: RunState, equation: int) -> bool:
    best = state.best[equation]
    return best is not None and best.fit.floor_ratio <= AT_FLOOR and status(state, equation)[0] == "settled"


def _fails_ahead(fit: EquationFit) -> bool:
    """Whether the held-out part speaks against a fit; without one (few samples, few terms tried) nothing does."""
    return fit.held_out is not None and fit.held_out > PREDICTS
