"""The law as SymPy's equations, built from its terms."""

# SymPy has no stubs, and is imported where it is asked for:
# pyright: reportMissingTypeStubs=false, reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from dolq_core.export.expressions import identifiers
from dolq_core.export.law import Law
from dolq_core.terms import Skeleton, read
from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Pow, Sym
from dolq_core.terms.show import with_numbers

Symbolic: TypeAlias = Any
"""An expression of SymPy."""


def equations(law: Law) -> list[Symbolic]:
    """Return one `Eq` for each state, in functions of time; every number in full precision."""
    import sympy as sp  # noqa: PLC0415

    t = sp.Symbol("t", real=True)
    names = identifiers(law.names, ())
    leaves = {symbol: sp.Function(name)(t) for symbol, name in names.items()} | {"t": t}
    found: list[Symbolic] = []
    for fit, state in zip(law.fits, law.dataset.states, strict=True):
        rate = sp.Add(*(sp.Float(one.coefficient) * expression(one.skeleton, one.inner, leaves) for one in fit.terms))
        found.append(sp.Eq(leaves[state.symbol].diff(t), rate))
    return found


def expression(skeleton: Skeleton, inner: Sequence[float], leaves: Mapping[str, Symbolic]) -> Symbolic:
    """Return a term; `leaves` has what stands for each of its variables and for t."""
    return _built(with_numbers(read(skeleton), inner), leaves)


def _built(node: Expr, leaves: Mapping[str, Symbolic]) -> Symbolic:
    import sympy as sp  # noqa: PLC0415

    match node:
        case Num(value):
            return sp.Rational(value) if (2.0 * value).is_integer() else sp.Float(value)
        case Sym(name):
            return leaves[name]
        case Add(parts):
            return sp.Add(*(_built(part, leaves) for part in parts))
        case Mul(parts):
            return sp.Mul(*(_built(part, leaves) for part in parts))
        case Pow(base, exponent):
            return sp.Pow(_built(base, leaves), _built(exponent, leaves))
        case Call(name, arg):
            return getattr(sp, "Abs" if name == "abs" else name)(_built(arg, leaves))
        case _:
            raise TypeError(f"SymPy has no form of {node!r}")
