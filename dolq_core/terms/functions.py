"""The functions of the language, one a line with all that hangs on which it is; a new one needs no other place here."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np


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
}
"""sqrt is a power, and further names stand for expressions of these (`reader`)."""
