"""The right-hand sides of a system as fast scalar closures, for solvers that ask for one point at a time."""

import math
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.terms.arithmetic import FUNCTIONS
from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Skeleton, Sym, inverse, is_divisor
from dolq_core.terms.parse import read

FittedPart: TypeAlias = tuple[Skeleton, float, Sequence[float]]
Rhs: TypeAlias = Callable[[float, Sequence[float] | Floats], list[float]]
_Node: TypeAlias = Callable[[Sequence[float]], float]


def compile_rhs(equations: Sequence[Sequence[FittedPart]], symbols: tuple[str, ...]) -> Rhs:
    """Return f(t, x) -> dx as a list, for equations of (skeleton, coefficient, inner parameters).

    x has a value for each of `symbols`. No point raises: the value is NaN or infinite, as NumPy has it.
    """
    slots = {symbol: k for k, symbol in enumerate(symbols)} | {"t": len(symbols)}
    sums = [_equation(equation, slots) for equation in equations]

    def rhs(t: float, x: Sequence[float] | Floats) -> list[float]:
        values: list[float] = x.tolist() if isinstance(x, np.ndarray) else [*map(float, x)]
        values.append(float(t))
        return [equation(values) for equation in sums]

    return rhs


def _equation(terms: Sequence[FittedPart], slots: dict[str, int]) -> _Node:
    parts = [_scaled(coefficient, _compile(read(skeleton), slots, inner)) for skeleton, coefficient, inner in terms]
    return _sum(parts) if parts else _constant(0.0)


def _compile(node: Expr, slots: dict[str, int], inner: Sequence[float]) -> _Node:
    match node:
        case Num(value):
            return _constant(value)
        case Sym(name):
            slot = slots[name]
            return lambda v: v[slot]
        case Param(index):
            return _constant(float(inner[index]))
        case Add(parts):
            return _sum([_compile(part, slots, inner) for part in parts])
        case Mul(parts):
            return _product(parts, slots, inner)
        case Pow(base, exponent):
            return _power(_compile(base, slots, inner), exponent, slots, inner)
        case Call(name, arg):
            function, inside = SAFE[name], _compile(arg, slots, inner)
            return lambda v: function(inside(v))


def _constant(value: float) -> _Node:
    return lambda v: value


def _scaled(factor: float, node: _Node) -> _Node:
    factor = float(factor)
    return lambda v: factor * node(v)


def _sum(nodes: list[_Node]) -> _Node:
    result = nodes[0]
    for node in nodes[1:]:
        result = _plus(result, node)
    return result


def _plus(left: _Node, right: _Node) -> _Node:
    return lambda v: left(v) + right(v)


def _product(parts: tuple[Expr, ...], slots: dict[str, int], inner: Sequence[float]) -> _Node:
    """Return the product with one division, as the columns have it."""
    above = [part for part in parts if not is_divisor(part)]
    below = [inverse(part) for part in parts if is_divisor(part)]
    numerator = _times_all(above, slots, inner)
    if not below:
        return numerator
    denominator = _times_all(below, slots, inner)
    return lambda v: quotient(numerator(v), denominator(v))


def _times_all(parts: list[Expr], slots: dict[str, int], inner: Sequence[float]) -> _Node:
    if not parts:
        return _constant(1.0)
    result = _compile(parts[0], slots, inner)
    for part in parts[1:]:
        result = _times(result, part, slots, inner)
    return result


def _times(left: _Node, part: Expr, slots: dict[str, int], inner: Sequence[float]) -> _Node:
    if isinstance(part, Sym):
        slot = slots[part.name]
        return lambda v: left(v) * v[slot]
    right = _compile(part, slots, inner)
    return lambda v: left(v) * right(v)


def _power(base: _Node, exponent: Expr, slots: dict[str, int], inner: Sequence[float]) -> _Node:
    match exponent:
        case Num(-1.0):
            return lambda v: quotient(1.0, base(v))
        case Num(0.5):
            return lambda v: root(base(v))
        case Num(2.0):
            return lambda v: _square(base(v))
        case Num(value):
            return lambda v: real_power(base(v), value)
        case _:
            raised = _compile(exponent, slots, inner)
            return lambda v: real_power(base(v), raised(v))


def _square(value: float) -> float:
    return value * value


def quotient(numerator: float, denominator: float) -> float:
    """Return numerator / denominator; infinite or NaN at zero."""
    try:
        return numerator / denominator
    except ZeroDivisionError:
        if numerator == 0.0 or math.isnan(numerator):
            return math.nan
        return math.copysign(math.inf, numerator) * math.copysign(1.0, denominator)


def root(value: float) -> float:
    """Return the square root, NaN below zero."""
    return math.sqrt(value) if value >= 0.0 else math.nan


def real_power(base: float, exponent: float) -> float:
    """Return base**exponent, never complex: NaN for a root of a negative number, infinite for 0**-1."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0.0 and exponent % 2.0 == 1.0 else math.inf
    except ValueError:
        if base != 0.0:
            return math.nan
        return math.copysign(math.inf, base) if exponent % 2.0 == 1.0 else math.inf


def _logarithm(value: float) -> float:
    if value > 0.0:
        return math.log(value)
    return -math.inf if value == 0.0 else math.nan


def _sign(value: float) -> float:
    return math.copysign(1.0, value) if value else value


def _guarded(function: Callable[[float], float], overflow: Callable[[float], float]) -> Callable[[float], float]:
    """Return `function` with NaN outside its domain and overflow(value) where it is too large."""

    def guarded(value: float) -> float:
        try:
            return function(value)
        except ValueError:
            return math.nan
        except OverflowError:
            return overflow(value)

    return guarded


def _infinite(value: float) -> float:
    return math.inf


def _infinite_as(value: float) -> float:
    return math.copysign(math.inf, value)


SAFE: Final[dict[str, Callable[[float], float]]] = {
    **{name: _guarded(function, _infinite_as if name == "sinh" else _infinite) for name, function in FUNCTIONS.items()},
    "abs": abs,
    "sign": lambda value: _sign(value) if value == value else math.nan,
    "log": _logarithm,
}
