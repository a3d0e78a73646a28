"""How long a test waits for what must happen: so long that only what never happens fails, on any machine."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LONGEST_S = 900
SLOWEST = 10.0
"""Times that a processor may be slower than the one on which a bound of time was measured: what grows without bound
passes it all the same."""


def until(condition: Callable[[], T], seconds: float = LONGEST_S, every: float = 0.02, say: object = "") -> T:
    """Return what the condition gives once it is true; fail with `say`, or what it returns, when it never is."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, say() if callable(say) else say
        time.sleep(every)
    return found
