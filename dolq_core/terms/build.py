"""From sums of products back to trees, in order. The reader of the text undoes every step taken here.

A `Sum` maps monomials to numbers. A monomial is a set of (base, whole exponent), each base once; NUMBER is 1.
"""

from typing import Final, TypeAlias

from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Pow, negate
from dolq_core.terms.order import arranged

Monomial: TypeAlias = frozenset[tuple[Expr, int]]
Sum: TypeAlias = dict[Monomial, float]

NUMBER: Final[Monomial] = frozenset()


def as_expr(terms: Sum) -> Expr:
    """Return the tree of a sum: the number first, the rest in order."""
    parts = [summand(monomial, value) for monomial, value in terms.items()]
    if len(parts) < 2:
        return parts[0] if parts else Num(0.0)
    return Add(tuple(arranged(parts)))


def summand(monomial: Monomial, value: float) -> Expr:
    """Return value * monomial as a tree."""
    factors = [_factor(base, exponent) for base, exponent in _joined(monomial)]
    if len(factors) > 1:
        factors = arranged(factors)
    if value != 1.0 or not factors:
        factors.insert(0, Num(value))
    return factors[0] if len(factors) == 1 else Mul(tuple(factors))


def _factor(base: Expr, exponent: int) -> Expr:
    if isinstance(base, Call) and base.name == "exp" and exponent < 0:
        return _factor(Call("exp", _negated(base.arg)), -exponent)
    return base if exponent == 1 else Pow(base, Num(float(exponent)))


def _negated(node: Expr) -> Expr:
    """Return -node, in order again."""
    if isinstance(node, Add):
        return Add(tuple(arranged([negate(part) for part in node.parts])))
    return negate(node)


def _joined(monomial: Monomial) -> Monomial:
    """Return the monomial with u**2 * |u| as |u|**3 and u * u**0.5 as u**1.5, where that is the same."""
    special = [base for base, _ in monomial if isinstance(base, (Pow, Call))] if len(monomial) > 1 else []
    if not special:
        return monomial
    exponents = dict(monomial)
    for base in special:
        if isinstance(base, Call) and base.name == "abs" and exponents.get(base.arg, 1) % 2 == 0:
            exponents[base] += exponents.pop(base.arg)
    for base in special:
        if isinstance(base, Pow):
            _join_root(base, exponents)
    return frozenset(exponents.items())


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
