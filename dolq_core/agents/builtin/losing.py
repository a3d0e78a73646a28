"""By how much a mechanism that the words name loses, where it is tried in the place of the law or beside it."""

from collections.abc import Collection
from math import inf

from dolq_core.fitting import Workbench
from dolq_core.mechanisms import explanations
from dolq_core.records import RunState
from dolq_core.terms import Skeleton

MOST = 6
"""Terms of the mechanisms, of one equation, that are fitted beside its law; the simplest ones."""


def behind(state: RunState, bench: Workbench, families: Collection[str]) -> float:
    """Return how many nats the best law with a term of these families is behind the law; 0 where none was tried.

    Laws that were fitted before count, and the law of each equation with one such term more.
    """
    found = inf
    for j, best in enumerate(state.best):
        if best is None:
            continue
        law = {term.skeleton for term in best.fit.terms}
        known = explanations(state.problem, bench.names, j)
        spoken = [one for one, entry in known.items() if entry.family.name in families and one not in law]
        tried = [visited.fit for (i, own), visited in state.archive.items() if i == j and {*own} & {*spoken}]
        tried += [bench.fit(j, [*law, one]) for one in sorted(spoken, key=_size)[:MOST]]
        found = min([found, *(fit.score - best.fit.score for fit in tried if not fit.failure)])
    return found if found < inf else 0.0


def _size(skeleton: Skeleton) -> tuple[int, str]:
    return len(skeleton), skeleton
