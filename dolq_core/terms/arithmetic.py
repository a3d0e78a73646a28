"""Arithmetic with the numbers of a term: floats that stay finite and real, and lose what is only rounding."""

import math
from collections.abc import Callable
from typing import Final

MAX_EXPONENT: Final = 12
CLOSE: Final = 5e-16  # relative; two roundings of a double

FUNCTIONS: Final[dict[str, Callable[[float], float]]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "exp": math.exp,
    "log": math.log,
    "abs": abs,
    "sign": lambda value: math.copysign(1.0, value) if value else 0.0,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
}


class Unfit(ArithmeticError):
    """What is wrong with an expression, before it is known whose text it is.

    `reason` and `way_out` as in `DolqError`; `position` is an index in the text that Python reads, None for all of it.
    """

    def __init__(self, reason: str, way_out: str = "", position: int | None = None) -> None:
        super().__init__(reason, way_out, position)
        self.reason = reason
        self.way_out = way_out
        self.position = position


def check_exponent(value: float) -> None:
    """Raise Unfit when the size of an exponent is over MAX_EXPONENT."""
    if abs(value) > MAX_EXPONENT:
        raise Unfit(f"the exponent {value:g} is over {MAX_EXPONENT}", f"Use exponents up to {MAX_EXPONENT}")


def finite(value: float) -> float:
    """Return `value`; raise Unfit when it is not a finite number."""
    if not math.isfinite(value):
        raise Unfit("the numbers in it are too large for any data", "Use smaller numbers or exponents")
    return value


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
    """Return left * right for numbers; raise Unfit where it is not finite."""
    return left * right if abs(left) == 1.0 or abs(right) == 1.0 else tidy(finite(left * right))


def summed(left: float, right: float) -> float:
    """Return left + right for numbers, zero where they cancel but for rounding."""
    value, size = finite(left + right), max(abs(left), abs(right))
    return 0.0 if abs(value) <= CLOSE * size else tidy(value, size)


def number_power(base: float, exponent: float) -> float:
    """Return base**exponent for numbers, never complex; raise Unfit where it is not a finite number."""
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
    """Return the function `name` of FUNCTIONS at a number; raise Unfit where it is not a finite number."""
    try:
        return finite(FUNCTIONS[name](value))
    except (OverflowError, ValueError):
        raise Unfit(f"{name}({value:g}) is not a finite number") from None
