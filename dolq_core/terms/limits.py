"""What a term may be at most, and what reading it may cost.

The cost is counted in steps, so that no text takes long, on any machine: looks at the parts of a tree that is brought
into order. A tree is looked at again for each sum that holds it, and for each order of parameters that can be
exchanged, so limits on its size alone bound nothing.
"""

import math
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

MAX_LENGTH: Final = 200
MAX_BRACKETS: Final = 40
MAX_DEPTH: Final = 60
MAX_NODES: Final = 150
MAX_EXPONENT: Final = 12
MAX_INDEX: Final = 99
MAX_ORDERS: Final = 720
LARGEST: Final = 1e30
SMALLEST: Final = 1e-30
MAX_STEPS: Final = 4_000
"""Steps of one text, of 2 to 8 us each on the machine of docs/results; a usual term takes 100."""
MAX_STEPS_OF_MANY: Final = 6_000
"""Steps of an equation or a law."""
_FLOATS: Final = 1e300  # a whole number of Python may be larger than any float


class Unfit(ArithmeticError):
    """What is wrong with an expression, before it is known whose text it is.

    `reason` and `way_out` as in `DolqError`; `position` is an index in the text that Python reads, None for all of it.
    """

    def __init__(self, reason: str, way_out: str = "", position: int | None = None) -> None:
        super().__init__(reason, way_out, position)
        self.reason, self.way_out, self.position = reason, way_out, position


class Unknown(Unfit):
    """A name that stands for nothing; `near` asks for the known name that may be meant, or is empty."""

    def __init__(self, name: str, near: str, known: str, position: int | None = None) -> None:
        super().__init__(f"'{name}' is not known", f"{near}{known}", position)
        self.near = near


def check_exponent(value: float) -> None:
    """Raise Unfit when the size of an exponent is over MAX_EXPONENT."""
    if abs(value) > MAX_EXPONENT:
        raise Unfit(f"the exponent {value:g} is over {MAX_EXPONENT}", f"Use exponents up to {MAX_EXPONENT}")


def check_number(value: float) -> None:
    """Raise Unfit for a number that no data can tell from zero or infinity."""
    if value and not SMALLEST <= abs(value) <= LARGEST:
        shown = f"the number {value:g}" if abs(value) < _FLOATS else f"a number of {len(str(value))} digits"
        raise Unfit(f"{shown} is out of range", f"Use numbers from {SMALLEST:g} to {LARGEST:g}")


def finite(value: float) -> float:
    """Return `value`; raise Unfit when it is not a finite number."""
    if not math.isfinite(value):
        raise Unfit("the numbers in it are too large for any data", "Use smaller numbers or exponents")
    return value


class _Left(threading.local):
    steps: float = math.inf


_left = _Left()


@contextmanager
def bounded(steps: int = MAX_STEPS) -> Generator[None]:
    """Allow so many steps to what is done inside; within another, the steps of that go on to count."""
    if _left.steps != math.inf:
        yield
        return
    _left.steps = steps
    try:
        yield
    finally:
        _left.steps = math.inf


def spend(steps: int) -> None:
    """Count steps; raise Unfit where there are none left."""
    _left.steps -= steps
    if _left.steps < 0:
        raise Unfit("it takes too long to bring into order", "Use fewer sums inside products, or split it into terms")
