"""A right-hand side with all its numbers, multiplied out into a sum of terms."""

from collections.abc import Iterable, Sequence
from itertools import product

from dolq_core.errors import TermError
from dolq_core.terms.arithmetic import Unfit
from dolq_core.terms.budget import MOST_OF_MANY, bounded
from dolq_core.terms.equation import summands
from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Skeleton, add, call, multiply, power
from dolq_core.terms.names import Names
from dolq_core.terms.parse import parse_term, read
from dolq_core.terms.skeleton import normal_form

LONGEST = 4000
"""Characters of a law: twice an equation's, for the digits of its numbers."""
MOST = 200
"""Terms of a product that is multiplied out; a larger one stays as it is."""


def read_law(text: str, names: Names) -> tuple[tuple[Skeleton, float], ...]:
    """Return the right-hand side as (skeleton, coefficient), sums within products left as they are; "0" has no terms.

    Raises:
        TermError: where a term cannot be read, or has parameters in the place of numbers.
    """
    if len(text) > LONGEST:
        raise TermError(
            text, f"it has {len(text)} characters, and {LONGEST} is the limit for a law", "Write fewer terms"
        )
    if text.strip() == "0":
        return ()
    with bounded(MOST_OF_MANY):
        terms = [parse_term(part, names) for part, _ in summands(text)]
    for term in terms:
        if term.params:
            raise TermError(text, f"{term.text.strip()!r} has parameters", "A law has numbers in their place")
    return _collected((term.skeleton, term.coefficient) for term in terms)


def expanded(skeleton: Skeleton, coefficient: float, inner: Sequence[float] = ()) -> tuple[tuple[Skeleton, float], ...]:
    """Return coefficient * skeleton, its parameters replaced by the numbers `inner`, as a sum of products.

    What cannot be written as a term, such as a power of 30, is left as it is.
    """
    try:
        with bounded():
            parts = _parts(_with_numbers(read(skeleton), inner))
            forms = [normal_form(part) for part in parts if part != Num(0.0)]
    except (Unfit, TermError):
        return ((skeleton, coefficient),)
    return _collected((form.skeleton, coefficient * form.coefficient) for form in forms)


def _collected(terms: Iterable[tuple[Skeleton, float]]) -> tuple[tuple[Skeleton, float], ...]:
    found: dict[Skeleton, float] = {}
    for skeleton, coefficient in terms:
        found[skeleton] = found.get(skeleton, 0.0) + coefficient
    return tuple(found.items())


def _with_numbers(node: Expr, inner: Sequence[float]) -> Expr:
    match node:
        case Param(index):
            return Num(float(inner[index]))
        case Add(parts) | Mul(parts):
            join = add if isinstance(node, Add) else multiply
            result = _with_numbers(parts[0], inner)
            for part in parts[1:]:
                result = join(result, _with_numbers(part, inner))
            return result
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
    count = 1
    for factor in factors:
        count *= len(factor)
    if not 1 < count <= MOST:
        return [whole]
    found: list[Expr] = []
    for combination in product(*factors):
        result = combination[0]
        for part in combination[1:]:
            result = multiply(result, part)
        found.append(result)
    return found
