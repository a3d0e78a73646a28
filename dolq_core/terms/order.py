"""The order of factors and summands in a normal form. Parameters compare equal, so that their numbering is no order."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

from dolq_core.terms.budget import spend
from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Sym, children

Key: TypeAlias = tuple[Any, ...]  # nested tuples of numbers and strings; same rank, same shape


def key(node: Expr) -> Key:
    """Return what `node` is sorted by: its factors as (base, exponent), numbers of parameters left out."""
    if isinstance(node, Mul):
        spend(len(node.parts))
        return tuple([_factor(part) for part in node.parts])
    return (_factor(node),)


def arranged(nodes: Iterable[Expr]) -> list[Expr]:
    """Return factors or summands in order; the numbers of parameters decide only where nothing else does."""
    ranked = sorted([(rank(node), k, node) for k, node in enumerate(nodes)], key=_first)
    if any([a[0] == b[0] for a, b in pairwise(ranked)]):
        ranked.sort(key=lambda each: (each[0], params_in(each[2])))
    return [node for _, _, node in ranked]


def rank(node: Expr) -> Key:
    """Return what a summand is sorted by: without its number, then the number, positive before negative."""
    if isinstance(node, Num):
        return (), abs(node.value), -node.value
    if isinstance(node, Mul) and isinstance(node.parts[0], Num):
        value = node.parts[0].value
        return tuple([_factor(part) for part in node.parts[1:]]), abs(value), -value
    return key(node), 1.0, -1.0


def _first(each: tuple[Key, int, Expr]) -> Key:
    return each[0]


def params_in(node: Expr) -> tuple[int, ...]:
    """Return the indices of all parameters in `node`, left to right, with repetitions."""
    if isinstance(node, (Sym, Num)):
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


def _base(node: Expr) -> Key:  # by frequency: this is most of the time that a normal form takes
    if isinstance(node, Sym):
        return _natural(node.name)
    if isinstance(node, Param):
        return (1,)
    spend(2)
    if isinstance(node, Call):
        return 4, node.name, key(node.arg)
    if isinstance(node, Add):
        return 5, tuple([rank(part) for part in node.parts])
    if isinstance(node, Num):
        return 0, node.value
    if isinstance(node, Pow):
        return 3, key(node.base), key(node.exponent)
    return 6, key(node)


@lru_cache(maxsize=1024)
def _natural(name: str) -> Key:
    """Return a key that puts x2 before x10."""
    stem = name.rstrip("0123456789")
    return 2, stem, int(name[len(stem) :] or -1), name
