"""Terms with numbers inside that a rhythm modulates: an uptake that saturates, under a light that waxes and wanes.

The rhythm does not show before the term is in, nor the term's numbers while the rhythm is out. So each start of the
term is looked at with the frequency and the phase that explain most beside it.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from math import pi, remainder
from typing import TypeAlias

import numpy as np

from dolq_core.agents.builtin.atoms import Atoms, Chosen, left
from dolq_core.agents.builtin.waves import best_wave, waves
from dolq_core.fitting import Workbench
from dolq_core.mechanisms import RATE, WAVE
from dolq_core.records import FittedTerm
from dolq_core.terms import Skeleton, count_params, parse_term, variables

RHYTHM = re.compile(r"\*?sin\(params\[(\d+)\] \+ params\[(\d+)\]\*t\)")

_WAVE = re.compile(r"\*?(sin|cos)\((?:params\[0\] \+ )?params\[[01]\]\*t\)$")
"""A rhythm whose numbers are all that a term has inside."""
_RISES = (0.2, 1.5)
"""Least and largest p of exp(p*rhythm) to start from."""
_CONSTANT: tuple[Skeleton, tuple[float, ...]] = (Skeleton("1"), ())
Inside: TypeAlias = tuple[tuple[Skeleton, tuple[float, ...]], ...]


def is_rate(skeleton: Skeleton) -> bool:
    """Whether it is a variable at a rate that follows a rhythm exponentially."""
    return skeleton.endswith(f"*{RATE}")


def is_fading(skeleton: Skeleton) -> bool:
    """Whether it is a curve of time with numbers inside and no rhythm: it may stand for a state that fades."""
    return bool(count_params(skeleton)) and "t" in variables(skeleton) and not re.search(r"\b(?:sin|cos)\(", skeleton)


def rates(terms: Iterable[FittedTerm], allowed: Collection[Skeleton]) -> list[Inside]:
    """Return structures with x*exp(p*rhythm) in place of x in the rhythm and x: (terms, numbers inside).

    x + a*x*sin(w*t) is what is seen of it first; where other terms imitate what is missing, a may have the wrong sign,
    so both are tried, and as many terms as there are or a supply alone. What else has a rhythm starts as one with the
    same frequency and, as its phase shows only then, with either phase.
    """
    known = {term.skeleton: term for term in terms}
    found: list[Inside] = []
    for term in known.values():
        plain = Skeleton(_WAVE.sub("", term.skeleton))
        new = Skeleton(f"{plain}*{RATE}")
        if plain in ("", term.skeleton) or new not in allowed:
            continue
        whole = known[plain].coefficient if plain in known else 0.0
        rise, turn = term.coefficient / whole if whole else 1.0, term.inner[-1]
        likely = remainder(_phase(term) + (pi if rise < 0.0 else 0.0), 2.0 * pi)
        others = [t for t in known.values() if t.skeleton not in (plain, term.skeleton)]
        besides = tuple((t.skeleton, t.inner) for t in others if not _WAVE.fullmatch(t.skeleton))
        for phase in (likely, remainder(likely + pi, 2.0 * pi)):
            start = (new, (min(max(abs(rise), _RISES[0]), _RISES[1]), phase, turn))
            waves = [(WAVE, (phase + ahead, turn)) for ahead in (0.0, pi / 2.0)] if WAVE in allowed else []
            found += [(start, *besides)] if len(besides) == len(others) else [(start, *besides, w) for w in waves]
            found += [(start, _CONSTANT, w) for w in waves] if _CONSTANT[0] in allowed else []
    return found


def _phase(term: FittedTerm) -> float:
    if len(term.inner) > 1:
        return term.inner[0]
    return pi / 2.0 if "cos(" in term.skeleton else 0.0


def is_modulated(skeleton: Skeleton) -> bool:
    """Whether it is a term with numbers inside in a rhythm whose phase is free: times it, or times its exponential."""
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
