"""A law of clean samples looked at once more: one or two plain terms of the whole library that leave nothing either.

A search ends at the floor, with the first library that reaches it. Along one run a monomer falls as exp(sqrt(starter)),
so M and M*log(M) leave nothing of M*sqrt(I), which is shorter, is the law, and stands in a library that was not looked
at. All single terms and pairs are compared at once; only what noise does not hide can be told so.
"""

from collections.abc import Sequence

import numpy as np

from dolq_core.agents.builtin.atoms import best_pairs, left_with, pair_gains
from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.sets import Sets
from dolq_core.blocks import wrong_sign
from dolq_core.fitting import Workbench
from dolq_core.records import AT_FLOOR, EquationFit
from dolq_core.terms import Skeleton

LOOKED_AT = 4
"""Single terms and pairs, each, that are fitted."""


def shorter(bench: Workbench, fit: EquationFit, skeletons: Sequence[Skeleton]) -> list[EquationFit]:
    """Return fits at the floor of one or two of the terms, none with numbers inside, that cost less than `fit`."""
    numbers = sum(1 + len(term.inner) for term in fit.terms)
    if numbers == 1:
        return []
    sets = Sets(bench, fit.equation, Choice(tuple(skeletons)), ())
    alone = np.argsort(left_with(sets.atoms, ()), kind="stable")[:LOOKED_AT].tolist()
    pairs = best_pairs(pair_gains(sets.atoms), LOOKED_AT) if numbers > 2 else []
    trials = [[sets.atoms.skeletons[i] for i in chosen] for chosen in (*((i,) for i in alone), *pairs)]
    found = [sets.exact.fitted((skeleton, ()) for skeleton in trial) for trial in trials]
    leave_nothing = [one for one in found if not one.failure and one.floor_ratio <= AT_FLOOR and one.score < fit.score]
    return [one for one in leave_nothing if not wrong_sign(bench.blocks, fit.equation, one.terms)]
