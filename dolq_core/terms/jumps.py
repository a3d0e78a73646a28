"""Where a law jumps: the arguments of sign(..) in its terms, and the terms on either side of such a place."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from dolq_core.terms.evaluate import Values, values_of
from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Pow, Skeleton, Sym, params_in, walk
from dolq_core.terms.reader import read


def jumps_in(skeletons: Sequence[Skeleton]) -> tuple[Expr, ...]:
    """Return what stands in sign(..) in some terms, without numbers that are to be fitted."""
    calls = (node for skeleton in skeletons if "sign(" in skeleton for node in walk(read(skeleton)))
    found = (node.arg for node in calls if isinstance(node, Call) and node.name == "sign")
    return tuple(dict.fromkeys(arg for arg in found if not params_in(arg)))


def has_direction(skeletons: Sequence[Skeleton]) -> bool:
    """Whether a term is a part of a unit vector, as x/sqrt(x**2 + y**2): where that points at itself it jumps."""
    nodes = (node for skeleton in skeletons if "sqrt(" in skeleton for node in walk(read(skeleton)))
    return any(_is_distance(node) for node in nodes)


def _is_distance(node: Expr) -> bool:
    match node:
        case Pow(Pow(Add(parts), Num(0.5)), Num(-1.0)):
            return all(isinstance(part, Pow) and part.exponent == Num(2.0) for part in parts)
        case _:
            return False


@lru_cache(maxsize=4096)
def compile_sided(skeleton: Skeleton, symbols: tuple[str, ...], jumps: tuple[Expr, ...]) -> Values:
    """Return f(x, t, inner) as `compile_values`, with a row of x behind those of the symbols for each jump's sign."""
    sides = {arg: f"sign {k}" for k, arg in enumerate(jumps)}
    return values_of(_sided(read(skeleton), sides), (*symbols, *sides.values()))


def _sided(node: Expr, sides: Mapping[Expr, str]) -> Expr:
    match node:
        case Call("sign", arg) if arg in sides:
            return Sym(sides[arg])
        case Call(name, arg):
            return Call(name, _sided(arg, sides))
        case Pow(base, exponent):
            return Pow(_sided(base, sides), _sided(exponent, sides))
        case Add(parts) | Mul(parts):
            return type(node)(tuple(_sided(part, sides) for part in parts))
        case _:
            return node
