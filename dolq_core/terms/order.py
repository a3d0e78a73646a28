"""The order of factors and summands in a normal form. Parameters compare equal, so that their numbering is no order."""

from functools import lru_cache
from typing import Any, TypeAlias

from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Sym, children

Key: TypeAlias = tuple[Any, ...]  # nested tuples of numbers and strings; same rank, same shape


def key(node: Expr) -> Key:
    """Return what `node` is sorted by: its factors as (base, exponent), numbers of parameters left out."""
    if isinstance(node, Mul):
        return tuple([_factor(part) for part in node.parts])
    return (_factor(node),)


def exact(node: Expr) -> Key:
    """Return a sort key that tells apart trees which differ in the numbers of their parameters only."""
    return key(node), params_in(node)


def summand(node: Expr) -> Key:
    """Return what a summand is sorted by: without its number, then the number, positive before negative."""
    match node:
        case Num(value):
            return (), abs(value), -value, ()
        case Mul((Num(value), *rest)):
            return tuple([_factor(part) for part in rest]), abs(value), -value, params_in(node)
        case _:
            return key(node), 1.0, -1.0, params_in(node)


def params_in(node: Expr) -> tuple[int, ...]:
    """Return the indices of all parameters in `node`, left to right, with repetitions."""
    if isinstance(node, Sym | Num):
        return ()
    if isinstance(node, Param):
        return (node.index,)
    found: tuple[int, ...] = ()
    for child in children(node):
        found += params_in(child)
    return found


def _factor(node: Expr) -> Key:
    if isinstance(node, Pow) and isinstance(node.exponent, Num):
        return _base(node.base), node.exponent.value
    return _base(node), 1.0


def _base(node: Expr) -> Key:
    match node:
        case Sym(name):
            return _natural(name)
        case Num(value):
            return 0, value
        case Param():
            return (1,)
        case Call(name, arg):
            return 4, name, key(arg)
        case Add(parts):
            return 5, tuple([key(part) for part in parts])
        case Pow(base, exponent):
            return 3, key(base), key(exponent)
        case Mul():
            return 6, key(node)


@lru_cache(maxsize=1024)
def _natural(name: str) -> Key:
    """Return a key that puts x2 before x10."""
    stem = name.rstrip("0123456789")
    return 2, stem, int(name[len(stem) :] or -1), name
