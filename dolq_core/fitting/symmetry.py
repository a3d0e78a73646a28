"""What an equation becomes where states are exchanged: equal oscillators have equal laws, space has no direction."""

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import lru_cache

from dolq_core.errors import TermError
from dolq_core.terms import Skeleton, parse_term, variables

Pairs = tuple[tuple[str, str], ...]
_NAME = re.compile(r"[A-Za-z_]\w*")


def exchange(system: Sequence[Collection[Skeleton]], symbols: Sequence[str], i: int, j: int) -> Pairs:
    """Return the symbols exchanged with states i and j: theirs, and those of their positions and of their velocities.

    The position of a state is the one whose whole equation is that state.
    """
    sole = [next(iter(terms)) if len(terms) == 1 else "" for terms in system]
    pairs: list[tuple[str, str]] = [(symbols[i], symbols[j]), (sole[i], sole[j])]
    positions = [[symbols[a] for a, s in enumerate(sole) if s == symbols[k]] for k in (i, j)]
    if all(len(some) == 1 for some in positions):
        pairs.append((positions[0][0], positions[1][0]))
    known = set(symbols[: len(system)])
    apart = [pair for pair in pairs if set(pair) <= known and len(set(pair)) == 2]
    return tuple(apart) if len({s for pair in apart for s in pair}) == 2 * len(apart) else (pairs[0],)


@lru_cache(maxsize=50_000)
def image(skeleton: Skeleton, pairs: Pairs) -> Skeleton:
    """Return a term with the symbols of each pair exchanged, written as it would be read; itself where it has none."""
    other = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    exchanged = _NAME.sub(lambda m: other.get(m[0], m[0]), skeleton)
    if exchanged == skeleton:
        return skeleton
    return parse_term(exchanged, sorted(variables(Skeleton(exchanged)) - {"t"})).skeleton


@lru_cache(maxsize=5_000)
def kin(skeleton: Skeleton, symbols: tuple[str, ...]) -> tuple[Skeleton, ...]:
    """Return what a term is with each symbol a factor once more, and once less; not what is too long to be written."""
    known = sorted({*symbols, *variables(skeleton)} - {"t"})
    found: list[Skeleton] = []
    for text in (f"{way} * ({skeleton})" for symbol in symbols for way in (symbol, f"1/{symbol}")):
        with suppress(TermError):
            found.append(parse_term(text, known).skeleton)
    return tuple(found)
