"""What is asked of every one of several things: of none at all it does not hold, so that no test passes unlooked."""

from collections.abc import Iterable


def every(answers: Iterable[object]) -> bool:
    """Whether there are answers, and all of them are yes."""
    found = list(answers)
    assert found, "there was nothing to look at"
    return all(found)


def none(answers: Iterable[object]) -> bool:
    """Whether there are answers, and all of them are no."""
    return every(not answer for answer in answers)
