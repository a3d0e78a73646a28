"""In-context symbolic regression: the best laws so far are the examples, and a better one is asked for.

Merler, Haitsiukevich, Dainese, Marttinen: "In-Context Symbolic Regression: Leveraging Large Language Models for
Function Discovery" (2024). Of its seeds from a picture of the data nothing is taken over.
"""

from math import exp

import numpy as np

from dolq_core.fitting import Workbench
from dolq_core.fitting.score import complexity
from dolq_core.records import EquationFit, RunState
from lab.methods.sampler import law_text, visited_of

EXAMPLES = 5
WEIGHT, LENGTH = 0.05, 30.0
"""Of shortness in the fitness of a law: 1/(1 + NMSE) + WEIGHT * exp(-complexity / LENGTH)."""


def prompt(state: RunState, bench: Workbench, count: int, rng: np.random.Generator) -> str:
    """Return the examples of every equation by rising fitness."""
    if not state.archive:
        return "Propose laws that could describe this system, as different from each other as you can."
    lines: list[str] = []
    for j in range(bench.d):
        best = sorted((v.fit for v in visited_of(state, j)), key=fitness)[-EXAMPLES:]
        lines += [
            f"d {bench.names.symbols[j]}/dt = {law_text(fit)}; error {fit.nmse:.3g}; fitness {fitness(fit):.4g}"
            for fit in best
        ]
    return "\n".join(
        [
            "These laws were tried, the better the later (the error is a share of the variance):",
            *lines,
            "Propose laws with a higher fitness: fit better, and be short. Do not repeat one.",
        ]
    )


def fitness(fit: EquationFit) -> float:
    """Return what ranks the examples."""
    size = sum(complexity(term.skeleton) + 1 for term in fit.terms)
    return 1.0 / (1.0 + fit.nmse) + WEIGHT * exp(-size / LENGTH)
