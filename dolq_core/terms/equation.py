"""A whole equation as a person types it: a sum of terms, with or without its left side."""

import re
from collections.abc import Iterator

from dolq_core.errors import TermError
from dolq_core.terms.budget import MOST_OF_MANY, bounded
from dolq_core.terms.names import Names
from dolq_core.terms.parse import ParsedTerm, parse_term

_RATE = re.compile(r"d\s*+(?P<of>.+)/\s*+d\s*+\w++")
"""The left side dx/dt. Nothing here can be tried in two ways, so that no text takes longer than its length."""
_SIGN = re.compile(r"`[^`]*`|(?<![\w.])[\d.]+[eE][+-]\d+|[-+()\[\]]")
"""What is looked at on the way to the next sign: names in backticks and 1e-3 are passed over."""
_MINUS = str.maketrans("−–", "--")
MAX_LENGTH = 2000
_NEEDS_MORE = ("*", "/", "+", "-", "^")
"""A sign after one of these belongs to the number or name that follows."""


def parse_equation(text: str, names: Names, equation: int, *, max_params: int = 8) -> tuple[ParsedTerm, ...]:
    """Return the terms of a right-hand side, in the order written; what stands before `=` must name this equation.

    Only sums and differences at the top are taken apart: `x*(1 - params[0]*x)` is one term. The numbers in front of the
    terms are read off, as for a single term; of two terms with one skeleton the first is kept.

    Raises:
        TermError: with the character at fault, counted in `text`.
    """
    if len(text) > MAX_LENGTH:
        reason = f"it has {len(text)} characters, and {MAX_LENGTH} is the limit for an equation"
        raise TermError(text, reason, "Write fewer or shorter terms", MAX_LENGTH)
    left, equals, right = text.translate(_MINUS).rpartition("=")
    if equals:
        _check_left(text, left, names, equation)
    found: dict[str, ParsedTerm] = {}
    with bounded(MOST_OF_MANY):
        for part, at in summands(right):
            try:
                term = parse_term(part, names, max_params=max_params)
            except TermError as error:
                where = None if error.position is None else len(text) - len(right) + at + error.position
                raise TermError(text, error.reason, error.way_out, where) from None
            found.setdefault(term.skeleton, term)
    return tuple(found.values())


def _check_left(text: str, left: str, names: Names, equation: int) -> None:
    """Refuse a left side that is not the rate of this equation's state."""
    said = _state_in(left.strip()).strip().strip("`")
    own, symbol = names.own[equation], names.symbols[equation]
    if said not in (own, symbol):
        reason = f"its left side {left.strip()!r} is not the rate of {own}"
        raise TermError(text, reason, f"Write d{own}/dt = ..., or the right-hand side alone", 0)


def _state_in(left: str) -> str:
    """Return x of dx/dt and of x', else nothing."""
    if left.endswith("'"):
        return left[:-1]
    rate = _RATE.fullmatch(left)
    return rate["of"] if rate else ""


def summands(right: str) -> Iterator[tuple[str, int]]:
    """Yield each summand with its sign, and the index where it begins."""
    depth = start = 0
    for match in _SIGN.finditer(right):
        sign, at = match[0], match.start()
        depth += (sign in "([") - (sign in ")]")
        before = right[start:at].rstrip()
        if sign in "+-" and depth == 0 and before and not before.endswith(_NEEDS_MORE):
            yield right[start:at], start
            start = at
    yield right[start:], start
