"""Terms as labels of a chart: short, in the names of the columns, and each another than the rest."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from dolq_core.terms import Names, Skeleton, to_words
from dolq_core.terms.names import SEVERAL, without_unit

CUTS: Final = (12, 9, 6, 4)
"""Letters to which the names in a long term are cut, as few as it takes."""


def labels(skeletons: Sequence[Skeleton], names: Names, most: int) -> tuple[str, ...]:
    """Return each term in so many letters where that can be: long names are cut, what is done with them is not."""
    own = called(names)
    ways = [own, *(_cut(own, letters) for letters in CUTS)]
    found = [_first([to_words(one, way) for way in ways], most) for one in skeletons]
    whole = [to_words(one, own) for one in skeletons]
    return tuple(cut if found.count(cut) == 1 else full for cut, full in zip(found, whole, strict=True))


def called(names: Names) -> Mapping[str, str]:
    """Return what formulas call each variable, and time."""
    bare = without_unit(names.time)
    return {**names.short_of, "t": names.time if not bare or bare in names.short_of.values() else bare}


def in_text(names: Names) -> Mapping[str, str]:
    """Return the same for lines of plain text, and to be typed again: between backquotes what is no plain name."""
    return {
        symbol: name if name.isidentifier() or SEVERAL.fullmatch(name) else f"`{name}`"
        for symbol, name in called(names).items()
    }


def spoken(names: Names) -> Names:
    """Return the same with each variable by the name that formulas give it."""
    return replace(names, own=tuple(names.short_of[symbol] for symbol in names.symbols))


def _first(texts: Sequence[str], most: int) -> str:
    return next((text for text in texts if len(text) <= most), texts[-1])


def _cut(own: Mapping[str, str], letters: int) -> Mapping[str, str]:
    """Return names of about so many letters: their beginnings, their ends too where these are alike, else all of it."""
    half = max(2, letters // 2)
    for head, tail in ((letters, 0), (half, half)):
        cut = {
            symbol: name if len(name) <= head + tail + 1 else f"{name[:head].rstrip()}…{name[len(name) - tail :]}"
            for symbol, name in own.items()
        }
        if len({re.sub(r"[\s_]", "", name).casefold() for name in cut.values()}) == len(cut):
            return cut
    return own
