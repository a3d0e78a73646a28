"""Equation discovery by a model that improves its own laws and plays a genetic algorithm, in turns.

Du, Chen, Wang, Nie, Zhang: "Large language models for automatic equation discovery of nonlinear dynamics" (2024). In
its spirit: the score is R2, laws are asked for in turns by self-improvement and by selection, crossing and mutation.
"""

import numpy as np

from dolq_core.fitting import Workbench
from dolq_core.records import RunState
from lab.methods.sampler import law_text, visited_of

SHOWN = 5
IMPROVE = (
    "Study which terms the better laws share and which only the worse ones have, then give better laws: keep the "
    "first, replace the others."
)
EVOLVE = (
    "Play a genetic algorithm: select two good parents of each equation, cross them by exchanging terms, mutate the "
    "child by replacing one term, function or power, and give the children."
)


def prompt(state: RunState, bench: Workbench, count: int, rng: np.random.Generator) -> str:
    """Return the population of every equation and how to go on from it."""
    if not state.archive:
        return "Give a first population: laws of one to four terms, as different from each other as you can."
    lines = [
        f"d {bench.names.symbols[j]}/dt = {law_text(v.fit)}; R2 {1.0 - v.fit.nmse:.6g}"
        for j in range(bench.d)
        for v in visited_of(state, j)[:SHOWN]
    ]
    return "\n".join(["The population, the best first:", *lines, IMPROVE if state.iteration % 2 else EVOLVE])
