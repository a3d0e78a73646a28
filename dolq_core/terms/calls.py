"""What may be called: the functions of the language, and those that stand for expressions of them."""

import math
from collections.abc import Callable
from functools import partial
from typing import Final

from dolq_core.terms.expr import ONE, Expr, Num, add, call, invert, multiply, negate, power, walk
from dolq_core.terms.functions import FUNCTIONS
from dolq_core.terms.limits import Unfit

SHOWN: Final = (
    "sin, cos, tan, exp, log, sqrt, abs, sign, sinh, cosh, tanh, asin, acos, atan, sigmoid, asinh, erf, erfc, step, "
    "max, min"
)
"""The functions that are named to a person or a model."""

_LARGEST_COPY: Final = 60  # nodes; a function that writes its argument twice must not be nested without end


def _small(arg: Expr, name: str) -> Expr:
    if len(walk(arg)) > _LARGEST_COPY:
        raise Unfit(f"the argument of {name} is too large", "Use a smaller one")
    return arg


def _root_of_square(arg: Expr, name: str, plus: float) -> Expr:
    """Return log(u + sqrt(u**2 + plus))."""
    root = power(add(power(_small(arg, name), Num(2.0)), Num(plus)), Num(0.5))
    return call("log", add(arg, root))


def _atanh(arg: Expr) -> Expr:
    ratio = multiply(add(ONE, _small(arg, "atanh")), invert(add(ONE, negate(arg))))
    return multiply(Num(0.5), call("log", ratio))


def _extreme(left: Expr, right: Expr, name: str, sign: float) -> Expr:
    apart = call("abs", add(_small(left, name), negate(_small(right, name))))
    return multiply(Num(0.5), add(add(left, right), multiply(Num(sign), apart)))


_RECIPROCALS: Final = {"sec": "cos", "csc": "sin", "cot": "tan", "sech": "cosh", "csch": "sinh", "coth": "tanh"}
_ALIASES: Final = {
    **{"ln": "log", "absolute": "abs", "fabs": "abs", "heaviside": "step", "expit": "sigmoid"},
    **{"lg": "log10", "sgn": "sign", "signum": "sign", "arsinh": "asinh", "arcosh": "acosh", "artanh": "atanh"},
    **{f"arc{name[1:]}": name for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh")},
}
_ONE: Final[dict[str, Callable[[Expr], Expr]]] = {
    **{name: partial(call, name) for name in FUNCTIONS},
    "log10": lambda arg: multiply(Num(1 / math.log(10)), call("log", arg)),
    "log2": lambda arg: multiply(Num(1 / math.log(2)), call("log", arg)),
    "log1p": lambda arg: call("log", add(ONE, arg)),
    "expm1": lambda arg: add(call("exp", arg), Num(-1.0)),
    "sqrt": lambda arg: power(arg, Num(0.5)),
    "square": lambda arg: power(arg, Num(2.0)),
    "cbrt": lambda arg: multiply(call("sign", _small(arg, "cbrt")), power(call("abs", arg), Num(1 / 3))),
    "reciprocal": invert,
    **{name: lambda arg, of=of: invert(call(of, arg)) for name, of in _RECIPROCALS.items()},
    "relu": lambda arg: _extreme(arg, Num(0.0), "relu", 1.0),
    "step": lambda arg: multiply(Num(0.5), add(ONE, call("sign", arg))),
    "sigmoid": lambda arg: invert(add(ONE, call("exp", negate(arg)))),
    "erfc": lambda arg: add(ONE, negate(call("erf", arg))),
    "asinh": lambda arg: _root_of_square(arg, "asinh", 1.0),
    "acosh": lambda arg: _root_of_square(arg, "acosh", -1.0),
    "atanh": _atanh,
}
ONE_ARGUMENT: Final = _ONE | {alias: _ONE[name] for alias, name in _ALIASES.items()}
TWO_ARGUMENTS: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    "power": power,
    "pow": power,
    **{name: partial(_extreme, name=name, sign=1.0) for name in ("max", "maximum", "fmax")},
    **{name: partial(_extreme, name=name, sign=-1.0) for name in ("min", "minimum", "fmin")},
}
