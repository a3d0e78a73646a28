"""Every tree as a sum of products: what is equal in any order, sign or way of writing becomes equal here.

A `Sum` maps monomials to numbers. A monomial is a set of (base, whole exponent), each base once; NUMBER is 1. Bases
are opaque: variables, parameters, functions, sums scaled to a leading 1, and powers that are not whole. What is not
true for all real numbers is not done: (x**2)**0.5 stays, x**0.5*x**0.5 is no x, nothing is expanded.
"""

import math
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, TypeAlias

from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Sym, negate, params_in, power, scaled
from dolq_core.terms.functions import FUNCTIONS, multiplied, number_call, number_power, summed, tidy
from dolq_core.terms.limits import Unfit, check_exponent, finite, spend

Monomial: TypeAlias = frozenset[tuple[Expr, int]]
Sum: TypeAlias = dict[Monomial, float]
Key: TypeAlias = tuple[Any, ...]  # nested tuples of numbers and strings; same rank, same shape

NUMBER: Final[Monomial] = frozenset()


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
                terms = _plus(terms, linear(part))
            return terms
        case Mul(parts):
            terms = {NUMBER: 1.0}
            for part in parts:
                terms = _times(terms, linear(part))
            return opened(terms)
        case Pow(base, exponent):
            return opened(_power(linear(base), exponent))
        case Call(name, arg):
            return opened(_call(name, linear(arg)))


def opened(terms: Sum) -> Sum:
    """Return `terms` with a lone number * (a + b) as number*a + number*b."""
    if len(terms) == 1:
        ((monomial, value),) = terms.items()
        if len(monomial) == 1:
            ((base, exponent),) = monomial
            if exponent == 1 and isinstance(base, Add):
                return _scaled(linear(base), value)
    return terms


def primitive(terms: Sum) -> tuple[float, Sum]:
    """Return (scale, core): scale * core is `terms`, which is not zero, and any multiple has the same core.

    In a sum of several, the first summand without parameters that is not the number has the coefficient 1; failing
    that, the number. The number is positive; failing that, the first summand.
    """
    if len(terms) == 1:
        return next(iter(terms.values())), dict.fromkeys(terms, 1.0)
    ranked = _ranked(terms)
    plain = [m for m in ranked if m and not any([params_in(base) for base, _ in m])]
    scale = math.copysign(terms[plain[0] if plain else ranked[0]], terms[ranked[0]])
    return scale, {m: c / scale if abs(scale) == 1.0 else tidy(finite(c / scale)) for m, c in terms.items()}


def as_expr(terms: Sum) -> Expr:
    """Return the tree of a sum: the number first, the rest in order. The reader of the text undoes every step of it."""
    parts = [_summand(monomial, value) for monomial, value in terms.items()]
    if len(parts) < 2:
        return parts[0] if parts else Num(0.0)
    return Add(tuple(_arranged(parts)))


# --- sums of products -------------------------------------------------------------------------------


def _one(base: Expr, value: float = 1.0) -> Sum:
    return {frozenset([(base, 1)]): value}


def _is_number(terms: Sum) -> bool:
    """Whether the sum is a number other than zero."""
    return len(terms) == 1 and NUMBER in terms


def _plus(left: Sum, right: Sum) -> Sum:
    """Return left + right; what cancels but for rounding is zero."""
    total = dict(left)
    for monomial, value in right.items():
        if monomial in total:
            value = summed(total.pop(monomial), value)
        if value:
            total[monomial] = value
    return total


def _scaled(terms: Sum, factor: float) -> Sum:
    if factor == 1.0:
        return terms
    return {monomial: multiplied(value, factor) for monomial, value in terms.items()}


def _times(left: Sum, right: Sum) -> Sum:
    """Return left * right; a sum times anything but a number becomes one base."""
    if not left or not right:
        return {}
    if _is_number(left):
        return _scaled(right, left[NUMBER])
    if _is_number(right):
        return _scaled(left, right[NUMBER])
    (a, first), (b, second) = _as_product(left), _as_product(right)
    return _product(multiplied(a, b), (*first, *second))


def _as_product(terms: Sum) -> tuple[float, Monomial]:
    """Return (number, monomial) with the same value as `terms`, which is not zero."""
    if len(terms) == 1:
        monomial, value = next(iter(terms.items()))
        return value, monomial
    scale, core = primitive(terms)
    return scale, frozenset([(as_expr(core), 1)])


def _product(value: float, factors: Iterable[tuple[Expr, int]]) -> Sum:
    """Return value * the product of the factors: exponents added, |u|**2 as u**2."""
    exponents: dict[Expr, int] = {}
    for base, exponent in factors:
        exponents[base] = exponents.get(base, 0) + exponent
    for base, exponent in list(exponents.items()):
        if isinstance(base, Call) and base.name == "abs" and exponent not in (0, 1):
            exponents[base] = exponent % 2
            exponents[base.arg] = exponents.get(base.arg, 0) + exponent - exponent % 2
    for exponent in exponents.values():
        check_exponent(exponent)
    return {frozenset([pair for pair in exponents.items() if pair[1]]): value}


def _power(base: Sum, exponent: Expr) -> Sum:
    if not isinstance(exponent, Num):
        exponent = as_expr(linear(exponent))
    if not isinstance(exponent, Num):
        node = as_expr(base)
        if node == Num(0.0):
            raise Unfit("it is a power of zero", "Use a base that is not zero everywhere")
        node = node if node == Num(1.0) else power(node, exponent)
        return linear(node) if isinstance(node, Num | Call) else _one(node)
    value = exponent.value
    check_exponent(value)
    return _whole_power(base, int(value)) if value.is_integer() else _real_power(base, value)


def _whole_power(terms: Sum, exponent: int) -> Sum:
    if exponent == 0:
        return {NUMBER: 1.0}
    if not terms:
        if exponent < 0:
            raise Unfit("it divides by zero", "Divide by something that is not zero everywhere")
        return {}
    value, monomial = _as_product(terms)
    value = 1.0 if value == 1.0 else number_power(value, exponent)
    return _product(value, [(base, k * exponent) for base, k in monomial])


def _real_power(terms: Sum, exponent: float) -> Sum:
    """Return terms**exponent for an exponent that is not whole: u**1.5 is u * u**0.5, and u**0.5 a base."""
    if not terms:
        return _whole_power(terms, 1 if exponent > 0 else -1)
    if _is_number(terms):
        return {NUMBER: number_power(terms[NUMBER], exponent)}
    value, monomial = _as_product(terms)
    sign = 1.0 if value > 0 else -1.0
    whole = int(exponent)
    root = Pow(as_expr({monomial: sign}), Num(abs(exponent - whole)))
    factors = [*((base, k * whole) for base, k in monomial), (root, 1 if exponent > 0 else -1)]
    return _product(number_power(abs(value), exponent) * sign**whole, factors)


def _call(name: str, arg: Sum) -> Sum:
    """Return the function at `arg`, with the sign or scale that can be taken out of it."""
    if not arg or _is_number(arg):
        value = number_call(name, arg.get(NUMBER, 0.0))
        return {NUMBER: value} if value else {}
    if name == "abs":  # of a product it is taken factor by factor
        value, monomial = _as_product(arg)
        return _product(abs(value), [(base if _is_positive(base) else Call("abs", base), k) for base, k in monomial])
    if name == "sign":
        scale, arg = primitive(arg)
        return _one(Call(name, as_expr(arg)), math.copysign(1.0, scale))
    symmetry, sign = FUNCTIONS[name].symmetry, 1
    if (symmetry or name == "exp") and _leading(arg) < 0:
        sign, arg = -1, _scaled(arg, -1.0)
    base = Call(name, as_expr(arg))
    if name == "exp":  # exp(-u) is written as a power of exp(u)
        return {frozenset([(base, sign)]): 1.0}
    return _one(base, float(sign) if symmetry == "odd" else 1.0)


def _leading(terms: Sum) -> float:
    """Return the number before the first summand: -terms has the opposite one."""
    return terms[_ranked(terms)[0]] if len(terms) > 1 else next(iter(terms.values()))


def _is_positive(base: Expr) -> bool:
    """Whether a base is never negative: of powers those that are not whole, for whole ones are no bases."""
    if isinstance(base, Call):
        return FUNCTIONS[base.name].positive
    return isinstance(base, Pow) and isinstance(base.exponent, Num)


# --- back to trees ----------------------------------------------------------------------------------


def _summand(monomial: Monomial, value: float) -> Expr:
    factors = [_factor(base, exponent) for base, exponent in _joined(monomial)]
    if len(factors) > 1:
        factors = _arranged(factors)
    return scaled(value, factors)


def _factor(base: Expr, exponent: int) -> Expr:
    if isinstance(base, Call) and base.name == "exp" and exponent < 0:
        arg = base.arg
        negated = Add(tuple(_arranged([negate(p) for p in arg.parts]))) if isinstance(arg, Add) else negate(arg)
        return _factor(Call("exp", negated), -exponent)
    return base if exponent == 1 else Pow(base, Num(float(exponent)))


def _joined(monomial: Monomial) -> Monomial:
    """Return the monomial with u**2 * |u| as |u|**3 and u * u**0.5 as u**1.5, where that is the same."""
    special = [base for base, _ in monomial if isinstance(base, (Pow, Call))] if len(monomial) > 1 else []
    if not special:
        return monomial
    exponents = dict(monomial)
    for base in special:
        if isinstance(base, Call) and base.name == "abs" and exponents.get(base.arg, 1) % 2 == 0:
            exponents[base] += exponents.pop(base.arg)
    for root in sorted((base for base in special if isinstance(base, Pow)), key=_nested, reverse=True):
        if root in exponents:  # it may have been joined to a root of itself
            _join_root(root, exponents)
    return frozenset(exponents.items())


def _nested(root: Expr) -> int:
    """Return how many powers a power is of: the order of a set is no order to join its members in."""
    return 1 + _nested(root.base) if isinstance(root, Pow) else 0


def _join_root(root: Pow, exponents: dict[Expr, int]) -> None:
    """Write u**(k*m) * (u**f)**m as (u**(k+f))**m in `exponents`, for k > 0 and if it is the only root of u."""
    if not isinstance(root.exponent, Num) or root.base not in exponents:
        return
    if sum(isinstance(other, Pow) and other.base == root.base for other in exponents) > 1:
        return
    times, rest = divmod(exponents[root.base], exponents[root])
    if rest or times < 1:
        return
    del exponents[root.base]
    exponents[Pow(root.base, Num(times + root.exponent.value))] = exponents.pop(root)


# --- the order of factors and summands: parameters compare equal, so that their numbering is no order ---


def _ranked(terms: Sum) -> list[Monomial]:
    """Return the monomials in the order of the tree, NUMBER first."""
    monomials = {_summand(monomial, value): monomial for monomial, value in terms.items()}
    return [monomials[node] for node in _arranged(monomials)]


def _arranged(nodes: Iterable[Expr]) -> list[Expr]:
    """Return factors or summands in order; the numbers of parameters decide only where nothing else does."""
    ranked = sorted([(_rank(node), k, node) for k, node in enumerate(nodes)], key=lambda each: each[0])
    if any([a[0] == b[0] for a, b in pairwise(ranked)]):
        ranked.sort(key=lambda each: (each[0], params_in(each[2])))
    return [node for _, _, node in ranked]


def _rank(node: Expr) -> Key:
    """Return what a summand is sorted by: without its number, then the number, positive before negative."""
    if isinstance(node, Num):
        return (), abs(node.value), -node.value
    if isinstance(node, Mul) and isinstance(node.parts[0], Num):
        value = node.parts[0].value
        return tuple([_factor_key(part) for part in node.parts[1:]]), abs(value), -value
    return _key(node), 1.0, -1.0


def _key(node: Expr) -> Key:
    if isinstance(node, Mul):
        spend(len(node.parts))
        return tuple([_factor_key(part) for part in node.parts])
    return (_factor_key(node),)


def _factor_key(node: Expr) -> Key:
    if isinstance(node, Pow) and isinstance(node.exponent, Num):
        return _base_key(node.base), node.exponent.value
    return _base_key(node), 1.0


def _base_key(node: Expr) -> Key:  # by frequency: this is most of the time that a normal form takes
    if isinstance(node, Sym):
        return natural(node.name)
    if isinstance(node, Param):
        return (1,)
    spend(2)
    if isinstance(node, Call):
        return 4, node.name, _key(node.arg)
    if isinstance(node, Add):
        return 5, tuple([_rank(part) for part in node.parts])
    if isinstance(node, Num):
        return 0, node.value
    if isinstance(node, Pow):
        return 3, _key(node.base), _key(node.exponent)
    return 6, _key(node)


@lru_cache(maxsize=1024)
def natural(name: str) -> Key:
    """Return a key that puts x2 before x10."""
    stem = name.rstrip("0123456789")
    return 2, stem, int(name[len(stem) :] or -1), name
