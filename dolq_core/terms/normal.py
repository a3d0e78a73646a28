"""Every tree as a sum of products: what is equal in any order, sign or way of writing becomes equal here."""

import math
from typing import Final

from dolq_core.terms.algebra import (
    as_product,
    is_number,
    plus,
    primitive,
    product,
    real_power,
    scaled,
    signed,
    times,
    whole_power,
)
from dolq_core.terms.arithmetic import Unfit, check_exponent, number_call
from dolq_core.terms.budget import spend
from dolq_core.terms.build import NUMBER, Sum, as_expr
from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Sym, power

_ODD: Final = frozenset({"sin", "tan", "sinh", "tanh", "asin", "atan"})
_EVEN: Final = frozenset({"cos", "cosh"})
_SYMMETRIC: Final = _ODD | _EVEN | {"exp"}
_NEVER_NEGATIVE: Final = frozenset({"exp", "cosh", "abs"})


def linear(node: Expr) -> Sum:
    """Return `node` as a sum of products, none of them a lone sum; {} is zero.

    Raises:
        Unfit: where a number is no finite real number, or an exponent too large.
    """
    spend(2)
    match node:
        case Num(value):
            return {NUMBER: value} if value else {}
        case Sym() | Param():
            return _one(node)
        case Add(parts):
            terms: Sum = {}
            for part in parts:
                terms = plus(terms, linear(part))
            return terms
        case Mul(parts):
            terms = {NUMBER: 1.0}
            for part in parts:
                terms = times(terms, linear(part))
            return opened(terms)
        case Pow(base, exponent):
            return opened(_power(linear(base), exponent))
        case Call(name, arg):
            return opened(_call(name, linear(arg)))


def _one(base: Expr, exponent: int = 1, value: float = 1.0) -> Sum:
    """Return value * base**exponent."""
    return {frozenset([(base, exponent)]): value}


def opened(terms: Sum) -> Sum:
    """Return `terms` with a lone number * (a + b) as number*a + number*b."""
    if len(terms) == 1:
        ((monomial, value),) = terms.items()
        if len(monomial) == 1:
            ((base, exponent),) = monomial
            if exponent == 1 and isinstance(base, Add):
                return scaled(linear(base), value)
    return terms


def _power(base: Sum, exponent: Expr) -> Sum:
    if not isinstance(exponent, Num):
        exponent = as_expr(linear(exponent))
    if not isinstance(exponent, Num):
        return _named_power(as_expr(base), exponent)
    value = exponent.value
    check_exponent(value)
    return whole_power(base, int(value)) if value.is_integer() else real_power(base, value)


def _named_power(base: Expr, exponent: Expr) -> Sum:
    if base == Num(0.0):
        raise Unfit("it is a power of zero", "Use a base that is not zero everywhere")
    if base == Num(1.0):
        return {NUMBER: 1.0}
    node = power(base, exponent)
    return linear(node) if isinstance(node, Call) else _one(node)


def _call(name: str, arg: Sum) -> Sum:
    """Return the function at `arg`, with the sign or scale that can be taken out of it."""
    if not arg or is_number(arg):
        value = number_call(name, arg.get(NUMBER, 0.0))
        return {NUMBER: value} if value else {}
    if name == "abs":
        return _absolute(arg)
    if name == "sign":
        scale, arg = primitive(arg)
        return _one(Call(name, as_expr(arg)), value=math.copysign(1.0, scale))
    sign, arg = signed(arg) if name in _SYMMETRIC else (1, arg)
    node = Call(name, as_expr(arg))
    if name == "exp":
        return _one(node, sign)
    return _one(node, value=1.0 if name in _EVEN else float(sign))


def _absolute(arg: Sum) -> Sum:
    """Return |arg|: the absolute value of a product is taken factor by factor."""
    value, monomial = as_product(arg)
    return product(abs(value), [(base if _is_never_negative(base) else Call("abs", base), k) for base, k in monomial])


def _is_never_negative(base: Expr) -> bool:
    match base:
        case Call(name):
            return name in _NEVER_NEGATIVE
        case Pow(_, Num()):
            return True  # a root: whole powers are no bases
        case _:
            return False
