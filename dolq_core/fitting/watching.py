"""Who looks on while structures are fitted: a page shows how many there were, and the best of each size."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

from dolq_core.records import EquationFit

Look = Callable[[EquationFit | None], None]
"""Is given the fit of an equation; None where a whole system was fitted to the samples."""
_look: ContextVar[Look | None] = ContextVar("look", default=None)


@contextmanager
def watched(look: Look) -> Generator[None]:
    """Show every structure that is fitted inside, by this thread, to `look`; it changes nothing that is found."""
    token = _look.set(look)
    try:
        yield
    finally:
        _look.reset(token)


def seen(fit: EquationFit) -> EquationFit:
    """Show a fit to whoever looks on, and return it."""
    look = _look.get()
    if look is not None:
        look(fit)
    return fit


def count_system() -> None:
    """Tell whoever looks on that a whole system was fitted to the samples."""
    look = _look.get()
    if look is not None:
        look(None)
