"""Saturating rates, such as those of Michaelis and Menten or Hill: which terms are, and what drives them."""

from collections.abc import Sequence

from dolq_core.terms import Skeleton, read
from dolq_core.terms.expr import Add, Expr, Mul, Num, Pow, Sym
from dolq_core.terms.show import with_numbers


def drives(skeleton: Skeleton, inner: Sequence[float]) -> set[str] | None:
    """Return the symbols that the rate is proportional to, or grows with by a power; None where it is no such rate.

    A rate is a product of powers of symbols over sums of numbers and powers, every number in it positive: it is
    zero without what drives it, and nowhere infinite.
    """
    tree = with_numbers(read(skeleton), inner)
    found = set[str]()
    for factor in tree.parts if isinstance(tree, Mul) else (tree,):
        match factor:
            case Sym(name):
                found.add(name)
            case Pow(Sym(name), Num(value)) if value > 0.0:
                found.add(name)
            case Pow(Add() as below, Num(value)) if value < 0.0 and _is_bounded(below):
                pass
            case Num() | Pow(Num(), Num()) if _is_positive(factor):
                pass
            case _:
                return None
    return found


def _is_bounded(node: Expr) -> bool:
    """Whether a node stays above zero wherever its symbols are not negative."""
    match node:
        case Num(value) | Pow(Num(value), Num()):
            return value > 0.0
        case Add(parts):
            return all(map(_is_positive, parts)) and any(map(_is_bounded, parts))
        case Mul(parts):
            return all(map(_is_bounded, parts))
        case _:
            return False


def _is_positive(node: Expr) -> bool:
    match node:
        case Num(value):
            return value > 0.0
        case Sym():
            return True
        case Pow(Num(base), Num()):
            return base > 0.0
        case Pow(base, Num(value)):
            return value > 0.0 and _is_positive(base)
        case Mul(parts) | Add(parts):
            return all(map(_is_positive, parts))
        case _:
            return False
