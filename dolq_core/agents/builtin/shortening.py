"""One term in place of several: what a law that is not at the floor may owe to a term that it lacks.

Beside a shape that is not in the library's columns as it should be, plain terms imitate it: a square root, a cube and
a tanh of the store stand for store/(25 + store). Each of them is needed beside the others, so none is swapped alone.
"""

from itertools import combinations
from math import inf

import numpy as np

from dolq_core.agents.builtin.atoms import Atoms, Chosen, left_with

GONE = 4
"""Terms that may go at once for one."""
TRIED = 3
"""Sets that are returned for each number of terms that went."""


def shortened(atoms: Atoms, chosen: Chosen, must: Chosen) -> list[Chosen]:
    """Return sets with one term in place of one to GONE of `chosen`, the best TRIED structures of each size.

    chosen: columns of a law; must: those that stay.
    """
    free = [i for i in chosen if i not in must]
    found: list[Chosen] = []
    for count in range(1, min(GONE, len(free) - 1) + 1):
        best: dict[frozenset[int], tuple[float, Chosen]] = {}
        for gone in combinations(free, count):
            rest = tuple(i for i in chosen if i not in gone)
            values = left_with(atoms, rest)
            values[np.isin(atoms.owner, atoms.owner[list(gone)])] = inf
            for k in np.argsort(values, kind="stable")[: 2 * TRIED].tolist():
                trial = tuple(sorted((*rest, k)))
                shape = frozenset(atoms.owner[list(trial)].tolist())
                if values[k] < best.get(shape, (inf, ()))[0]:
                    best[shape] = (float(values[k]), trial)
        found += [trial for _, trial in sorted(best.values())[:TRIED]]
    return found
