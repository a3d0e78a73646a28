"""Whether a structure says more of a state than standing still and chance do."""

from dolq_core.records import EquationFit

CHANCE = 7.0
"""Nats: log of about a thousand structures that a search tries. On 44 random walks and series of white noise the best
of them gained up to 5.3."""
PREDICTS = 0.5
"""NMSE on the held-out part up to which a structure with a smaller gain is believed."""


def why_nothing(fit: EquationFit, null_score: float | None) -> str:
    """Return why a structure is no law, as a sentence; empty when it is one.

    null_score: score of the structure without any term, None where it is not known.
    """
    if not fit.terms:
        return "No term explains this state better than its own noise does."
    if null_score is None:
        return ""
    if fit.score >= null_score:
        return "The best structure is not worth its terms: standing still explains the data as well."
    if fit.score >= null_score - CHANCE and _fails_ahead(fit):
        return "The best structure is no better than chance finds among hundreds of terms."
    return ""


def _fails_ahead(fit: EquationFit) -> bool:
    """Whether the held-out part speaks against a fit; without one (few samples, few terms tried) nothing does."""
    return fit.held_out is not None and fit.held_out > PREDICTS
