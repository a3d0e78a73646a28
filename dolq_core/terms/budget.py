"""What reading one text may cost: steps are counted, so that no text takes long, on any machine.

The steps are those of what takes the time: looks at the parts of a tree that is brought into order. A tree is looked at
again for each sum that holds it, and for each order of parameters that can be exchanged, so limits on its size alone
bound nothing.
"""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from dolq_core.terms.arithmetic import Unfit

MOST: Final = 4_000
"""Steps of one text, of 2 to 8 us each on the machine of docs/results; a usual term takes 100."""


MOST_OF_MANY: Final = 6_000
"""Steps of an equation or a law."""


class _Left(threading.local):
    steps: float = float("inf")


_left = _Left()


@contextmanager
def bounded(steps: int = MOST) -> Generator[None]:
    """Allow so many steps to what is done inside; within another, the steps of that go on to count."""
    if _left.steps != float("inf"):
        yield
        return
    _left.steps = steps
    try:
        yield
    finally:
        _left.steps = float("inf")


def spend(steps: int) -> None:
    """Count steps; raise Unfit where there are none left."""
    _left.steps -= steps
    if _left.steps < 0:
        raise Unfit("it takes too long to bring into order", "Use fewer sums inside products, or split it into terms")
