"""A limit of time that a person sets. The search looks at the clock between its steps; without a limit nothing does.

A limit never changes what is found in time: it ends a search, and whoever set it says so. Time passes by the clock on
the wall, or while the processor works for this thread: then a busy computer takes longer, and searches no less.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic, thread_time

ENDED = "The search was ended by the limit of time."
"""How it is said of an iteration, in the note of its proposal."""


class OutOfTime(Exception):
    """The limit has passed; what is under way is left as it is."""


_until: ContextVar[tuple[float, float]] = ContextVar("until", default=(inf, inf))
"""Where `monotonic` and `thread_time` stand when the limit has passed."""


@contextmanager
def limited(seconds: float | None, *, of_work: bool = False) -> Generator[None]:
    """Set a limit for what is done inside, by this thread; None sets none. A limit around it holds as well.

    of_work: only the time counts in which a processor works for this thread.
    """
    wall, work = _until.get()
    if seconds is not None and of_work:
        work = min(work, thread_time() + seconds)
    elif seconds is not None:
        wall = min(wall, monotonic() + seconds)
    token = _until.set((wall, work))
    try:
        yield
    finally:
        _until.reset(token)


@contextmanager
def part(share: float) -> Generator[None]:
    """Give what is done inside a share of the time that is left."""
    seconds = left()
    with limited(None if seconds == inf else share * max(seconds, 0.0)):
        yield


def left() -> float:
    """Return the seconds until the limit, inf without one."""
    wall, work = _until.get()
    return min(wall - monotonic() if wall < inf else inf, work - thread_time() if work < inf else inf)


def is_late() -> bool:
    """Whether the limit has passed."""
    return left() < 0.0


def check() -> None:
    """Raise OutOfTime where the limit has passed."""
    if is_late():
        raise OutOfTime
