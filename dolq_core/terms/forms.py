"""Texts in symbols that are the same but for the names of their variables: read once, whatever these are called."""

import re
from functools import lru_cache, partial
from typing import Final

from dolq_core.errors import TermError
from dolq_core.terms.expr import Call, Mul, Num, Skeleton
from dolq_core.terms.names import Names
from dolq_core.terms.normal import natural
from dolq_core.terms.parse import parse_term
from dolq_core.terms.reader import read
from dolq_core.terms.show import to_text
from dolq_core.terms.skeleton import normal_form

_WORD: Final = re.compile(r"\b[A-Za-z_]\w*")
_PLACE: Final = re.compile(r"\b[ax]\d\b")
_MOST: Final = 10
_PLACES: Final = tuple(f"{letter}{k}" for letter in "ax" for k in range(_MOST))
_STAND_INS: Final = Names(_PLACES, _PLACES)
_SHORT: Final = 60
"""Characters that keep every limit on the size of a term, with names as long as they are."""

in_sentence: Final = partial(to_text, in_sentence=True)
"""A term as a sentence names it, in the words of the equations beside it."""


def read_form(text: str, names: Names) -> Skeleton | None:
    """Return the term that a text of the program's own says, its variables by their symbols; None where it says none.

    A normal form knows of its symbols only in which order they come, among themselves and beside `t`: a text is read
    with stand-ins of the same order, and their term is written with the symbols.
    """
    used = sorted({word for word in _WORD.findall(text) if word in names.symbols}, key=natural)
    if names.functions or len(used) > _MOST:
        return _read(text, names)
    place_of = {word: f"{'a' if natural(word) < natural('t') else 'x'}{k}" for k, word in enumerate(used)}
    known = _read(_WORD.sub(lambda found: place_of.get(found[0], found[0]), text), _STAND_INS)
    symbol_of = {place: word for word, place in place_of.items()}
    term = "" if known is None else _PLACE.sub(lambda found: symbol_of[found[0]], known)
    return Skeleton(term) if 0 < len(term) <= _SHORT else _read(text, names)


def without_log(skeleton: Skeleton) -> Skeleton | None:
    """Return the term without its factor log(...): V for V*log(V), 1 for log(V); None for one without just one."""
    tree = read(skeleton)
    factors = tree.parts if isinstance(tree, Mul) else (tree,)
    rest = tuple(one for one in factors if not (isinstance(one, Call) and one.name == "log"))
    if len(rest) != len(factors) - 1:
        return None
    return normal_form(Mul(rest) if len(rest) > 1 else rest[0] if rest else Num(1.0)).skeleton


@lru_cache(maxsize=20_000)
def _read(text: str, names: Names) -> Skeleton | None:
    try:
        return parse_term(text, names).skeleton
    except TermError:
        return None
