"""A product with numbers to be fitted as the sum that it is: r*x*(1 - x/K) has the terms x and x**2."""

from collections.abc import Iterable
from itertools import product

from dolq_core.terms.expr import Add, Expr, Param, params_in
from dolq_core.terms.limits import Unfit
from dolq_core.terms.normal import Monomial, as_expr, linear
from dolq_core.terms.reader import read
from dolq_core.terms.skeleton import Skeleton, normal_form

__all__ = ["summands"]

MOST_FACTORS = 4
"""Sums in one product that are multiplied out."""


def summands(skeleton: Skeleton) -> tuple[Skeleton, ...]:
    """Return the terms whose sum, each with a coefficient, is any function that the term can be; itself if none.

    Only where that has no number more than the term: x*(K - x)*(Y - y) would need four for its three. Numbers inside
    stay where they are: x*(1 + b*sin(w*t)) is x and x*sin(w*t).
    """
    terms = linear(read(skeleton))
    found: dict[Monomial, None] = {}
    for monomial in terms:
        for multiplied in _multiplied(monomial):
            rest = frozenset((base, exponent) for base, exponent in multiplied if not isinstance(base, Param))
            found.setdefault(rest)
    inside = [set(params_in(as_expr({monomial: 1.0}))) for monomial in found]
    shared = sum(map(len, inside)) - len({k for some in inside for k in some})  # in two terms it would be two numbers
    freed = len(set(params_in(as_expr(terms)))) - sum(map(len, inside))
    if shared or not 1 < len(found) <= freed + 1:
        return (skeleton,)
    try:
        return tuple(normal_form(as_expr({monomial: 1.0})).skeleton for monomial in found)
    except Unfit:
        return (skeleton,)


def _multiplied(monomial: Monomial) -> list[Iterable[tuple[Expr, int]]]:
    """Return the monomials of a product whose sums with parameters are multiplied out; exponents may be zero."""
    kept: list[tuple[Expr, int]] = []
    sums: list[list[Monomial]] = []
    for base, exponent in monomial:
        if isinstance(base, Add) and params_in(base) and 0 < exponent and len(sums) + exponent <= MOST_FACTORS:
            sums += [list(linear(base))] * exponent
        else:
            kept.append((base, exponent))
    return [_joined([*kept, *(pair for chosen in choice for pair in chosen)]) for choice in product(*sums)]


def _joined(factors: Iterable[tuple[Expr, int]]) -> Iterable[tuple[Expr, int]]:
    exponents: dict[Expr, int] = {}
    for base, exponent in factors:
        exponents[base] = exponents.get(base, 0) + exponent
    return [(base, exponent) for base, exponent in exponents.items() if exponent]
