"""From a skeleton to NumPy: closures that are built once from the tree, on arrays with one row per variable."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.terms.expr import ONE, Add, Call, Expr, Mul, Num, Param, Pow, Skeleton, Sym, inverse, is_divisor
from dolq_core.terms.parse import read

Values: TypeAlias = Floats | float
Column: TypeAlias = Callable[[Floats, Floats, Sequence[float]], Floats]
Stack: TypeAlias = Callable[[Floats, Floats, Floats], Floats]
_Node: TypeAlias = Callable[[Floats, Floats, Sequence[Values]], Values]

_NUMPY: Final[dict[str, np.ufunc]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "exp": np.exp,
    "log": np.log,
    "abs": np.abs,
    "sign": np.sign,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
}


@lru_cache(maxsize=4096)
def compile_columns(skeleton: Skeleton, symbols: tuple[str, ...]) -> Column:
    """Return f(x, t, inner): the values of `skeleton` as a new (N,) array.

    x is (d, N) with a row for each of `symbols`, t is (N,), inner has a number for each params[k]. Where the term
    is not defined the value is NaN or infinite, without a warning.
    """
    return compile_tree(read(skeleton), symbols)


def compile_tree(tree: Expr, symbols: tuple[str, ...]) -> Column:
    """Return the same for a tree."""
    node = _compile(tree, symbols)

    def column(x: Floats, t: Floats, inner: Sequence[float] = ()) -> Floats:
        values = np.empty(np.shape(t)[0])
        with np.errstate(all="ignore"):
            values[:] = node(x, t, inner)
        return values

    return column


@lru_cache(maxsize=4096)
def compile_stack(skeleton: Skeleton, symbols: tuple[str, ...]) -> Stack:
    """Return f(x, t, inner (s, p)): as `compile_columns`, for s sets of inner parameters at once, (s, N)."""
    node = _compile(read(skeleton), symbols)

    def stack(x: Floats, t: Floats, inner: Floats) -> Floats:
        values = np.empty((len(inner), np.shape(t)[0]))
        with np.errstate(all="ignore"):
            values[:] = node(x, t, list(inner.T[:, :, None]))
        return values

    return stack


def _compile(node: Expr, symbols: tuple[str, ...]) -> _Node:
    match node:
        case Num(value):
            return lambda x, t, p: value
        case Sym("t"):
            return lambda x, t, p: t
        case Sym(name):
            row = symbols.index(name)
            return lambda x, t, p: x[row]
        case Param(index):
            return lambda x, t, p: p[index]
        case Add(parts):
            return _chain(np.add, [_compile(part, symbols) for part in parts])
        case Mul(parts):
            return _product(parts, symbols)
        case Pow(base, exponent):
            return _power(_compile(base, symbols), exponent, symbols)
        case Call(name, arg):
            function, inside = _NUMPY[name], _compile(arg, symbols)
            return lambda x, t, p: function(inside(x, t, p))


def _chain(function: np.ufunc, nodes: list[_Node]) -> _Node:
    result = nodes[0]
    for node in nodes[1:]:
        result = _pair(function, result, node)
    return result


def _pair(function: np.ufunc, left: _Node, right: _Node) -> _Node:
    return lambda x, t, p: function(left(x, t, p), right(x, t, p))


def _product(parts: tuple[Expr, ...], symbols: tuple[str, ...]) -> _Node:
    """Return the product with one division: numerator over denominator."""
    above = [_compile(part, symbols) for part in parts if not is_divisor(part)]
    below = [_compile(inverse(part), symbols) for part in parts if is_divisor(part)]
    numerator = _chain(np.multiply, above or [_compile(ONE, symbols)])
    return _pair(np.divide, numerator, _chain(np.multiply, below)) if below else numerator


def _power(base: _Node, exponent: Expr, symbols: tuple[str, ...]) -> _Node:
    match exponent:
        case Num(-1.0):
            return lambda x, t, p: np.divide(1.0, base(x, t, p))
        case Num(0.5):
            return lambda x, t, p: np.sqrt(base(x, t, p))
        case Num(2.0):
            return lambda x, t, p: np.square(base(x, t, p))
        case Num(3.0):
            return lambda x, t, p: _cube(base(x, t, p))
        case Num(4.0):
            return lambda x, t, p: np.square(np.square(base(x, t, p)))
        case _:
            return _pair(np.power, base, _compile(exponent, symbols))


def _cube(values: Values) -> Values:
    """Products are forty times as fast as powers, and the same on every machine."""
    return values * np.square(values)
