"""Where a law jumps or turns: what stands in sign(..) or abs(..), and the law on either side of such a place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dolq_core.arrays import Floats
from dolq_core.terms.evaluate import FittedPart, Rhs, Values, rhs_of, values_of
from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Pow, Skeleton, Sym, params_in, walk
from dolq_core.terms.reader import read


def jumps_in(skeletons: Sequence[Skeleton]) -> tuple[Expr, ...]:
    """Return what stands in sign(..) in some terms, without numbers that are to be fitted."""
    calls = (node for skeleton in skeletons if "sign(" in skeleton for node in walk(read(skeleton)))
    found = (node.arg for node in calls if isinstance(node, Call) and node.name == "sign")
    return tuple(dict.fromkeys(arg for arg in found if not params_in(arg)))


def turns_in(skeletons: Sequence[Skeleton]) -> tuple[Expr, ...]:
    """Return the same of laws that are to be followed past their kinks too: abs(..) as it is, or times something."""
    factors = (node for skeleton in skeletons if "abs(" in skeleton for node in _factors(read(skeleton)))
    found = (node.arg for node in factors if isinstance(node, Call) and node.name == "abs")
    return tuple(dict.fromkeys((*jumps_in(skeletons), *(arg for arg in found if not params_in(arg)))))


def _factors(node: Expr) -> tuple[Expr, ...]:
    return node.parts if isinstance(node, Mul) else (node,)


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
    parts = [part for factor in _factors(read(skeleton)) for part in _on_side(factor, sides)]
    return values_of(Mul(tuple(parts)) if len(parts) > 1 else parts[0], (*symbols, *sides.values()))


def _on_side(factor: Expr, sides: Mapping[Expr, str]) -> tuple[Expr, ...]:
    match factor:
        case Call("abs", arg) if arg in sides:
            return Sym(sides[arg]), _sided(arg, sides)
        case _:
            return (_sided(factor, sides),)


def compile_rhs(equations: Sequence[Sequence[FittedPart]], symbols: tuple[str, ...]) -> Rhs:
    """Return f(t, x) -> dx as a list, for equations of (skeleton, coefficient, inner parameters).

    `Switched` where the law jumps. x has a value for each of `symbols`. No point raises: the value is NaN or infinite,
    as NumPy has it.
    """
    parts = [[(read(skeleton), factor, inner) for skeleton, factor, inner in terms] for terms in equations]
    whole = rhs_of(parts, symbols)
    jumps = jumps_in([skeleton for terms in equations for skeleton, _, _ in terms])
    if not jumps:
        return whole
    sides = {arg: f"sign {k}" for k, arg in enumerate(jumps)}
    apart = [[(_sided(tree, sides), factor, inner) for tree, factor, inner in terms] for terms in parts]
    gaps = rhs_of([[(arg, 1.0, ())] for arg in jumps], symbols)
    return Switched(whole, gaps, rhs_of(apart, (*symbols, *sides.values())))


@dataclass(frozen=True, slots=True)
class Switched:
    """The right-hand side of a law that jumps, by itself and on given sides of its jumps.

    whole, gaps: of (t, x): the right-hand side, and what stands in each sign(..); sided: of (t, x and the signs).
    """

    whole: Rhs
    gaps: Rhs
    sided: Rhs

    def __call__(self, t: float, x: Sequence[float] | Floats) -> list[float]:
        """Return dx as a list."""
        return self.whole(t, x)


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
