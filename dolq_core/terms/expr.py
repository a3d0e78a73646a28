"""The tree of a term: seven kinds of nodes, and constructors that fold numbers.

A quotient is a product with a negative power, a difference a sum with a negative factor, sqrt(u) is u**0.5.
Numbers are floats that stay finite and real; what leaves them raises `Unfit`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NewType, TypeAlias

from dolq_core.terms.functions import multiplied, number_call, number_power, summed
from dolq_core.terms.limits import check_exponent

Skeleton = NewType("Skeleton", str)


@dataclass(frozen=True, slots=True)
class Num:
    """A number of the structure."""

    value: float


@dataclass(frozen=True, slots=True)
class Sym:
    """A variable, by its safe symbol, or `t`."""

    name: str


@dataclass(frozen=True, slots=True)
class Param:
    """A number to be fitted: params[index]; a negative index is one occurrence of `C`."""

    index: int


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of at least two summands, none of them a sum."""

    parts: "tuple[Expr, ...]"


@dataclass(frozen=True, slots=True)
class Mul:
    """A product of at least two factors, none of them a product; a number comes first."""

    parts: "tuple[Expr, ...]"


@dataclass(frozen=True, slots=True)
class Pow:
    """A power."""

    base: "Expr"
    exponent: "Expr"


@dataclass(frozen=True, slots=True)
class Call:
    """A function of `FUNCTIONS` with its argument."""

    name: str
    arg: "Expr"


Expr: TypeAlias = Num | Sym | Param | Add | Mul | Pow | Call

ONE: Final = Num(1.0)
MINUS: Final = Num(-1.0)


def children(node: Expr) -> tuple[Expr, ...]:
    """Return the nodes right under `node`, left to right."""
    if isinstance(node, (Add, Mul)):
        return node.parts
    if isinstance(node, Pow):
        return node.base, node.exponent
    return (node.arg,) if isinstance(node, Call) else ()


def walk(node: Expr) -> list[Expr]:
    """Return `node` and all nodes under it, from the top down."""
    found = [node]
    for each in found:
        found += children(each)
    return found


def params_in(node: Expr) -> tuple[int, ...]:
    """Return the indices of all parameters in `node`, left to right, with repetitions."""
    if isinstance(node, (Sym, Num)):
        return ()
    if isinstance(node, Param):
        return (node.index,)
    found: tuple[int, ...] = ()
    for child in children(node):
        found += params_in(child)
    return found


def has_symbols(node: Expr) -> bool:
    """Whether a variable or `t` occurs."""
    return isinstance(node, Sym) or any([has_symbols(child) for child in children(node)])


def with_params(node: Expr, param: Callable[[Param], Expr], product: Callable[[tuple[Expr, ...]], Expr] = Mul) -> Expr:
    """Return `node` with every parameter replaced, and its products made anew."""
    match node:
        case Param():
            return param(node)
        case Add(parts):
            return Add(tuple([with_params(part, param, product) for part in parts]))
        case Mul(parts):
            return product(tuple([with_params(part, param, product) for part in parts]))
        case Pow(base, exponent):
            return Pow(with_params(base, param, product), with_params(exponent, param, product))
        case Call(name, arg):
            return Call(name, with_params(arg, param, product))
        case _:
            return node


def is_divisor(node: Expr) -> bool:
    """Whether `node` is a negative power by number, to be written below the line."""
    return isinstance(node, Pow) and isinstance(node.exponent, Num) and node.exponent.value < 0


def inverse(node: Expr) -> Expr:
    """Return 1/node for a divisor."""
    match node:
        case Pow(base, Num(-1.0)):
            return base
        case Pow(base, Num(exponent)):
            return Pow(base, Num(-exponent))
        case _:
            return node


def degree(node: Expr) -> float:
    """Return the total degree: factors add up, exponents multiply, a function has that of its argument."""
    match node:
        case Sym():
            return 1.0
        case Add(parts):
            return max(map(degree, parts))
        case Pow(base, Num(exponent)):
            return degree(base) * abs(exponent)
        case _:
            return sum(map(degree, children(node)))


def powers(node: Expr) -> tuple[float, float]:
    """Return the degrees of what stands above and below the line: 8 and 8 for x**8/(1 + x**8)."""
    match node:
        case Sym():
            return 1.0, 0.0
        case Add(parts):
            above, below = zip(*map(powers, parts), strict=True)
            return max(above), max(below)
        case Pow(base, Num(exponent)):
            above, below = (abs(exponent) * one for one in powers(base))
            return (above, below) if exponent >= 0.0 else (below, above)
        case _:
            pairs = [powers(child) for child in children(node)]
            return sum(above for above, _ in pairs), sum(below for _, below in pairs)


def add(left: Expr, right: Expr) -> Expr:
    """Return left + right."""
    if isinstance(left, Num) and isinstance(right, Num):
        return Num(summed(left.value, right.value))
    parts = left.parts if isinstance(left, Add) else (left,)
    return Add(parts + (right.parts if isinstance(right, Add) else (right,)))


def multiply(left: Expr, right: Expr) -> Expr:
    """Return left * right, with one number at most, in front."""
    parts = left.parts if isinstance(left, Mul) else (left,)
    parts += right.parts if isinstance(right, Mul) else (right,)
    scale = 1.0
    for part in parts:
        if isinstance(part, Num):
            scale = multiplied(scale, part.value)
    return scaled(scale, [part for part in parts if not isinstance(part, Num)])


def scaled(number: float, factors: Sequence[Expr]) -> Expr:
    """Return number * the product of factors that are no numbers."""
    parts = (*factors,) if number == 1.0 and factors else (Num(number), *factors)
    return parts[0] if len(parts) == 1 else Mul(parts)


def negate(node: Expr) -> Expr:
    """Return -node."""
    return multiply(MINUS, node)


def power(base: Expr, exponent: Expr) -> Expr:
    """Return base**exponent; raise Unfit for a numeric exponent over MAX_EXPONENT."""
    if not isinstance(exponent, Num):
        return call("exp", exponent) if base == Num(math.e) else Pow(base, exponent)
    check_exponent(exponent.value)
    if isinstance(base, Num):
        return Num(number_power(base.value, exponent.value))
    return base if exponent.value == 1.0 else Pow(base, exponent)


def invert(node: Expr) -> Expr:
    """Return 1/node, the power taken into products and numeric powers."""
    if isinstance(node, Mul):
        inverse: Expr = ONE
        for part in node.parts:
            inverse = multiply(inverse, invert(part))
        return inverse
    if isinstance(node, Pow) and isinstance(node.exponent, Num) and node.exponent.value.is_integer():
        return power(node.base, Num(-node.exponent.value))
    return power(node, MINUS)


def call(name: str, arg: Expr) -> Expr:
    """Return the function `name` of FUNCTIONS at `arg`."""
    return Num(number_call(name, arg.value)) if isinstance(arg, Num) else Call(name, arg)
