"""Kinds of terms, for a person who speaks of many at once: all powers, all ratios, every term with one variable."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Pow, Skeleton, Sym, degree, has_symbols, is_divisor, walk
from dolq_core.terms.parse import count_params, read, variables

Kind: TypeAlias = Literal[
    "any", "constant", "linear", "power", "product", "third order", "ratio", "root", "angle", "exponential",
    "logarithm", "size", "time", "fitted",
]  # fmt: skip

KINDS: Final[dict[Kind, str]] = {
    "any": "every term",
    "constant": "the constant",
    "linear": "single variables",
    "power": "powers of one variable",
    "product": "products of variables",
    "third order": "polynomials of third order and higher",
    "ratio": "ratios",
    "root": "roots and broken powers",
    "angle": "sines and other functions of angles",
    "exponential": "exponentials",
    "logarithm": "logarithms",
    "size": "sizes and signs",
    "time": "terms with the time itself",
    "fitted": "terms with a number inside that is fitted",
}
"""In words, as the object of a sentence."""

_ANGLES: Final = frozenset({"sin", "cos", "tan", "asin", "acos", "atan"})
_EXPONENTIALS: Final = frozenset({"exp", "sinh", "cosh", "tanh"})


@lru_cache(maxsize=8192)
def is_of_kind(skeleton: Skeleton, kind: Kind, symbol: str = "") -> bool:
    """Whether a term is of a kind and, where a symbol is named, holds that variable."""
    return (not symbol or symbol in variables(skeleton)) and _TESTS[kind](read(skeleton), skeleton)


def _calls(names: frozenset[str]) -> "_Test":
    return lambda tree, _: any(isinstance(node, Call) and node.name in names for node in walk(tree))


def _is_polynomial(tree: Expr) -> bool:
    return all(isinstance(node, Num | Sym | Mul | Add) or _is_whole_power(node) for node in walk(tree))


def _is_whole_power(node: Expr) -> bool:
    return isinstance(node, Pow) and isinstance(node.exponent, Num) and _is_count(node.exponent.value)


def _is_count(exponent: float) -> bool:
    return exponent > 0.0 and exponent.is_integer()


def _is_broken_power(node: Expr) -> bool:
    return isinstance(node, Pow) and not (isinstance(node.exponent, Num) and node.exponent.value.is_integer())


_Test: TypeAlias = Callable[[Expr, Skeleton], bool]
_TESTS: Final[dict[Kind, _Test]] = {
    "any": lambda tree, skeleton: True,
    "constant": lambda tree, skeleton: not has_symbols(tree),
    "linear": lambda tree, skeleton: isinstance(tree, Sym),
    "power": lambda tree, skeleton: _is_whole_power(tree) and isinstance(tree, Pow) and isinstance(tree.base, Sym),
    "product": lambda tree, skeleton: _is_polynomial(tree) and len(variables(skeleton)) > 1,
    "third order": lambda tree, skeleton: _is_polynomial(tree) and degree(tree) >= 3.0,
    "ratio": lambda tree, skeleton: any(is_divisor(node) and has_symbols(node) for node in walk(tree)),
    "root": lambda tree, skeleton: any(_is_broken_power(node) for node in walk(tree)),
    "angle": _calls(_ANGLES),
    "exponential": _calls(_EXPONENTIALS),
    "logarithm": _calls(frozenset({"log"})),
    "size": _calls(frozenset({"abs", "sign"})),
    "time": lambda tree, skeleton: "t" in variables(skeleton),
    "fitted": lambda tree, skeleton: count_params(skeleton) > 0,
}
