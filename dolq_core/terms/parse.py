"""From text to a term in normal form. Text is never evaluated."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from dolq_core.errors import TermError
from dolq_core.terms.arithmetic import Unfit
from dolq_core.terms.budget import bounded
from dolq_core.terms.expr import Expr, Num, Skeleton, Sym, walk
from dolq_core.terms.names import Names, safe_names
from dolq_core.terms.order import params_in
from dolq_core.terms.reader import check_degree, check_number, read_tree
from dolq_core.terms.reserved import RESERVED
from dolq_core.terms.skeleton import Normal, normal_form
from dolq_core.terms.source import MAX_LENGTH, Source, as_source

_LONGEST: Final = 10 * MAX_LENGTH
"""Characters of a skeleton. The program's own may be longer than a term: numbers stand in the place of parameters."""
MOST_READINGS: Final = 3
_SHORT: Final = 60  # a text this short keeps all limits on size


@dataclass(frozen=True, slots=True)
class ParsedTerm:
    """A term that was read.

    Attributes:
        text: as it was given.
        skeleton: its identity, and the text to evaluate.
        coefficient: the outer factor that was read off: `text` is coefficient * skeleton; 1.0 if it was a free one.
        params: number of inner parameters.
    """

    text: str
    skeleton: Skeleton
    coefficient: float
    params: int


def parse_term(text: str, names: Sequence[str] | Names, *, max_params: int = 8) -> ParsedTerm:
    """Return the term that `text` says in the variables `names` (own names or `Names`).

    Own names that are identifiers, own names in backticks, symbols, `t`, x0, x1 ... by position when no column is
    called so, numbers, + - * / **, functions with or without np. or math., params[k] (or p1, p2 ...) for numbers
    inside that are to be fitted, C for the free factor. Also what scientists write and can mean one thing only, such as
    x^2, 2x, x·y, |x|, sin x and x(t) (`dolq_core.terms.spelling`).

    Raises:
        TermError: with the character at fault, the reason and the way out.
    """
    known = names if isinstance(names, Names) else safe_names(names)
    return _parse(text, known, max_params)


@lru_cache(maxsize=8192)
def _parse(text: str, names: Names, max_params: int) -> ParsedTerm:
    source: Source | None = None
    try:
        with bounded():
            source = as_source(text, names.known)
            form = _settled(normal_form(read_tree(source.text, names.known)))
            _check(form, max_params)
    except Unfit as fault:
        position = fault.position or 0
        place = source.origin(position) if source else position
        raise TermError(text, fault.reason, fault.way_out, place) from None
    return ParsedTerm(text, form.skeleton, form.coefficient, form.params)


def _settled(form: Normal) -> Normal:
    """Return the form that reads as itself: with other numbers of its parameters, p1 - p0 is written as -(p0 - p1)."""
    for _ in range(MOST_READINGS if form.params > 1 else 0):
        again = normal_form(read_tree(form.skeleton, _Symbols()))
        if again.skeleton == form.skeleton:
            break
        form = replace(again, coefficient=form.coefficient * again.coefficient)
    return form


def _check(form: Normal, max_params: int) -> None:
    """Raise Unfit for a normal form that could not be read again, or with more than `max_params` parameters."""
    if form.params > max_params:
        raise Unfit(f"it has {form.params} inner parameters, and {max_params} is the limit", "Use fewer, or numbers")
    for node in walk(form.core):
        if isinstance(node, Num):
            check_number(node.value)
    check_degree(form.core)
    if len(form.skeleton) > MAX_LENGTH:
        raise Unfit("it is too long when written out", "Split it into separate terms")
    if len(form.skeleton) > _SHORT:
        read_tree(form.skeleton, _Symbols())


class _Symbols(dict[str, str]):
    """Every symbol stands for itself: for text that is canonical already."""

    def __contains__(self, name: object) -> bool:
        return name == "t" or name not in RESERVED

    def __missing__(self, name: str) -> str:
        return name


@lru_cache(maxsize=4096)
def read(skeleton: Skeleton) -> Expr:
    """Return the tree of a skeleton. The same limits hold as for any text.

    Raises:
        TermError: for text that is no skeleton.
    """
    if len(skeleton) > _LONGEST:
        raise TermError(skeleton, f"it has {len(skeleton)} characters, and {_LONGEST} is the limit", "")
    try:
        return read_tree(skeleton, _Symbols())
    except Unfit as fault:
        raise TermError(skeleton, fault.reason, fault.way_out, fault.position) from None


@lru_cache(maxsize=4096)
def count_params(skeleton: Skeleton) -> int:
    """Return the number of inner parameters."""
    return len(set(params_in(read(skeleton))))


@lru_cache(maxsize=4096)
def variables(skeleton: Skeleton) -> frozenset[str]:
    """Return the symbols that occur, `t` among them."""
    return frozenset(node.name for node in walk(read(skeleton)) if isinstance(node, Sym))
