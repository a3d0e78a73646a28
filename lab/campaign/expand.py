"""A term multiplied out into a sum of products, its parameters replaced by numbers."""

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import prod

from dolq_core.errors import TermError
from dolq_core.terms import Skeleton, read
from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, add, call, multiply, power
from dolq_core.terms.limits import Unfit, bounded
from dolq_core.terms.skeleton import normal_form

MOST = 200
"""Terms of a product that is multiplied out; a larger one stays as it is."""


def expanded(skeleton: Skeleton, coefficient: float, inner: Sequence[float] = ()) -> tuple[tuple[Skeleton, float], ...]:
    """Return coefficient * skeleton, its parameters replaced by the numbers `inner`, as a sum of products.

    What cannot be written as a term, such as a power of 30, is left as it is.
    """
    try:
        with bounded():
            parts = _parts(_with_numbers(read(skeleton), inner))
            forms = [normal_form(part) for part in parts if part != Num(0.0)]
            for form in forms:
                read(form.skeleton)  # a product of powers that were fitted may be steeper than anybody may type
    except (Unfit, TermError):
        return ((skeleton, coefficient),)
    found: dict[Skeleton, float] = {}
    for form in forms:
        found[form.skeleton] = found.get(form.skeleton, 0.0) + coefficient * form.coefficient
    return tuple(found.items())


def _with_numbers(node: Expr, inner: Sequence[float]) -> Expr:
    match node:
        case Param(index):
            return Num(float(inner[index]))
        case Add(parts):
            return reduce(add, [_with_numbers(part, inner) for part in parts])
        case Mul(parts):
            return reduce(multiply, [_with_numbers(part, inner) for part in parts])
        case Pow(base, exponent):
            return power(_with_numbers(base, inner), _with_numbers(exponent, inner))
        case Call(name, arg):
            return call(name, _with_numbers(arg, inner))
        case _:
            return node


def _parts(node: Expr) -> list[Expr]:
    """Return the summands of a tree, products and whole powers of sums multiplied out."""
    match node:
        case Add(parts):
            return [one for part in parts for one in _parts(part)]
        case Mul(parts):
            return _multiplied([_parts(part) for part in parts], node)
        case Pow(base, Num(2.0 | 3.0 | 4.0 as exponent)):
            return _multiplied([_parts(base)] * int(exponent), node)
        case _:
            return [node]


def _multiplied(factors: list[list[Expr]], whole: Expr) -> list[Expr]:
    if not 1 < prod(map(len, factors)) <= MOST:
        return [whole]
    return [reduce(multiply, combination) for combination in product(*factors)]
