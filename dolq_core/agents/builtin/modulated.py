"""Terms with numbers inside that a rhythm modulates: an uptake that saturates, under a light that waxes and wanes.

The rhythm does not show before the term is in, nor the term's numbers while the rhythm is out. So each start of the
term is looked at with the frequency and the phase that explain most beside it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dolq_core.agents.builtin.atoms import Atoms, Chosen, left
from dolq_core.agents.builtin.waves import best_wave, waves
from dolq_core.fitting import Workbench
from dolq_core.terms import Skeleton, count_params, parse_term, variables

RHYTHM = re.compile(r"\*?sin\(params\[(\d+)\] \+ params\[(\d+)\]\*t\)")


def is_modulated(skeleton: Skeleton) -> bool:
    """Whether it is a term with numbers inside, times a rhythm whose phase is free."""
    return count_params(skeleton) > 2 and RHYTHM.search(skeleton) is not None


@lru_cache(maxsize=1024)
def plain_of(skeleton: Skeleton) -> Skeleton:
    """Return such a term without its rhythm."""
    rest = RHYTHM.sub("", skeleton).removeprefix("*")
    text = f"1{rest}" if rest.startswith("/") else rest
    return parse_term(text, sorted(variables(skeleton) - {"t"})).skeleton


def arranged(skeleton: Skeleton, wave: tuple[float, float], own: tuple[float, ...]) -> tuple[float, ...]:
    """Return the numbers inside such a term: phase and frequency of its rhythm, and `own` ones in their order."""
    found = RHYTHM.search(skeleton)
    assert found is not None
    places, rest = {int(found[1]): wave[0], int(found[2]): wave[1]}, iter(own)
    return tuple(places[k] if k in places else next(rest) for k in range(2 + len(own)))


def own_of(skeleton: Skeleton, inner: tuple[float, ...]) -> tuple[float, ...]:
    """Return the numbers of the plain term among those of that term in a rhythm."""
    found = RHYTHM.search(skeleton)
    assert found is not None
    return tuple(value for k, value in enumerate(inner) if k not in (int(found[1]), int(found[2])))


def one_value(atoms: Atoms, chosen: Chosen) -> list[tuple[Skeleton, tuple[float, ...]]]:
    """Return the terms of a set, the plain term with the same numbers inside as that term in its rhythm."""
    terms = [(atoms.skeletons[i], atoms.inner[i]) for i in chosen]
    same = {plain_of(s): own_of(s, inner) for s, inner in terms if is_modulated(s)}
    return [(s, same.get(s, inner)) for s, inner in terms]


def in_a_rhythm(
    bench: Workbench, atoms: Atoms, base: Chosen, skeleton: Skeleton, starts: Sequence[int]
) -> list[Chosen]:
    """Return sets of `base`, a start of the plain term and that term in a rhythm; what leaves least first.

    starts: columns of the plain term. Each goes with the rhythm that explains most beside it.
    """
    tried = waves(float(np.ptp(bench.columns.t)))
    found: list[tuple[float, Chosen]] = []
    for i in starts:
        own = atoms.inner[i]
        inner = np.array([arranged(skeleton, (phase, turn), own) for phase, turn in tried.tolist()])
        q = np.linalg.qr(atoms.a[[*base, i]].T)[0]
        wave = best_wave(bench.columns.stack(skeleton, inner), tried, q, atoms.b)
        there = arranged(skeleton, (wave[0], wave[1]), own) if wave else ()
        row = bench.column(skeleton, there) if wave else None
        known = None if row is None else atoms.add(skeleton, there, row)
        if known is not None:
            chosen = tuple(sorted((*base, i, known)))
            found.append((left(atoms, chosen), chosen))
    return [chosen for _, chosen in sorted(found)]
