"""Kinds of terms, for a person who speaks of many at once: all powers, all ratios, every term with one variable."""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from dolq_core.terms.expr import Call, Expr, Num, Param, Pow, Skeleton, Sym, degree, has_symbols, is_divisor, walk
from dolq_core.terms.functions import FUNCTIONS
from dolq_core.terms.reader import read, variables

Kind: TypeAlias = Literal[
    "any", "constant", "linear", "power", "product", "third order", "ratio", "root", "angle", "exponential",
    "logarithm", "size", "time", "fitted",
]  # fmt: skip


@lru_cache(maxsize=8192)
def is_of_kind(skeleton: Skeleton, kind: Kind, symbol: str = "") -> bool:
    """Whether a term is of a kind and, where a symbol is named, holds that variable."""
    return (not symbol or symbol in variables(skeleton)) and _KINDS[kind][1](read(skeleton))


def calls(skeleton: Skeleton) -> tuple[str, ...]:
    """Return the functions that a term calls, in alphabetical order; `sqrt` where it has a broken power."""
    found = {node.name for node in walk(read(skeleton)) if isinstance(node, Call)}
    powers = [node.exponent for node in walk(read(skeleton)) if isinstance(node, Pow)]
    broken = any(isinstance(exponent, Num) and not exponent.value.is_integer() for exponent in powers)
    return tuple(sorted(found | {"sqrt"} if broken else found))


def degree_of(skeleton: Skeleton) -> float:
    """Return the total degree of a term: x*y**2 has 3; a function has that of its argument."""
    return degree(read(skeleton))


def _any(test: Callable[[Expr], bool]) -> Callable[[Expr], bool]:
    return lambda tree: any(map(test, walk(tree)))


def _calls(kind: Kind) -> Callable[[Expr], bool]:
    return _any(lambda node: isinstance(node, Call) and FUNCTIONS[node.name].kind == kind)


def _is_whole(exponent: Expr, least: float = -math.inf) -> bool:
    return isinstance(exponent, Num) and exponent.value.is_integer() and exponent.value >= least


def _is_whole_power(node: Expr) -> bool:
    return isinstance(node, Pow) and _is_whole(node.exponent, least=1.0)


def _is_polynomial(tree: Expr) -> bool:
    return all(_is_whole_power(node) or not isinstance(node, Param | Pow | Call) for node in walk(tree))


_KINDS: Final[dict[Kind, tuple[str, Callable[[Expr], bool]]]] = {
    "any": ("every term", lambda tree: True),
    "constant": ("the constant", lambda tree: not has_symbols(tree)),
    "linear": ("single variables", lambda tree: isinstance(tree, Sym)),
    "power": (
        "powers of one variable",
        lambda tree: isinstance(tree, Pow) and isinstance(tree.base, Sym) and _is_whole_power(tree),
    ),
    "product": (
        "products of variables",
        lambda tree: _is_polynomial(tree) and len({node for node in walk(tree) if isinstance(node, Sym)}) > 1,
    ),
    "third order": ("polynomials of third order and higher", lambda t: _is_polynomial(t) and degree(t) >= 3.0),
    "ratio": ("ratios", _any(lambda node: is_divisor(node) and has_symbols(node))),
    "root": ("roots and broken powers", _any(lambda node: isinstance(node, Pow) and not _is_whole(node.exponent))),
    "angle": ("sines and other functions of angles", _calls("angle")),
    "exponential": ("exponentials", _calls("exponential")),
    "logarithm": ("logarithms", _calls("logarithm")),
    "size": ("sizes and signs", _calls("size")),
    "time": ("terms with the time itself", lambda tree: Sym("t") in walk(tree)),
    "fitted": ("terms with a number inside that is fitted", _any(lambda node: isinstance(node, Param))),
}
KINDS: Final[dict[Kind, str]] = {kind: words for kind, (words, _) in _KINDS.items()}
"""In words, as the object of a sentence."""
