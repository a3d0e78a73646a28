"""What a term may say besides names: functions with their aliases, and constants."""

import math
from collections.abc import Callable
from functools import partial
from typing import Final

from dolq_core.terms.arithmetic import FUNCTIONS, Unfit
from dolq_core.terms.expr import ONE, Expr, Num, add, call, invert, multiply, negate, power, walk

MODULES: Final = frozenset({"np", "numpy", "math"})
CONSTANTS: Final = {"pi": math.pi, "e": math.e}
SHOWN: Final = "sin, cos, tan, exp, log, sqrt, abs, sign, sinh, cosh, tanh, asin, acos, atan, sigmoid"

_LARGEST_COPY: Final = 60  # nodes; a function that writes its argument twice must not be nested without end


def _sigmoid(arg: Expr) -> Expr:
    return invert(add(ONE, call("exp", negate(arg))))


def _cbrt(arg: Expr) -> Expr:
    if sum(1 for _ in walk(arg)) > _LARGEST_COPY:
        raise Unfit("the argument of cbrt is too large", "Use a smaller one")
    return multiply(call("sign", arg), power(call("abs", arg), Num(1 / 3)))


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
    "sigmoid": _sigmoid,
    "expit": _sigmoid,
}

TWO_ARGUMENTS: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {"power": power, "pow": power}
