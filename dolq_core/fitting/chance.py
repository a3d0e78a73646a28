"""Whether a structure says more of a state than standing still and chance do."""

from dolq_core.fitting.limits import explains
from dolq_core.fitting.rivals import CLOSE
from dolq_core.numerics.samples import is_few
from dolq_core.numerics.whiteness import WHITE
from dolq_core.records import Dataset, EquationFit, Status

CHANCE = 7.0
"""Nats: log of about a thousand structures that a search tries. On 44 random walks and series of white noise the best
of them gained up to 5.3."""
PREDICTS = 0.5
"""NMSE on the held-out part up to which a structure with a smaller gain is believed."""

BEYOND_WALK = 9.0
"""Nats above a constant and above walks from which whole runs of few noisy samples bear a law out. What was claimed on
walks and series of noise of 20 to 45 samples lay 8 above them at most, true equations of one run of 21 or 31 samples
with 2 % noise at least 12 (docs/decisions/010-few-samples.md)."""
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


def is_borne_out(fit: EquationFit) -> bool:
    """Whether whole runs are explained to their noise, and far better than by standing still: then rates are not asked.

    Under much noise the rates alone may say nothing, as in chaos.
    """
    return fit.above_rest is not None and fit.above_rest > CLOSE and explains(fit) and leaves_white_noise(fit)


def says_something(fit: EquationFit) -> bool:
    """Whether whole runs bear a law out, or it explains them far better than a constant and walks do.

    No law of noise came above -8 nats there (29 series of every colour, 40 to 300 samples). Rates that are poorly
    known, as beside an input that is switched between samples, may still say less than standing still.
    """
    return is_borne_out(fit) or (fit.above_rest is not None and fit.above_rest > BEYOND_WALK)


def leaves_white_noise(fit: EquationFit) -> bool:
    """Whether what a law leaves of whole runs may be white noise; True where none were compared."""
    return fit.whiteness is None or fit.whiteness >= WHITE


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
    return None if fit.score < walk - CHANCE else _as_a_walk(fit, sensible=sensible)


def is_like_a_walk(fit: EquationFit, dataset: Dataset) -> bool:
    """Whether whole runs of few samples are explained by a law that is hardly better than a random walk."""
    few = is_few([len(run.t) for run in dataset.trajectories])
    return few and fit.above_rest is not None and fit.above_rest < BEYOND_WALK


def of_few_whole(fit: EquationFit, dataset: Dataset, *, sensible: bool) -> tuple[Status, str] | None:
    """Return the same of few noisy samples, where whole runs are compared: the walk's row of the table."""
    return _as_a_walk(fit, sensible=sensible) if is_like_a_walk(fit, dataset) else None


def _as_a_walk(fit: EquationFit, *, sensible: bool) -> tuple[Status, str]:
    alike = "With so few samples a random walk explains the data as well: each value is like the one before it"
    if fit.floor_ratio <= AT_NOISE and sensible:
        return "provisional", f"{alike}. The description speaks for this law."
    return "none", f"{alike}."
