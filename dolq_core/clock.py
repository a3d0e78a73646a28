"""A limit of time that a person sets. The search looks at the clock between its steps; without a limit nothing does.

A limit never changes what is found in time: it ends a search, and whoever set it says so.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic

ENDED = "The search was ended by the limit of time."
"""How it is said of an iteration, in the note of its proposal."""


class OutOfTime(Exception):
    """The limit has passed; what is under way is left as it is."""


_until: ContextVar[float | None] = ContextVar("until", default=None)


@contextmanager
def limited(seconds: float | None) -> Generator[None]:
    """Set a limit for what is done inside, by this thread; None sets none. A limit around it holds as well."""
    outer = _until.get()
    ends = [one for one in (outer, None if seconds is None else monotonic() + seconds) if one is not None]
    token = _until.set(min(ends, default=None))
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
    until = _until.get()
    return inf if until is None else until - monotonic()


def is_late() -> bool:
    """Whether the limit has passed."""
    return left() < 0.0


def check() -> None:
    """Raise OutOfTime where the limit has passed."""
    if is_late():
        raise OutOfTime
