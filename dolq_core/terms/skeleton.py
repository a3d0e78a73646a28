"""The normal form of a whole term: outer factor read off, inner parameters numbered, canonical text."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, prod
from typing import Final

from dolq_core.terms.expr import (
    MINUS,
    ONE,
    Add,
    Expr,
    Mul,
    Num,
    Param,
    Pow,
    Skeleton,
    has_symbols,
    multiply,
    params_in,
    with_params,
)
from dolq_core.terms.limits import MAX_ORDERS, Unfit
from dolq_core.terms.normal import Sum, as_expr, linear, opened, primitive
from dolq_core.terms.show import write

_PARAM: Final = re.compile(r"params\[(-?\d+)\]")


@dataclass(frozen=True, slots=True)
class Normal:
    """A term in normal form: coefficient * skeleton; coefficient is 1.0 if it was a free one."""

    skeleton: Skeleton
    coefficient: float
    core: Expr
    params: int


def normal_form(expr: Expr) -> Normal:
    """Return the normal form of a term.

    Raises:
        Unfit: for a term that is zero, or is a sum of terms with a free factor each.
    """
    coefficient, core = _split(linear(expr))
    while (fewer := _without_spare(core)) != core:
        coefficient, core = 1.0, _split(linear(fewer))[1]
    found = params_in(core)
    indices = set(found)
    text = write(core)
    if 1 < len(indices) < len(found):
        sign, text = _first_order(core, sorted(indices))
        coefficient *= sign
    return Normal(Skeleton(_renumbered(text)), coefficient, core, len(indices))


def _split(terms: Sum) -> tuple[float, Expr]:
    """Return the coefficient (1.0 if it is free) and the rest of a term."""
    coefficient, free = 1.0, False
    if len(terms) > 1 and not has_symbols(as_expr(terms)):
        return 1.0, ONE
    while terms:
        scale, terms = primitive(terms)
        coefficient *= scale
        factors = [{pair for pair in monomial if not has_symbols(pair[0])} for monomial in terms]
        common = set[tuple[Expr, int]].intersection(*factors)
        if not common:
            if len(terms) > 1 and all(factors):
                reason = "every summand has its own free factor"
                raise Unfit(reason, "Give separate terms: each has a free factor of its own")
            return (1.0 if free else coefficient), as_expr(terms)
        free = True
        terms = opened({monomial - common: value for monomial, value in terms.items()})
    raise Unfit("it is zero everywhere", "Write a term that changes with a variable, or 1 for a constant")


def _renumbered(text: str) -> str:
    """Return `text` with its parameters numbered in the order in which they appear."""
    if "[" not in text:
        return text
    order = {index: k for k, index in enumerate(dict.fromkeys(_PARAM.findall(text)))}
    return _PARAM.sub(lambda match: f"params[{order[match[1]]}]", text)


# --- parameters that can be exchanged ---------------------------------------------------------------


def _first_order(core: Expr, indices: list[int]) -> tuple[float, str]:
    """Return (sign, text) of the first in the alphabet among the texts with the parameters in any order.

    Needed when a parameter occurs twice; else any order gives the same text, but for the sign of a difference, which
    `parse` settles by reading the text again. Parameters with different surroundings are told apart first, so that only
    interchangeable ones are tried.
    """
    surroundings: dict[str, list[int]] = {}
    for index in indices:
        surroundings.setdefault(_text(core, {k: int(k == index) for k in indices})[1], []).append(index)
    classes = [surroundings[text] for text in sorted(surroundings)]
    if prod(factorial(len(group)) for group in classes) > MAX_ORDERS:
        raise Unfit("its parameters can be exchanged in too many ways", "Use fewer inner parameters")
    texts: list[tuple[str, float]] = []
    for orders in product(*map(permutations, classes)):
        ranks = {index: rank for rank, index in enumerate(index for order in orders for index in order)}
        sign, text = _text(core, ranks)
        texts.append((_renumbered(text), sign))
    text, sign = min(texts)
    return sign, text


def _text(core: Expr, numbering: dict[int, int]) -> tuple[float, str]:
    """Return (scale, text) of the core with its parameters numbered anew."""
    terms = linear(with_params(core, lambda node: Param(numbering[node.index])))
    if not terms:
        return 1.0, ""
    scale, terms = primitive(terms)
    return scale, write(as_expr(terms))


# --- parameters that the free factor of a term makes superfluous ------------------------------------


def _without_spare(core: Expr) -> Expr:
    """Return `core`, or the same family of functions with fewer parameters.

    In x0/(params[0] + params[1]*x0) every summand has a parameter of its own, so one of them is only a factor of the
    whole: x0/(1 + params[0]*x0). And params[0]*params[1]*x0 is params[0]*x0. A fit could not tell them apart.
    """
    uses = Counter(params_in(core))
    if len(uses) < 2:
        return core
    own = {Param(index) for index, count in uses.items() if count == 1}
    core = with_params(core, lambda param: param, lambda parts: _with_one_factor(parts, own))
    freed: Expr = ONE
    for factor in _factors(core):
        freed = multiply(freed, _freed(factor, own))
    return freed


def _with_one_factor(parts: Sequence[Expr], own: set[Param]) -> Expr:
    """Return a product with one of the parameters that are only its factors, or divisors."""
    above = [part for part in parts if part in own]
    under = [part for part in parts if isinstance(part, Pow) and part.base in own and part.exponent == MINUS]
    spare = [*above, *under][1:]
    kept = tuple(part for part in parts if part not in spare)
    return kept[0] if len(kept) == 1 else Mul(kept)


def _factors(node: Expr) -> tuple[Expr, ...]:
    return node.parts if isinstance(node, Mul) else (node,)


def _freed(factor: Expr, own: set[Param]) -> Expr:
    """Return a factor without one parameter, where each of its summands has one that stands nowhere else."""
    if isinstance(factor, Pow) and isinstance(factor.exponent, Num) and factor.exponent.value.is_integer():
        return Pow(_freed(factor.base, own), factor.exponent)
    if not isinstance(factor, Add) or any([own.isdisjoint(_factors(part)) for part in factor.parts]):
        return factor
    parts = list(factor.parts)
    spare = next((k for k, part in enumerate(parts) if not has_symbols(part)), 0)
    rest: Expr = ONE
    for part in _factors(parts[spare]):
        if not isinstance(part, Num) and part not in own:
            rest = multiply(rest, part)
    parts[spare] = rest
    return Add(tuple(parts))
