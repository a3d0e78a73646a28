"""Terms as content MathML, the formulas of SBML, numbers in full precision."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dolq_core.terms import Skeleton, read
from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Pow, Sym
from dolq_core.terms.show import with_numbers

TIME: Final = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">t</csymbol>'
_NAMED: Final = {"log": "ln", "asin": "arcsin", "acos": "arccos", "atan": "arctan"}
UNKNOWN: Final = frozenset({"erf"})
"""Functions that SBML has no word for."""


def mathml(skeleton: Skeleton, inner: Sequence[float], symbols: Mapping[str, str]) -> str:
    """Return a term; `symbols` says what its variables are called."""
    return "".join(_written(with_numbers(read(skeleton), inner), symbols))


def number(value: float) -> str:
    """Return a number."""
    shown = repr(float(value))
    if "e" not in shown:
        return f"<cn>{shown}</cn>"
    mantissa, exponent = shown.split("e")
    return f'<cn type="e-notation">{mantissa}<sep/>{int(exponent)}</cn>'


def unknown(skeleton: Skeleton) -> str:
    """Return the function of a term that SBML has no word for; empty for none."""
    return next((name for name in _called(read(skeleton)) if name in UNKNOWN), "")


def interpolated(t: Sequence[float], values: Sequence[float]) -> str:
    """Return samples as a function of time: straight between them, constant before and after."""
    pieces = [f"<piece>{number(values[0])}<apply><lt/>{TIME}{number(t[0])}</apply></piece>"]
    for k in range(len(t) - 1):
        slope = (values[k + 1] - values[k]) / (t[k + 1] - t[k])
        since = f"<apply><minus/>{TIME}{number(t[k])}</apply>"
        line = f"<apply><plus/>{number(values[k])}<apply><times/>{number(slope)}{since}</apply></apply>"
        until = f"<apply><lt/>{TIME}{number(t[k + 1])}</apply>"
        pieces.append(f"<piece>{line if slope else number(values[k])}{until}</piece>")
    return f"<piecewise>{''.join(pieces)}<otherwise>{number(values[-1])}</otherwise></piecewise>"


def _called(node: Expr) -> Iterator[str]:
    match node:
        case Call(name, arg):
            yield name
            yield from _called(arg)
        case Add(parts) | Mul(parts):
            for part in parts:
                yield from _called(part)
        case Pow(base, exponent):
            yield from _called(base)
            yield from _called(exponent)
        case _:
            pass


def _written(node: Expr, symbols: Mapping[str, str]) -> Iterator[str]:
    match node:
        case Num(value):
            yield number(value)
        case Sym("t"):
            yield TIME
        case Sym(name):
            yield f"<ci>{symbols[name]}</ci>"
        case Add(parts) | Mul(parts):
            yield f"<apply><{'plus' if isinstance(node, Add) else 'times'}/>"
            for part in parts:
                yield from _written(part, symbols)
            yield "</apply>"
        case Pow(base, exponent):
            yield "<apply><power/>"
            yield from _written(base, symbols)
            yield from _written(exponent, symbols)
            yield "</apply>"
        case Call("sign", arg):
            inside = "".join(_written(arg, symbols))
            above, below = (f"<apply><{word}/>{inside}<cn>0</cn></apply>" for word in ("gt", "lt"))
            yield f"<piecewise><piece><cn>1</cn>{above}</piece><piece><cn>-1</cn>{below}</piece>"
            yield "<otherwise><cn>0</cn></otherwise></piecewise>"
        case Call(name, arg):
            yield f"<apply><{_NAMED.get(name, name)}/>"
            yield from _written(arg, symbols)
            yield "</apply>"
        case _:
            raise TypeError(f"no formula has {node!r} in it")
