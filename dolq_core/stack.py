"""Memory for the frames of calls, taken once.

CPython keeps the frames of Python's calls in pieces of 16 KB. Where a piece ends just below a function that is called a
million times, as what a solver asks for rates is, each call takes a new piece from the system and gives it back: the
same work then lasts twice as long, or not, as one frame more lies below it. A frame that is large itself gets a piece
of its own, large enough for all above it.
"""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

SLOTS = 2**16
"""Of eight bytes: for more frames than Python's limit of recursion lets there be. What is not used takes no memory."""


def with_stack(work: Callable[[], T]) -> T:
    """Return what `work` returns; the frames of all that it calls lie in one piece."""
    return work()


with_stack.__code__ = with_stack.__code__.replace(co_stacksize=SLOTS)
