"""Structures that are one function written in two ways: the more natural one stays.

x - x/(p + y)  and  x*y/(p + y) - x  have the same values for every x and y, and as many numbers. What tells them
apart is what their terms say: a loss that is there with none of the state, a family whose sign is the other one.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from dolq_core.fitting import Workbench
from dolq_core.fitting.rewritten import difference
from dolq_core.mechanisms import Entry
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Skeleton, variables

SAME = 1e-7
"""Relative difference of two models on the data up to which they are one function."""
ODD = 4.0
"""Nats that a term costs here which contradicts its mechanism, or takes from a state of which nothing is left."""
UNSAID = 1.0
"""Nats of a term that no word speaks of, where the words speak of others."""
CLOSE = 8.0
"""Nats between two scores up to which the better written one is preferred."""


def without_twins(fits: Sequence[EquationFit], bench: Workbench, known: Mapping[Skeleton, Entry]) -> list[EquationFit]:
    """Leave out each fit that is another one written less naturally; the order stays."""
    oddness = [sum(_oddness(term, fit.equation, bench, known) for term in fit.terms) for fit in fits]
    kept: list[EquationFit] = []
    for i, fit in enumerate(fits):
        twins = [k for k in range(len(fits)) if k != i and _are_twins(fit, fits[k], bench)]
        mine = (fit.score + oddness[i], i)
        if all(mine < (fits[k].score + oddness[k], k) for k in twins):
            kept.append(fit)
    return kept


def _are_twins(one: EquationFit, other: EquationFit, bench: Workbench) -> bool:
    return abs(one.score - other.score) <= CLOSE and difference(one, other, bench) <= SAME


def _oddness(term: FittedTerm, equation: int, bench: Workbench, known: Mapping[Skeleton, Entry]) -> float:
    entry = known.get(term.skeleton)
    sign = "any" if entry is None else entry.family.sign
    contradicts = (sign == "+" and term.coefficient < 0.0) or (sign == "-" and term.coefficient > 0.0)
    positive = float(np.min(bench.values[equation])) >= 0.0
    takes = positive and term.coefficient < 0.0 and bench.symbols[equation] not in variables(term.skeleton)
    unsaid = entry is None or not (entry.word or entry.family.plain)
    return ODD * contradicts + ODD * takes + UNSAID * unsaid
