"""Terms and numerics joined: what the loop and the agents fit with.

Workbench.of(dataset, kind) --> .fit(equation, skeletons) --> .ablate(fit)
                            --> .simulate(fits, run), .refine(fits), .trajectory_score(fits)
"""

from dolq_core.fitting.chance import why_nothing
from dolq_core.fitting.held_out import errors_ahead
from dolq_core.fitting.ranking import LEADERS
from dolq_core.fitting.score import complexity, description_length, term_cost
from dolq_core.fitting.unmeasured import convention_of, unmeasured_words, with_rates
from dolq_core.fitting.workbench import Simulation, Workbench, names_of

__all__ = [
    "LEADERS",
    "Simulation",
    "Workbench",
    "complexity",
    "convention_of",
    "description_length",
    "errors_ahead",
    "names_of",
    "term_cost",
    "why_nothing",
    "unmeasured_words",
    "with_rates",
]
