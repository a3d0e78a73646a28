"""LLM-SR: programs with parameters are evolved on islands; two of an island are shown, a third is asked for.

Shojaee, Meidani, Gupta, Farimani, Reddy: "LLM-SR: Scientific Equation Discovery via Programming with Large Language
Models" (2024). Islands take turns, one an iteration, so that the log alone says which law lives where; a reset leaves
the weaker half of them with the best law of another, every RESET iterations of each.
"""

from collections.abc import Sequence

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.fitting import Workbench
from dolq_core.records import RunState, Visited
from lab.methods.sampler import law_text, visited_of

ISLANDS, SHOWN, RESET = 3, 2, 20
TEMPERATURE, PERIOD = 0.1, 300.0
"""Of the choice among laws, by the logarithm of their errors; it falls over PERIOD iterations and begins again."""


def prompt(state: RunState, bench: Workbench, count: int, rng: np.random.Generator) -> str:
    """Return the programs of this iteration's island, the better the later."""
    symbols = bench.names.symbols
    chosen = [_sampled(island(state, j, state.iteration % ISLANDS), state.iteration, rng) for j in range(bench.d)]
    programs: list[str] = []
    for version in range(SHOWN):
        laws = [law_text(some[version].fit, numbers=False) if version < len(some) else "" for some in chosen]
        if all(laws):
            programs.append(_program(version, symbols, bench.d, laws))
    programs = programs or [_program(0, symbols, bench.d, ["params[0]*" + " + params[1]*".join(symbols[:2])] * bench.d)]
    return (
        "Complete the next version of a program that gives the rates of this system; each version explains the data "
        "better than the one before. Its parameters are fitted.\n\n" + "\n\n".join(programs) + "\n\n"
        f"def equation_v{len(programs)}({', '.join(symbols)}, t, params):\n    # improved; its laws are your answer"
    )


def _program(version: int, symbols: Sequence[str], d: int, laws: Sequence[str]) -> str:
    lines = [f"    d{symbol} = {law}" for symbol, law in zip(symbols[:d], laws, strict=True)]
    ends = ", ".join(f"d{symbol}" for symbol in symbols[:d])
    return "\n".join([f"def equation_v{version}({', '.join(symbols)}, t, params):", *lines, f"    return {ends}"])


def island(state: RunState, equation: int, number: int) -> list[Visited]:
    """Return the laws of an equation that live on an island, the best first."""
    every = visited_of(state, equation)
    last = state.iteration // (RESET * ISLANDS) * RESET * ISLANDS
    before = {k: [v for v in every if v.iteration <= last and (v.iteration - 1) % ISLANDS == k] for k in range(ISLANDS)}
    ranked = sorted(before, key=lambda k: before[k][0].fit.nmse if before[k] else float("inf"))
    own = [v for v in every if (v.iteration - 1) % ISLANDS == number]
    if last == 0 or number in ranked[: (ISLANDS + 1) // 2]:
        return own
    founder = before[ranked[0]][:1]
    return sorted([*founder, *(v for v in own if v.iteration > last)], key=lambda v: v.fit.nmse)


def _sampled(laws: Sequence[Visited], iteration: int, rng: np.random.Generator) -> list[Visited]:
    """Draw laws, the smaller the error the likelier, and return them with the best last."""
    if not laws:
        return []
    heat = TEMPERATURE * (1.0 - (iteration % PERIOD) / PERIOD)
    errors: Floats = np.array([max(v.fit.nmse, 1e-30) for v in laws])
    scores: Floats = -np.log(errors)
    apart = max(float(np.max(scores) - np.min(scores)), 1e-12)
    weights: Floats = np.exp((scores - np.max(scores)) / apart / max(heat, 1e-3)) + 1e-12
    odds = weights / float(np.sum(weights))
    drawn: list[int] = rng.choice(len(laws), size=min(SHOWN, len(laws)), replace=False, p=odds).tolist()
    return sorted((laws[k] for k in drawn), key=lambda v: -v.fit.nmse)
