"""From text to terms in normal form: one term, a whole equation, a law with all its numbers, or a formula."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, TypeVar

from dolq_core.errors import TermError
from dolq_core.terms.evaluate import Column, compile_tree
from dolq_core.terms.expr import Expr, Num, Skeleton, Sym, params_in, walk
from dolq_core.terms.limits import MAX_INDEX, MAX_LENGTH, MAX_STEPS_OF_MANY, Unfit, Unknown, bounded, check_number
from dolq_core.terms.names import Names, safe_names, without_unit
from dolq_core.terms.reader import SYMBOLS, check_degree, read_tree
from dolq_core.terms.skeleton import Normal, normal_form
from dolq_core.terms.spelling import Source, as_source, without_headings, written_out

MAX_READINGS: Final = 3
FITTED: Final = {False: "params[0]", True: "a letter, such as k, k1, Km, Ta or alpha (not C, d, e, p, t, x, y or z)"}
"""How a number that is to be fitted can be written, without letters and with them."""
MAX_EQUATION: Final = 2000
MAX_LAW: Final = 4000
"""Characters of a law: twice an equation's, for the digits of its numbers."""
_SHORT: Final = 60  # a text this short keeps all limits on size
_RATES: Final = (
    "d{x}/dt d({x})/dt d[{x}]/dt d{x}(t)/dt d/dt{x} d/dt({x}) (d{x}/dt) {x}' {x}'(t) {x}\u0307 {x}_dot {x}dot dot({x}) "
    "D({x}) diff({x},t) d{x}dt \\dot{{{x}}} \\frac{{d{x}}}{{dt}}"
).split()
"""Ways to write the rate of x, without blanks, typographic signs and a time of another name."""
_TIME: Final = re.compile(r"/d\w++")
_TYPED: Final = str.maketrans("∂′’˙−–", "d''\u0307--")
_BARE_T: Final = re.compile(r"(?<![\w.])`?t`?(?!\w)(?<!\w\(t)")
_SIGN: Final = re.compile(r"`[^`]*`|(?<![\w.])[\d.]+[eE][+-]\d+|[-+()\[\]]")
"""What is looked at on the way to the next sign: names in backticks and 1e-3 are passed over."""
_GREEK: Final = (
    "alpha|beta|gamma|delta|epsilon|zeta|eta|kappa|lambda|mu|nu|rho|sigma|tau|phi|psi|omega|α|β|γ|δ|ε|ζ|η|κ|λ|μ|ν|ρ|σ|τ|"
    "φ|ψ|ω"
)
_LETTER: Final = re.compile(
    rf"(?<![\w.`\\])(?:(?:(?![xyztdepC])[A-Za-z]|{_GREEK})(?:_?(?:\d|max|min|opt|ref|sat|eq|inf))?"
    r"|[Kk]_?[a-z]{1,3}|T_?(?!emp)[a-z]{1,4})(?!\w|`|\()"
)
"""What a person may call a number that is to be fitted: w, K, k1, r_0, Km, kcat, Vmax, Tamb, alpha; x, y and z are
taken for variables, and so is theta, which is an angle sooner."""
_MINUS: Final = str.maketrans("−–", "--")
_NEEDS_MORE: Final = ("*", "/", "+", "-", "^")
"""A sign after one of these belongs to the number or name that follows."""
_T = TypeVar("_T")


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


def parse_term(text: str, names: Sequence[str] | Names, *, max_params: int = 8, letters: bool = False) -> ParsedTerm:
    """Return the term that `text` says in the variables `names` (own names or `Names`).

    Own names that are identifiers, own names in backticks, symbols, `t`, x0, x1 ... by position when no column is
    called so, numbers, + - * / **, functions with or without np. or math., params[k] (or p1, p2 ...) for numbers
    inside that are to be fitted, C for a number to be fitted anywhere. Also what scientists write and can mean one
    thing only, such as x^2, 2x, x·y, |x|, sin x and x(t) (`dolq_core.terms.spelling`).

    letters: K, w, Km, Vmax, alpha and the like are numbers to be fitted where no column is called so in either case.

    Raises:
        TermError: with the character at fault, the reason and the way out.
    """
    return _parse(text, names if isinstance(names, Names) else safe_names(names), max_params, letters)


@lru_cache(maxsize=8192)
def _parse(text: str, names: Names, max_params: int, letters: bool) -> ParsedTerm:
    plain = written_out(text, names.functions) if names.functions else text
    known = {**names.known, **_letters(plain, names)} if letters else names.known
    with bounded():
        hint = f"Known are {names.listed}; a number to be fitted is {FITTED[letters]}"
        form = _read(plain, known, lambda tree: _checked(_settled(normal_form(tree)), max_params), hint)
    return ParsedTerm(text, form.skeleton, form.coefficient, form.params)


def letters_in(text: str, names: Names) -> tuple[str, ...]:
    """Return the letters of a term or an equation that stand for numbers to be fitted: k of dx/dt = -k*x."""
    return tuple(_letters(text.rpartition("=")[2], names))


def _letters(text: str, names: Names) -> dict[str, str]:
    """Return a parameter for each name in `text` that can only be one; the last indices, so that none is taken."""
    taken = {name.casefold() for name in names.known}
    text = without_headings(text, names.known)
    found = [one for one in dict.fromkeys(_LETTER.findall(text)) if one.casefold() not in taken]
    alone = [one for one in found if len(one) == 1 or one[1:].strip("_") not in names.known]
    return {one: f"params[{MAX_INDEX - k}]" for k, one in enumerate(alone)}


def _read(text: str, names: dict[str, str], made: Callable[[Expr], _T], known: str = "") -> _T:
    """Return what is made of the tree of `text`; what is unfit is a TermError with its place in `text`.

    known: the way out from a name that is none, where it says more than the names.
    """
    source: Source | None = None
    try:
        source = as_source(text, names)
        return made(read_tree(source.text, names))
    except Unfit as fault:
        position = fault.position or 0
        place = source.origins[position] if source else position
        way_out = f"{fault.near}{known}" if known and isinstance(fault, Unknown) else fault.way_out
        raise TermError(text, fault.reason, way_out, place) from None


def _settled(form: Normal) -> Normal:
    """Return the form that reads as itself: with other numbers of its parameters, p1 - p0 is written as -(p0 - p1)."""
    for _ in range(MAX_READINGS if form.params > 1 else 0):
        again = normal_form(_written(form.skeleton))
        if again.skeleton == form.skeleton:
            break
        form = replace(again, coefficient=form.coefficient * again.coefficient)
    return form


def _checked(form: Normal, max_params: int) -> Normal:
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
        _written(form.skeleton)
    return form


def _written(skeleton: Skeleton) -> Expr:
    """Return the tree of a normal form as it is written; what is unfit in it has no place in the text it came from."""
    try:
        return read_tree(skeleton, SYMBOLS)
    except Unfit as fault:
        raise Unfit(fault.reason, fault.way_out) from None


def ask_for_time(text: str, names: Names) -> None:
    """Raise TermError where a person writes `t` and a column is called so as well: for the program `t` is time."""
    own = [without_unit(name) for name in names.own]
    found = _BARE_T.search(text) if "t" in own else None
    if found:
        column, time = names.symbols[own.index("t")], names.time if names.time != "t" else "the name of time"
        reason = "'t' is the name of a column, and of the time in terms"
        raise TermError(text, reason, f"Write {column} for the column, and {time} for the time", found.start())


def parse_formula(text: str, names: Names) -> tuple[frozenset[str], Column]:
    """Return the symbols that a formula names (`t` is time) and its values as `compile_columns` gives them.

    A formula is an expression that has a value as it stands, nothing in it to be fitted.

    Raises:
        TermError: with the character at fault, the reason and the way out; also for `C` and params[k].
    """
    # not names.known: x0 for the first column would read any column in silence
    known = {symbol: symbol for symbol in names.symbols} | names.symbol_of
    tree = _read(text, {**known, names.time: known.get(names.time, "t"), "t": "t"}, lambda tree: tree)
    if params_in(tree):
        place = len(text) - len(text.lstrip())
        raise TermError(text, "C and params stand for numbers to be fitted", "Write the number itself", place)
    return frozenset(node.name for node in walk(tree) if isinstance(node, Sym)), compile_tree(tree, names.symbols)


def parse_equation(
    text: str, names: Names, equation: int, *, max_params: int = 8, letters: bool = False
) -> tuple[ParsedTerm, ...]:
    """Return the terms of a right-hand side, in the order written; what stands before `=` must name this equation.

    Only sums and differences at the top are taken apart: `x*(1 - params[0]*x)` is one term. The numbers in front of the
    terms are read off, as for a single term (and so are `letters`); of two terms with one skeleton the first is kept.

    Raises:
        TermError: with the character at fault, counted in `text`.
    """
    if len(text) > MAX_EQUATION:
        reason = f"it has {len(text)} characters, and {MAX_EQUATION} is the limit for an equation"
        raise TermError(text, reason, "Write fewer or shorter terms", MAX_EQUATION)
    body = text.translate(_MINUS).rstrip(" ;,")
    left, equals, right = body.rpartition("=")
    if equals:
        _check_left(text, left.strip().removesuffix("=").removesuffix(":").strip(), names, equation)
    found: dict[str, ParsedTerm] = {}
    with bounded(MAX_STEPS_OF_MANY):
        for part, at in _summands(right):
            try:
                term = parse_term(part, names, max_params=max_params, letters=letters)
            except TermError as error:
                where = None if error.position is None else len(body) - len(right) + at + error.position
                raise TermError(text, error.reason, error.way_out, where) from None
            found.setdefault(term.skeleton, term)
    return tuple(found.values())


def _check_left(text: str, left: str, names: Names, equation: int) -> None:
    """Refuse a left side that is not the rate of this equation's state, in one of `_RATES`."""
    typed = "".join(unicodedata.normalize("NFD", left).translate(_TYPED).replace("`", "").split())
    said = typed if typed.startswith("d/d") else _TIME.sub("/dt", typed)
    own = names.own[equation]
    called = {name for name, symbol in names.known.items() if symbol == names.symbols[equation]}
    plain = {unicodedata.normalize("NFD", "".join(name.split())) for name in called | {own}}
    if said not in {form.format(x=name) for name in plain for form in _RATES}:
        reason = f"its left side {left!r} is not the rate of {own}"
        raise TermError(text, reason, f"Write d{own}/dt = ..., or the right-hand side alone", 0)


def _summands(right: str) -> Iterator[tuple[str, int]]:
    """Yield each summand with its sign, and the index where it begins."""
    depth = start = 0
    for match in _SIGN.finditer(right):
        sign, at = match[0], match.start()
        depth += (sign in "([") - (sign in ")]")
        before = right[start:at].rstrip()
        if sign in "+-" and depth == 0 and before and not before.endswith(_NEEDS_MORE):
            yield right[start:at], start
            start = at
    yield right[start:], start


def read_law(text: str, names: Names) -> tuple[tuple[Skeleton, float], ...]:
    """Return the right-hand side as (skeleton, coefficient), sums within products left as they are; "0" has no terms.

    Raises:
        TermError: where a term cannot be read, or has parameters in the place of numbers.
    """
    if len(text) > MAX_LAW:
        reason = f"it has {len(text)} characters, and {MAX_LAW} is the limit for a law"
        raise TermError(text, reason, "Write fewer terms")
    if text.strip() == "0":
        return ()
    with bounded(MAX_STEPS_OF_MANY):
        terms = [parse_term(part, names) for part, _ in _summands(text)]
    found: dict[Skeleton, float] = {}
    for term in terms:
        if term.params:
            raise TermError(text, f"{term.text.strip()!r} has parameters", "A law has numbers in their place")
        found[term.skeleton] = found.get(term.skeleton, 0.0) + term.coefficient
    return tuple(found.items())
