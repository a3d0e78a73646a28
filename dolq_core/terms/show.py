"""Skeletons as text: for people in their own names, and for other programs in symbols."""

import keyword
import math
from collections.abc import Callable, Mapping, Sequence

from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Skeleton, Sym
from dolq_core.terms.names import Names
from dolq_core.terms.parse import read
from dolq_core.terms.write import PYTHON, Syntax, write


def to_text(skeleton: Skeleton, names: Names, inner: Sequence[float] = ()) -> str:
    """Return the term for a person to read and to type again: own names, p1, p2 ... or the numbers in `inner`.

    Numbers in `inner` are rounded to four digits; the structure keeps its own.
    """
    return write(with_numbers(read(skeleton), [float(f"{value:.4g}") for value in inner]), _leaf(names))


def to_python(skeleton: Skeleton, inner: Sequence[float] = ()) -> str:
    """Return the term in symbols and plain functions, numbers in full precision; read alike by Python and SymPy."""
    return write(with_numbers(read(skeleton), inner))


def to_code(
    skeleton: Skeleton,
    inner: Sequence[float],
    identifiers: Mapping[str, str],
    syntax: Syntax = PYTHON,
    parameter: Callable[[int], str] = "params[{}]".format,
) -> str:
    """Return the term as a factor in a program, numbers in full precision: in brackets where it is a sum or negative.

    identifiers: what stands for each symbol; a symbol that is not there stands for itself.
    parameter: writes the inner parameters that `inner` has no number for.
    """

    def leaf(node: Sym | Param) -> str:
        return identifiers.get(node.name, node.name) if isinstance(node, Sym) else parameter(node.index)

    tree = with_numbers(read(skeleton), inner)
    text = write(tree, leaf, syntax)
    return f"({text})" if isinstance(tree, Add) or text.startswith("-") else text


def is_sum(skeleton: Skeleton) -> bool:
    """Whether the term is a sum, so that a factor before it needs brackets."""
    return isinstance(read(skeleton), Add)


def with_numbers(node: Expr, inner: Sequence[float]) -> Expr:
    """Return `node` with params[k] replaced by inner[k]; those beyond its length stay."""
    if not inner:
        return node
    match node:
        case Param(index):
            return Num(float(inner[index])) if 0 <= index < len(inner) else node
        case Add(parts):
            return Add(tuple([with_numbers(part, inner) for part in parts]))
        case Mul(parts):
            return _folded([with_numbers(part, inner) for part in parts])
        case Pow(base, exponent):
            return Pow(with_numbers(base, inner), with_numbers(exponent, inner))
        case Call(name, arg):
            return Call(name, with_numbers(arg, inner))
        case _:
            return node


def _folded(parts: list[Expr]) -> Expr:
    """Return the product with its numbers made one, in front."""
    scale = math.prod([part.value for part in parts if isinstance(part, Num)])
    rest: list[Expr] = [part for part in parts if not isinstance(part, Num)]
    if scale != 1.0 or not rest:
        rest.insert(0, Num(scale))
    return rest[0] if len(rest) == 1 else Mul(tuple(rest))


def _leaf(names: Names) -> Callable[[Sym | Param], str]:
    def leaf(node: Sym | Param) -> str:
        if isinstance(node, Param):
            return f"p{node.index + 1}"
        return _own_name(node.name, names)

    return leaf


def _own_name(symbol: str, names: Names) -> str:
    own = names.time if symbol == "t" else names.own_of.get(symbol, symbol)
    if names.known.get(own) != symbol or "`" in own:
        return symbol  # `t` beside a column t, the second of two equal names
    return own if own.isidentifier() and not keyword.iskeyword(own) else f"`{own}`"
