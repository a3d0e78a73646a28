"""What a search finds beside the best law: what a further run has to tell it from."""

from collections.abc import Sequence

from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.library import Structure, library
from dolq_core.agents.builtin.search import search
from dolq_core.fitting import Workbench
from dolq_core.records import EquationFit, RunState
from dolq_core.terms import count_params

FIXED_STAGE = 2


def rivals(state: RunState, bench: Workbench, system: Sequence[EquationFit], equation: int) -> list[Structure]:
    """Return what a search of all fixed families finds beside the best structure of one equation of a system."""
    near = bench.output_error(system, equation) or bench
    fixed = [
        entry.skeleton
        for entry in library(state, bench.names, equation, max(state.iteration, FIXED_STAGE))
        if not count_params(entry.skeleton)
    ]
    found = search(near, equation, Choice(tuple(fixed)), (), state.settings.max_terms)
    return [tuple(term.skeleton for term in fit.terms) for fit in found]
