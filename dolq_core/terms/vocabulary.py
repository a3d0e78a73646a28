"""What a term may say besides names: functions with their aliases, and constants."""

import math
from collections.abc import Callable
from functools import partial
from typing import Final

from dolq_core.terms.arithmetic import FUNCTIONS, Unfit
from dolq_core.terms.expr import ONE, Expr, Num, add, call, invert, multiply, negate, power, walk

MODULES: Final = frozenset({"np", "numpy", "math"})
CONSTANTS: Final = {"pi": math.pi, "e": math.e}
SHOWN: Final = (
    "sin, cos, tan, exp, log, sqrt, abs, sign, sinh, cosh, tanh, asin, acos, atan, sigmoid, asinh, step, max, min"
)

_LARGEST_COPY: Final = 60  # nodes; a function that writes its argument twice must not be nested without end


def _sigmoid(arg: Expr) -> Expr:
    return invert(add(ONE, call("exp", negate(arg))))


def _cbrt(arg: Expr) -> Expr:
    return multiply(call("sign", _small(arg, "cbrt")), power(call("abs", arg), Num(1 / 3)))


def _small(arg: Expr, name: str) -> Expr:
    if sum(1 for _ in walk(arg)) > _LARGEST_COPY:
        raise Unfit(f"the argument of {name} is too large", "Use a smaller one")
    return arg


def _asinh(arg: Expr) -> Expr:
    root = power(add(power(_small(arg, "asinh"), Num(2.0)), ONE), Num(0.5))
    return call("log", add(arg, root))


def _acosh(arg: Expr) -> Expr:
    root = power(add(power(_small(arg, "acosh"), Num(2.0)), Num(-1.0)), Num(0.5))
    return call("log", add(arg, root))


def _atanh(arg: Expr) -> Expr:
    ratio = multiply(add(ONE, _small(arg, "atanh")), invert(add(ONE, negate(arg))))
    return multiply(Num(0.5), call("log", ratio))


def _step(arg: Expr) -> Expr:
    return multiply(Num(0.5), add(ONE, call("sign", arg)))


def _extreme(name: str, sign: float) -> Callable[[Expr, Expr], Expr]:
    def extreme(left: Expr, right: Expr) -> Expr:
        apart = call("abs", add(_small(left, name), negate(_small(right, name))))
        return multiply(Num(0.5), add(add(left, right), multiply(Num(sign), apart)))

    return extreme


def _scaled_log(scale: float) -> Callable[[Expr], Expr]:
    return lambda arg: multiply(Num(scale), call("log", arg))


ONE_ARGUMENT: Final[dict[str, Callable[[Expr], Expr]]] = {
    **{name: partial(call, name) for name in FUNCTIONS},
    "ln": partial(call, "log"),
    "arcsin": partial(call, "asin"),
    "arccos": partial(call, "acos"),
    "arctan": partial(call, "atan"),
    "absolute": partial(call, "abs"),
    "fabs": partial(call, "abs"),
    "log10": _scaled_log(1 / math.log(10)),
    "log2": _scaled_log(1 / math.log(2)),
    "log1p": lambda arg: call("log", add(ONE, arg)),
    "expm1": lambda arg: add(call("exp", arg), Num(-1.0)),
    "sqrt": lambda arg: power(arg, Num(0.5)),
    "square": lambda arg: power(arg, Num(2.0)),
    "cbrt": _cbrt,
    "reciprocal": invert,
    "asinh": _asinh,
    "acosh": _acosh,
    "atanh": _atanh,
    "arcsinh": _asinh,
    "arccosh": _acosh,
    "arctanh": _atanh,
    "heaviside": _step,
    "step": _step,
    "sigmoid": _sigmoid,
    "expit": _sigmoid,
}

TWO_ARGUMENTS: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    "power": power,
    "pow": power,
    **{name: _extreme(name, 1.0) for name in ("max", "maximum", "fmax")},
    **{name: _extreme(name, -1.0) for name in ("min", "minimum", "fmin")},
}
