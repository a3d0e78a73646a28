"""Structures of one equation along a simulation in which a rhythm modulates a term with numbers inside.

A search by sets leaves them out: neither the rhythm nor the term's numbers show while the other is out, and each start
of the term has to be looked at with every frequency. So they are looked for once, beside the best system.
"""

from collections.abc import Iterable, Sequence

from dolq_core.agents.builtin.atoms import Chosen
from dolq_core.agents.builtin.choice import Choice
from dolq_core.agents.builtin.modulated import Inside, is_modulated
from dolq_core.agents.builtin.sets import Sets
from dolq_core.agents.builtin.subsets import Library
from dolq_core.fitting import Workbench
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton, count_params


def may_be_swayed(library: Library) -> bool:
    """Whether words speak of a rhythm, so that the library has such terms."""
    return any(map(is_modulated, library.stages[-1]))


def swayed(
    near: Workbench, equation: int, library: Library, most: int, terms: Sequence[FittedTerm]
) -> list[tuple[FittedTerm, ...]]:
    """Return the best structures with such a term, of at most so many terms, fitted along `near`.

    terms: the best ones so far; the same at a rate that follows a rhythm exponentially is tried too.
    """
    spoken = tuple(s for s in library.stages[1] if count_params(s))
    choice = Choice(library.stages[-1], favoured=spoken, simpler=library.simpler)
    sets = Sets(near, equation, choice, library.forced)

    def fitted(some: Iterable[tuple[Skeleton, tuple[float, ...]]]) -> tuple[FittedTerm, ...]:
        ordered = sorted(some)
        fit = near.again(equation, [s for s, _ in ordered], [inner for _, inner in ordered])
        return () if fit.failure else fit.terms

    def held(chosen: Chosen) -> Inside:
        return tuple((sets.atoms.skeletons[i], sets.atoms.inner[i]) for i in chosen)

    driven = [*sets.at_a_rate([terms]), *(held(chosen) for chosen in sets.in_a_rhythm(most))]
    return [found for some in driven if (found := fitted(some))]
