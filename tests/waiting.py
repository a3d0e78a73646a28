"""How long a test waits for what must happen: so long that only what never happens fails, on any machine."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LONGEST_S = 300


def until(condition: Callable[[], T], seconds: float = LONGEST_S, every: float = 0.02, say: object = "") -> T:
    """Return what the condition gives once it is true; fail with `say`, or what it returns, when it never is."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, say() if callable(say) else say
        time.sleep(every)
    return found
