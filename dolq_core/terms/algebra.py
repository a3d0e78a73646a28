"""Sums of products of powers: the arithmetic behind the normal form.

Bases are opaque: variables, parameters, functions, sums scaled to a leading 1, and powers that are not whole.
What is not true for all real numbers is not done: (x**2)**0.5 stays, x**0.5*x**0.5 is no x, nothing is expanded.
"""

import math
from collections.abc import Iterable

from dolq_core.terms.arithmetic import Unfit, check_exponent, finite, multiplied, number_power, summed, tidy
from dolq_core.terms.build import NUMBER, Monomial, Sum, as_expr, summand
from dolq_core.terms.expr import Call, Expr, Num, Pow
from dolq_core.terms.order import arranged, params_in


def plus(left: Sum, right: Sum) -> Sum:
    """Return left + right; what cancels but for rounding is zero."""
    total = dict(left)
    for monomial, value in right.items():
        if monomial in total:
            value = summed(total.pop(monomial), value)
        if value:
            total[monomial] = value
    return total


def scaled(terms: Sum, factor: float) -> Sum:
    """Return factor * terms."""
    if factor == 1.0:
        return terms
    return {monomial: multiplied(value, factor) for monomial, value in terms.items()}


def times(left: Sum, right: Sum) -> Sum:
    """Return left * right; a sum times anything but a number becomes one base."""
    if not left or not right:
        return {}
    if is_number(left):
        return scaled(right, left[NUMBER])
    if is_number(right):
        return scaled(left, right[NUMBER])
    (a, first), (b, second) = as_product(left), as_product(right)
    return product(multiplied(a, b), (*first, *second))


def is_number(terms: Sum) -> bool:
    """Whether the sum is a number other than zero."""
    return len(terms) == 1 and NUMBER in terms


def as_product(terms: Sum) -> tuple[float, Monomial]:
    """Return (number, monomial) with the same value as `terms`, which is not zero."""
    if len(terms) == 1:
        monomial, value = next(iter(terms.items()))
        return value, monomial
    scale, core = primitive(terms)
    return scale, frozenset([(as_expr(core), 1)])


def product(value: float, factors: Iterable[tuple[Expr, int]]) -> Sum:
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


def whole_power(terms: Sum, exponent: int) -> Sum:
    """Return terms**exponent."""
    if exponent == 0:
        return {NUMBER: 1.0}
    if not terms:
        if exponent < 0:
            raise Unfit("it divides by zero", "Divide by something that is not zero everywhere")
        return {}
    value, monomial = as_product(terms)
    value = 1.0 if value == 1.0 else number_power(value, exponent)
    return product(value, [(base, k * exponent) for base, k in monomial])


def real_power(terms: Sum, exponent: float) -> Sum:
    """Return terms**exponent for an exponent that is not whole: u**1.5 is u * u**0.5, and u**0.5 a base."""
    if not terms:
        return whole_power(terms, 1 if exponent > 0 else -1)
    if is_number(terms):
        return {NUMBER: number_power(terms[NUMBER], exponent)}
    value, monomial = as_product(terms)
    sign = 1.0 if value > 0 else -1.0
    whole = int(exponent)
    root = Pow(as_expr({monomial: sign}), Num(abs(exponent - whole)))
    factors = [*((base, k * whole) for base, k in monomial), (root, 1 if exponent > 0 else -1)]
    return product(number_power(abs(value), exponent) * sign**whole, factors)


def primitive(terms: Sum) -> tuple[float, Sum]:
    """Return (scale, core): scale * core is `terms`, which is not zero, and any multiple has the same core.

    In a sum of several, the first summand without parameters that is not the number has the coefficient 1; failing
    that, the number. The number is positive; failing that, the first summand.
    """
    if len(terms) == 1:
        return next(iter(terms.values())), dict.fromkeys(terms, 1.0)
    ranked = _ranked(terms)
    plain = [m for m in ranked if m and not any([params_in(base) for base, _ in m])]
    lead = plain[0] if plain else ranked[0]
    scale = math.copysign(terms[lead], terms[ranked[0]])
    return scale, {m: _divided(c, scale) for m, c in terms.items()}


def signed(terms: Sum) -> tuple[int, Sum]:
    """Return (sign, core): sign * core is `terms`, which is not zero, and -terms has the same core."""
    first = terms[_ranked(terms)[0]] if len(terms) > 1 else next(iter(terms.values()))
    return (1, terms) if first > 0 else (-1, scaled(terms, -1.0))


def _ranked(terms: Sum) -> list[Monomial]:
    """Return the monomials in the order of the tree, NUMBER first."""
    monomials = {summand(monomial, value): monomial for monomial, value in terms.items()}
    return [monomials[node] for node in arranged(monomials)]


def _divided(value: float, by: float) -> float:
    return value / by if abs(by) == 1.0 else tidy(finite(value / by))
