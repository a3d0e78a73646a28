"""What is promised of every string that is read as a term, and how it is weighed.

Whatever a stranger writes becomes arithmetic or is refused in words: nothing is executed, imported or opened, no other
error leaves the reader, what is accepted reads again as itself and has a number for every sample, and no string costs
more than LONGEST_MS of processor time or MOST_MB of memory.
"""

import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from dolq_core.errors import TermError
from dolq_core.terms import (
    ParsedTerm,
    compile_columns,
    count_params,
    parse_equation,
    parse_formula,
    parse_term,
    read,
    read_law,
    safe_names,
)
from tests.terms.test_hostile import LISTENING

LONGEST_MS, MOST_MB = 50.0, 50.0
Reader: TypeAlias = Callable[[str], object]
NAMES = safe_names(("x0", "temp (°C)", "λ"))
X, T = np.array([[0.5, -1.0], [2.0, 1e200], [0.0, 3.0]]), np.array([0.0, 1.0])


@dataclass(frozen=True, slots=True)
class Weighed:
    """What one string did. faults: what is broken, in words; ms: of processor time; mb: the largest at any moment."""

    reader: str
    text: str
    refused: bool
    faults: tuple[str, ...]
    ms: float
    mb: float = 0.0


def _term(text: str) -> ParsedTerm:
    """Read a term, and hold what is accepted to be arithmetic that reads again as itself."""
    term = parse_term(text, NAMES)
    again = parse_term(term.skeleton, NAMES).skeleton
    if again != term.skeleton:
        raise AssertionError(f"its skeleton {term.skeleton!r} reads as {again!r}")
    values = compile_columns(term.skeleton, NAMES.symbols)(X, T, (1.0,) * count_params(term.skeleton))
    if values.shape != T.shape or values.dtype != float:
        raise AssertionError(f"its values are {values.shape} of {values.dtype}")
    return term


READERS: Mapping[str, Reader] = {
    "term": _term,
    "equation": lambda text: parse_equation(text, NAMES, 0),
    "formula": lambda text: parse_formula(text, NAMES)[1](X, T, ()),
    "law": lambda text: read_law(text, NAMES),
    "skeleton": read,
}


def tried(name: str, text: str, readers: Mapping[str, Reader] = READERS) -> Weighed:
    """Read a string once and say what does not hold; its memory is not looked at."""
    faults: list[str] = []
    refused = False
    with LISTENING as heard:
        began = time.thread_time()
        try:
            readers[name](text)
        except TermError as error:
            refused = True
            faults += _said(error)
        except Exception as error:  # noqa: BLE001  any other error is what is looked for
            faults.append(f"{type(error).__name__}: {error}"[:200])
        ms = 1000.0 * (time.thread_time() - began)
    faults += [f"did more than compute: {event}" for event in dict.fromkeys(heard)]
    if ms > LONGEST_MS:
        faults.append(f"took over {LONGEST_MS:.0f} ms")
    return Weighed(name, text, refused, tuple(faults), ms)


def _said(error: TermError) -> Iterator[str]:
    if not error.reason.strip():
        yield "refused without a reason"
    try:
        str(error).encode("utf-8")
    except UnicodeEncodeError:
        yield "refused in words that cannot be stored or shown"


def weighed(name: str, text: str, readers: Mapping[str, Reader] = READERS) -> Weighed:
    """Read a string twice: for what it does and the time that takes, and for its memory (tracemalloc is slow)."""
    first = tried(name, text, readers)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    tried(name, text + " ", readers)  # the readers remember the string itself
    mb = (tracemalloc.get_traced_memory()[1] - before) / 1e6
    tracemalloc.stop()
    over = (f"took over {MOST_MB:.0f} MB",) * (mb > MOST_MB)
    return Weighed(name, text, first.refused, (*first.faults, *over), first.ms, mb)
