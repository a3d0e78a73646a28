"""The normal form of a whole term: outer factor read off, inner parameters numbered, canonical text."""

import re
from dataclasses import dataclass
from itertools import permutations, product
from math import factorial, prod
from typing import Final

from dolq_core.terms.algebra import primitive
from dolq_core.terms.arithmetic import Unfit
from dolq_core.terms.build import Monomial, Sum, as_expr
from dolq_core.terms.expr import ONE, Add, Call, Expr, Mul, Param, Pow, Skeleton, has_symbols
from dolq_core.terms.normal import linear, opened
from dolq_core.terms.order import params_in
from dolq_core.terms.spare import without_spare
from dolq_core.terms.write import write

MAX_ORDERS: Final = 720

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
    while (fewer := without_spare(core)) != core:
        coefficient, core = 1.0, _split(linear(fewer))[1]
    indices = set(params_in(core))
    if any(index < 0 for index in indices):
        raise Unfit("C is the free factor of a whole term", "Write params[0], params[1] ... for numbers inside a term")
    text = write(core)
    if len(indices) > 1 and len(indices) < len(params_in(core)):
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
        common = _common_free(terms)
        if not common:
            _refuse_separable(terms)
            return (1.0 if free else coefficient), as_expr(terms)
        free = True
        rest = {monomial - common: value for monomial, value in terms.items()}
        terms = opened(rest)
    raise Unfit("it is zero everywhere", "Write a term that changes with a variable, or 1 for a constant")


def _free_factors(monomial: Monomial) -> set[tuple[Expr, int]]:
    return {pair for pair in monomial if not has_symbols(pair[0])}


def _common_free(terms: Sum) -> set[tuple[Expr, int]]:
    """Return the factors without variables that all summands share."""
    return set[tuple[Expr, int]].intersection(*map(_free_factors, terms))


def _refuse_separable(terms: Sum) -> None:
    if len(terms) > 1 and all(map(_free_factors, terms)):
        raise Unfit("every summand has its own free factor", "Give separate terms: each has a free factor of its own")


def _renumbered(text: str) -> str:
    """Return `text` with its parameters numbered in the order in which they appear."""
    if "[" not in text:
        return text
    order = {index: k for k, index in enumerate(dict.fromkeys(_PARAM.findall(text)))}
    return _PARAM.sub(lambda match: f"params[{order[match[1]]}]", text)


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
    terms = linear(_relabelled(core, numbering))
    if not terms:
        return 1.0, ""
    scale, terms = primitive(terms)
    return scale, write(as_expr(terms))


def _relabelled(node: Expr, numbering: dict[int, int]) -> Expr:
    match node:
        case Param(index):
            return Param(numbering[index])
        case Add(parts):
            return Add(tuple(_relabelled(part, numbering) for part in parts))
        case Mul(parts):
            return Mul(tuple(_relabelled(part, numbering) for part in parts))
        case Pow(base, exponent):
            return Pow(_relabelled(base, numbering), _relabelled(exponent, numbering))
        case Call(name, arg):
            return Call(name, _relabelled(arg, numbering))
        case _:
            return node
