"""From a tree to numbers: closures that are built once, in NumPy's arithmetic for columns, in Python's for solvers.

A closure takes the values of all leaves: arrays with a value per sample, or floats at one point.
"""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.terms.expr import ONE, Add, Call, Expr, Mul, Num, Param, Pow, Skeleton, Sym, inverse, is_divisor, walk
from dolq_core.terms.functions import FUNCTIONS
from dolq_core.terms.reader import read

Column: TypeAlias = Callable[[Floats, Floats, Sequence[float]], Floats]
Values: TypeAlias = Callable[[Floats, Floats, Sequence[float]], Floats | float]
Stack: TypeAlias = Callable[[Floats, Floats, Floats], Floats]
FittedPart: TypeAlias = tuple[Skeleton, float, Sequence[float]]
Rhs: TypeAlias = Callable[[float, Sequence[float] | Floats], list[float]]
_Node: TypeAlias = Callable[[Sequence[Any]], Any]  # of the values of all leaves: floats, or arrays and the parameters


@dataclass(frozen=True, slots=True)
class _Arithmetic:
    """What floats and arrays do otherwise; + and * are the same.

    powers: u**k for a number k that has a faster way.
    """

    divide: Callable[[Any, Any], Any]
    power: Callable[[Any, Any], Any]
    powers: Mapping[float, Callable[[Any], Any]]
    functions: Mapping[str, Callable[[Any], Any]]


@lru_cache(maxsize=4096)
def compile_values(skeleton: Skeleton, symbols: tuple[str, ...]) -> Values:
    """Return f(x, t, inner) as `compile_columns`, for callers that ignore NumPy's warnings; a float for a constant."""
    return values_of(read(skeleton), symbols)


@lru_cache(maxsize=4096)
def compile_columns(skeleton: Skeleton, symbols: tuple[str, ...]) -> Column:
    """Return f(x, t, inner): the values of `skeleton` as a new (N,) array.

    x is (d, N) with a row for each of `symbols`, t is (N,), inner has a number for each params[k]. Where the term
    is not defined the value is NaN or infinite, without a warning.
    """
    return compile_tree(read(skeleton), symbols)


def compile_tree(tree: Expr, symbols: tuple[str, ...]) -> Column:
    """Return the same for a tree."""
    at = values_of(tree, symbols)

    def column(x: Floats, t: Floats, inner: Sequence[float] = ()) -> Floats:
        values = np.empty(np.shape(t)[0])
        with np.errstate(all="ignore"):
            values[:] = at(x, t, inner)
        return values

    return column


@lru_cache(maxsize=4096)
def compile_stack(skeleton: Skeleton, symbols: tuple[str, ...]) -> Stack:
    """Return f(x, t, inner (s, p)): as `compile_columns`, for s sets of inner parameters at once, (s, N)."""
    at: Callable[..., Any] = compile_values(skeleton, symbols)

    def stack(x: Floats, t: Floats, inner: Floats) -> Floats:
        values = np.empty((len(inner), np.shape(t)[0]))
        with np.errstate(all="ignore"):
            values[:] = at(x, t, [*inner.T[:, :, None]])
        return values

    return stack


def values_of(tree: Expr, symbols: tuple[str, ...]) -> Values:
    """Return f(x, t, inner) of a tree; only the rows of x that it names are looked at."""
    named = [*dict.fromkeys(node.name for node in walk(tree) if isinstance(node, Sym) and node.name != "t")]
    node = _compile(tree, ARRAYS, {name: slot for slot, name in enumerate(["t", "params", *named])}, None)
    rows = [symbols.index(symbol) for symbol in named]
    return lambda x, t, inner: node([t, inner, *[x[row] for row in rows]])


def rhs_of(equations: Sequence[Sequence[tuple[Expr, float, Sequence[float]]]], symbols: tuple[str, ...]) -> Rhs:
    """Return f(t, x) -> dx as a list, for equations of (tree, coefficient, inner parameters).

    x has a value for each of `symbols`. No point raises: the value is NaN or infinite, as NumPy has it.
    """
    slots = {symbol: slot for slot, symbol in enumerate([*symbols, "t"])}
    parts = [
        [_scaled(float(factor), _compile(tree, FLOATS, slots, inner)) for tree, factor, inner in terms]
        for terms in equations
    ]
    sums = [_chain(_plus, one) if one else _constant(0.0) for one in parts]

    def rhs(t: float, x: Sequence[float] | Floats) -> list[float]:
        values: list[float] = x.tolist() if isinstance(x, np.ndarray) else [*map(float, x)]
        values.append(float(t))
        return [equation(values) for equation in sums]

    return rhs


def _compile(node: Expr, how: _Arithmetic, slots: Mapping[str, int], inner: Sequence[float] | None) -> _Node:
    """Return the closure of a tree; its parameters are the numbers `inner`, or the second value where that is None."""
    match node:
        case Num(value):
            return _constant(value)
        case Sym(name):
            return operator.itemgetter(slots[name])
        case Param(index):
            return (lambda v: v[1][index]) if inner is None else _constant(float(inner[index]))
        case Add(parts):
            return _chain(_plus, [_compile(part, how, slots, inner) for part in parts])
        case Mul(parts):  # with one division: numerator over denominator
            above = [_compile(part, how, slots, inner) for part in parts if not is_divisor(part)]
            below = [_compile(inverse(part), how, slots, inner) for part in parts if is_divisor(part)]
            numerator = _chain(_times, above or [_constant(ONE.value)])
            return _pair(how.divide, numerator, _chain(_times, below)) if below else numerator
        case Pow(base, Num(exponent)) if exponent in how.powers:
            return _applied(how.powers[exponent], _compile(base, how, slots, inner))
        case Pow(base, exponent):
            return _pair(how.power, _compile(base, how, slots, inner), _compile(exponent, how, slots, inner))
        case Call(name, arg):
            return _applied(how.functions[name], _compile(arg, how, slots, inner))


def _constant(value: float) -> _Node:
    return lambda v: value


def _scaled(factor: float, node: _Node) -> _Node:
    return lambda v: factor * node(v)


def _chain(join: Callable[[_Node, _Node], _Node], nodes: list[_Node]) -> _Node:
    result = nodes[0]
    for node in nodes[1:]:
        result = join(result, node)
    return result


def _plus(left: _Node, right: _Node) -> _Node:
    return lambda v: left(v) + right(v)


def _times(left: _Node, right: _Node) -> _Node:
    return lambda v: left(v) * right(v)


def _pair(function: Callable[[Any, Any], Any], left: _Node, right: _Node) -> _Node:
    return lambda v: function(left(v), right(v))


def _applied(function: Callable[[Any], Any], node: _Node) -> _Node:
    return lambda v: function(node(v))


# --- floats: no point raises ------------------------------------------------------------------------


def _quotient(numerator: float, denominator: float) -> float:
    """Return numerator / denominator; infinite or NaN at zero."""
    try:
        return numerator / denominator
    except ZeroDivisionError:
        if numerator == 0.0 or math.isnan(numerator):
            return math.nan
        return math.copysign(math.inf, numerator) * math.copysign(1.0, denominator)


def _real_power(base: float, exponent: float) -> float:
    """Return base**exponent, never complex: NaN for a root of a negative number, infinite for 0**-1."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0.0 and exponent % 2.0 == 1.0 else math.inf
    except ValueError:
        if base != 0.0:
            return math.nan
        return math.copysign(math.inf, base) if exponent % 2.0 == 1.0 else math.inf


def _guarded(name: str) -> Callable[[float], float]:
    """Return a function with NaN outside its domain, and infinite where it is too large."""
    function, is_odd = FUNCTIONS[name].number, FUNCTIONS[name].symmetry == "odd"

    def guarded(value: float) -> float:
        try:
            return function(value)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.copysign(math.inf, value) if is_odd else math.inf

    return guarded


FLOATS: Final = _Arithmetic(
    _quotient,
    _real_power,
    {-1.0: lambda v: _quotient(1.0, v), 0.5: lambda v: math.sqrt(v) if v >= 0.0 else math.nan, 2.0: lambda v: v * v},
    {
        **{name: _guarded(name) for name in FUNCTIONS},
        "abs": abs,
        "sign": lambda v: math.copysign(1.0, v) if v and v == v else v,
        "log": lambda v: math.log(v) if v > 0.0 else -math.inf if v == 0.0 else math.nan,
    },
)
ARRAYS: Final = _Arithmetic(
    np.divide,
    np.power,
    {
        -1.0: lambda v: np.divide(1.0, v),
        0.5: np.sqrt,
        2.0: np.square,
        3.0: lambda v: v * np.square(v),  # products are forty times as fast as powers, and the same on every machine
        4.0: lambda v: np.square(np.square(v)),
    },
    {name: function.array for name, function in FUNCTIONS.items()},
)
