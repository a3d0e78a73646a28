"""Structures of one equation along a simulation in which a rhythm modulates a term with numbers inside.

A search by sets leaves them out: neither the rhythm nor the term's numbers show while the other is out, and each start
of the term has to be looked at with every frequency. So they are looked for once, beside the best system.
"""

from collections.abc import Sequence

from dolq_core.agents.builtin.choice import Choice, Library
from dolq_core.agents.builtin.modulated import is_modulated
from dolq_core.agents.builtin.sets import Sets
from dolq_core.fitting import Workbench
from dolq_core.records import EquationFit, FittedTerm
from dolq_core.terms import Skeleton, count_params


def may_be_swayed(library: Library) -> bool:
    """Whether words speak of a rhythm, so that the library has such terms."""
    return any(map(is_modulated, library.stages[-1]))


def swayed(
    near: Workbench, equation: int, library: Library, most: int, terms: Sequence[FittedTerm]
) -> list[tuple[FittedTerm, ...]]:
    """Return the best structures with such a term, of at most so many terms, each from its best start along `near`.

    terms: the best ones so far; the same at a rate that follows a rhythm exponentially is tried too.
    """
    spoken = tuple(s for s in library.stages[1] if count_params(s))
    choice = Choice(library.stages[-1], favoured=spoken, simpler=library.simpler)
    sets = Sets(near, equation, choice, library.forced)

    atoms = sets.atoms
    driven = [tuple((atoms.skeletons[i], atoms.inner[i]) for i in chosen) for chosen in sets.in_a_rhythm(most)]
    best: dict[tuple[Skeleton, ...], EquationFit] = {}
    for some in map(sorted, (*sets.at_a_rate([terms]), *driven)):
        skeletons = tuple(skeleton for skeleton, _ in some)
        fit = near.again(equation, skeletons, [inner for _, inner in some])
        if not fit.failure:
            best[skeletons] = min(best.get(skeletons, fit), fit, key=lambda one: one.mse)
    return [fit.terms for fit in best.values()]
