"""Whether a structure says more of a state than standing still and chance do."""

from dolq_core.records import EquationFit, Status

CHANCE = 7.0
"""Nats: log of about a thousand structures that a search tries. On 44 random walks and series of white noise the best
of them gained up to 5.3."""
PREDICTS = 0.5
"""NMSE on the held-out part up to which a structure with a smaller gain is believed."""

AT_NOISE = 2.0
"""Floors up to which a fit to few samples leaves nothing but their noise: so well is that known."""


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


def of_few_samples(fit: EquationFit, still: float, walk: float, *, sensible: bool) -> tuple[Status, str] | None:
    """Return what keeps few samples from bearing a law out; None when nothing does. Better: by CHANCE.

    | better than standing still | than a random walk | leaves only noise, and is sensible | status              |
    |----------------------------|--------------------|------------------------------------|---------------------|
    | no                         |                    |                                    | none                |
    | yes                        | no                 | no                                 | none                |
    | yes                        | no                 | yes                                | provisional         |
    | yes                        | yes                |                                    | as for many samples |

    still, walk: scores of standing still and of a random walk. sensible: the description speaks for every term.
    """
    if fit.score >= still - CHANCE:
        return "none", "With so few samples chance finds such a structure among hundreds of terms."
    if fit.score < walk - CHANCE:
        return None
    alike = "With so few samples a random walk explains the data as well: each value is like the one before it"
    if fit.floor_ratio <= AT_NOISE and sensible:
        return "provisional", f"{alike}. The description speaks for this law."
    return "none", f"{alike}."
