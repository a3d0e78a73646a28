"""The functions of the language, one a line with all that hangs on which it is, and arithmetic with numbers.

Numbers are floats that stay finite and real, and lose what is only rounding; what leaves them raises `Unfit`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from scipy.special import erf

from dolq_core.terms.limits import Unfit, finite

CLOSE: Final = 5e-16  # relative; two roundings of a double


@dataclass(frozen=True, slots=True)
class Function:
    """A function of one argument.

    Attributes:
        number: its value at a number, by Python's own mathematics, which raises where there is none.
        array: its values in an array.
        kind: what a person calls such terms (`kinds`).
        latex: its name in LaTeX; empty where `show` has a notation of its own.
        symmetry: whether f(-u) is -f(u) or f(u).
        positive: whether it is never negative.
    """

    number: Callable[[float], float]
    array: np.ufunc
    kind: Literal["angle", "exponential", "logarithm", "size"]
    latex: str = ""
    symmetry: Literal["odd", "even", ""] = ""
    positive: bool = False


FUNCTIONS: Final[dict[str, Function]] = {
    "sin": Function(math.sin, np.sin, "angle", r"\sin", "odd"),
    "cos": Function(math.cos, np.cos, "angle", r"\cos", "even"),
    "tan": Function(math.tan, np.tan, "angle", r"\tan", "odd"),
    "exp": Function(math.exp, np.exp, "exponential", positive=True),
    "log": Function(math.log, np.log, "logarithm", r"\ln"),
    "abs": Function(abs, np.abs, "size", positive=True),
    "sign": Function(lambda v: math.copysign(1.0, v) if v else 0.0, np.sign, "size", r"\operatorname{sign}"),
    "sinh": Function(math.sinh, np.sinh, "exponential", r"\sinh", "odd"),
    "cosh": Function(math.cosh, np.cosh, "exponential", r"\cosh", "even", positive=True),
    "tanh": Function(math.tanh, np.tanh, "exponential", r"\tanh", "odd"),
    "asin": Function(math.asin, np.arcsin, "angle", r"\arcsin", "odd"),
    "acos": Function(math.acos, np.arccos, "angle", r"\arccos"),
    "atan": Function(math.atan, np.arctan, "angle", r"\arctan", "odd"),
    "erf": Function(math.erf, erf, "exponential", r"\operatorname{erf}", "odd"),
}
"""sqrt is a power, and further names stand for expressions of these (`reader`)."""


def tidy(value: float, size: float = 0.0) -> float:
    """Return the decimal or fraction that `value` misses by rounding only, so that 0.1*3 is 0.3.

    `size` is that of the largest number that `value` was computed from, when something cancelled.
    """
    size = max(abs(value), size)
    if size == 0.0:
        return value
    digits = 10 - math.floor(math.log10(size))  # coarse, so that few numbers are near a decimal by chance
    for divisor in (1, 3, 7, 9, 11):
        near = round(value * divisor, digits) / divisor
        if abs(near - value) <= CLOSE * size:
            return near
    return value


def multiplied(left: float, right: float) -> float:
    """Return left * right for numbers."""
    return left * right if abs(left) == 1.0 or abs(right) == 1.0 else tidy(finite(left * right))


def summed(left: float, right: float) -> float:
    """Return left + right for numbers, zero where they cancel but for rounding."""
    value, size = finite(left + right), max(abs(left), abs(right))
    return 0.0 if abs(value) <= CLOSE * size else tidy(value, size)


def number_power(base: float, exponent: float) -> float:
    """Return base**exponent for numbers, never complex."""
    if base == 0.0 and exponent < 0.0:
        raise Unfit("it divides by zero")
    try:
        value = math.pow(base, exponent)
    except OverflowError:
        return finite(math.inf)
    except ValueError:
        raise Unfit(f"({base:g})**({exponent:g}) is not a real number") from None
    if value == 0.0 and base != 0.0:
        raise Unfit("a number in it is too small to be told from zero", "Use larger numbers or smaller exponents")
    return value


def number_call(name: str, value: float) -> float:
    """Return the function `name` at a number."""
    try:
        return finite(FUNCTIONS[name].number(value))
    except (OverflowError, ValueError):
        raise Unfit(f"{name}({value:g}) is not a finite number") from None
