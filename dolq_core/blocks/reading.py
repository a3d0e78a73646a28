"""Building blocks read from TOML, and from the fields of the Data page."""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from math import isfinite, isnan
from typing import Any, Literal, NoReturn, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dolq_core.blocks.rules import required, why_not, wrong_sign
from dolq_core.errors import DataError, TermError, did_you_mean
from dolq_core.records import Blocks, Bound, Course, EquationBlocks, FittedTerm, Mirror, Sign, TermKey, Tie
from dolq_core.terms import (
    ARGUMENT,
    FUNCTIONS,
    Names,
    Skeleton,
    ask_for_time,
    calls,
    count_params,
    parse_equation,
    parse_term,
    to_text,
    variables,
)

CALLED = (*FUNCTIONS, "sqrt")
"""Functions that can be allowed."""
SIGNS: Mapping[str, Sign] = {"+": "positive", "-": "negative"}
WAY_OUT = "docs/building-blocks.md shows what can be said."
EXAMPLE = 'Write a rule as a name, = and a value, such as conserved = ["S + P"] or degree = 3.'
OUT = "Take one of the two rules out."
RATIOS = {"equal": 1.0, "opposite": -1.0, "free": None}
COURSES: Mapping[str, Course] = {"+": "rising", "-": "falling"}
COEFFICIENT = "coefficient"
"""What the number in front of a term is called among its numbers."""
PROBE = "7.3515625"
"""A number that no term holds by chance."""
Limits: TypeAlias = list[float]
"""Lower and upper limit; inf leaves a side open."""


class _Own(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    variables: list[str] | None = None
    terms: list[str] | None = None
    signs: dict[str, Literal["+", "-"]] = {}
    must: list[str] = []
    fixed: dict[str, float] = {}
    bounds: dict[str, Limits | dict[str, Limits]] = {}
    start: str = ""
    veto: list[str] = []
    pin: list[str] = []


class _Tie(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    terms: dict[str, str] = {}
    places: list[tuple[str, str]] = []
    ratio: float | Literal["equal", "opposite", "free"] = "equal"


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    functions: list[str] | None = None
    degree: int | None = Field(None, ge=0)
    ratios: bool = True
    inner: bool = True
    time: bool = True
    units: Literal["must", "tell"] = "tell"
    define: dict[str, str] = {}
    equations: dict[str, _Own] = {}
    ties: list[_Tie] = []
    conserved: list[str] = []
    symmetric: list[list[str]] = []
    positive: list[str] = []
    monotone: dict[str, Literal["+", "-"]] = {}
    second_order: list[str] = []
    hidden: list[str] = []
    veto: list[str] = []
    pin: list[str] = []


def read_second_order(text: str) -> tuple[str, ...]:
    """Read for which states a second-order law is sought, from the same TOML; raise DataError."""
    return tuple(_file(text).second_order)


def read_hidden(text: str) -> tuple[str, ...]:
    """Read which hidden states act where, 'STATE: TERM', from the same TOML; raise DataError."""
    return tuple(_file(text).hidden)


def read_asked(text: str) -> dict[str, list[str]]:
    """Read the terms that are asked for, by equation, from the same TOML; none where a rule joins equations."""
    said = _file(text)
    joined = said.ties or said.conserved or said.symmetric
    return {} if joined else {name: [*own.must, *own.pin, own.start] for name, own in said.equations.items()}


def blocks_of(said: dict[str, Any], names: Names, states: int) -> Blocks:
    """Return building blocks from what TOML would hold; raise DataError."""
    try:
        return _blocks(_File.model_validate(said), names, states)
    except ValidationError as error:
        raise DataError("The statement cannot be used", error.errors()[0]["msg"], WAY_OUT) from error


def read_functions(text: str, names: Names) -> tuple[tuple[str, str], ...]:
    """Read the functions of a person's own, (name, body in x), from the same TOML; raise DataError."""
    found = tuple((name, body) for name, body in _file(text).define.items())
    taken = {*CALLED, *names.known, "params", "C", "np", "math"}
    for name, body in found:
        if not re.fullmatch(r"[A-Za-z_]\w*", name) or name in taken:
            raise _unusable("define", f"{name!r} is no new name", "Take a name that nothing else has.")
        try:
            read = parse_term(body, [ARGUMENT])
        except TermError as error:
            reason = f"the body of {name} cannot be read: {error}"
            way_out = f"Write it in the language of terms, its argument as {ARGUMENT}: sin({ARGUMENT})/{ARGUMENT}."
            raise _unusable("define", reason, way_out) from error
        if ARGUMENT not in variables(read.skeleton):
            raise _unusable("define", f"the body of {name} does not hold its argument {ARGUMENT}")
    return found


def _file(text: str) -> _File:
    try:
        return _File.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise _unread(text, str(error)) from error
    except ValidationError as error:
        first = error.errors()[0]
        raise _unusable(".".join(map(str, first["loc"])), first["msg"]) from error


def _unread(text: str, why: str) -> DataError:
    """Return the error for what is no TOML, with the line; what is never closed is missed at the end of the text."""
    reason, _, place = why.partition(" (at ")
    found = re.match(r"line (\d+)", place)
    line = int(found[1]) if found else len(text.rstrip().splitlines())
    return DataError(
        f"Building blocks, line {line}", f"it cannot be read as TOML: {reason[:1].lower()}{reason[1:]}", EXAMPLE
    )


def read_blocks(text: str, names: Names, states: int) -> Blocks:
    """Read building blocks from TOML; raise DataError with the place, the reason and the way out.

    names: the variables, of which the first `states` have equations. An equation goes by the name of its state:

        functions = ["sin"]
        degree = 3
        ratios = false

        [equations.v]
        variables = ["x", "v"]
        signs = {"v" = "-"}
    """
    return _blocks(_file(text), names, states)


def _blocks(said: _File, names: Names, states: int) -> Blocks:
    own = dict(names.functions)
    equations = [_equation(state, one, names, states) for state, one in said.equations.items()]
    for name in said.functions or ():
        if name not in CALLED and name not in own:
            _refuse("functions", name, (*CALLED, *own))
    blocks = Blocks(
        None if said.functions is None else _called(said.functions, own),
        said.degree,
        said.ratios,
        said.inner,
        said.time,
        tuple(one for one in sorted(equations, key=lambda one: one.equation) if one != EquationBlocks(one.equation)),
        said.units == "must",
        tuple(tie for one in said.ties for tie in _ties(one, names, states)),
        tuple(_sum(text, names, states) for text in said.conserved),
        tuple(_mirror(pair, names, states) for pair in said.symmetric),
        tuple(_state("positive", name, names, states) for name in said.positive),
        tuple((_state("monotone", name, names, states), COURSES[way]) for name, way in said.monotone.items()),
        _on_terms("veto", said.veto, {name: own.veto for name, own in said.equations.items()}, names, states),
        _on_terms("pin", said.pin, {name: own.pin for name, own in said.equations.items()}, names, states),
    )
    agree(blocks, names)
    return blocks


def _on_terms(
    what: str, everywhere: Sequence[str], own: Mapping[str, Sequence[str]], names: Names, states: int
) -> tuple[tuple[int, Skeleton], ...]:
    """Return (equation, skeleton) of what is said of terms, in every equation and in single ones."""
    found = {(j, _term(what, text, names)) for text in everywhere for j in range(states)}
    for name, texts in own.items():
        j = _state("equations", name, names, states)
        found |= {(j, _term(f"equations.{name}.{what}", text, names)) for text in texts}
    return tuple(sorted(found))


def read_choices(vetoes: Sequence[str], pins: Sequence[str], names: Names, states: int) -> Blocks:
    """Read what a person says of single terms before a run, `x: x*y` each; raise DataError.

    A veto that names no equation is meant for all of them; a pin has to name one where there are several.
    """
    veto = {place for text in vetoes for place in _places("veto", text, names, states)}
    pin = {place for text in pins for place in _places("pin", text, names, states)}
    return Blocks(vetoes=tuple(sorted(veto)), pins=tuple(sorted(pin)))


def _places(what: str, text: str, names: Names, states: int) -> list[tuple[int, Skeleton]]:
    known = names.symbols[:states]
    name, _, term = (part.strip() for part in text.rpartition(":"))
    if (name and names.known.get(name) not in known) or not (name or what == "veto" or states == 1):
        way_out = f"Write it as 'STATE: TERM'; the states are {', '.join(names.own[:states])}."
        raise DataError(
            f"The {what} {text!r}", f"there is no state {name!r}" if name else "its equation is open", way_out
        )
    try:
        ask_for_time(term, names)
        skeleton = parse_term(term, names, letters=True).skeleton
    except TermError as error:
        raise DataError(f"The {what} {text!r}", f"it holds no term: {error}", "Correct it, or take it out.") from error
    return [(j, skeleton) for j, symbol in enumerate(known) if not name or names.known[name] == symbol]


def _called(functions: Sequence[str], own: Mapping[str, str]) -> tuple[str, ...]:
    """Return the functions that may be called: one of a person's own brings in those that it calls."""
    inside = [name for one in functions if one in own for name in calls(parse_term(own[one], [ARGUMENT]).skeleton)]
    return tuple(dict.fromkeys((*(name for name in functions if name not in own), *inside)))


def agree(blocks: Blocks, names: Names) -> None:
    """Refuse rules of which one forbids what another asks for."""
    for place, (j, term), what in _wanted(blocks, names):
        why = "it is vetoed" if (j, term) in blocks.vetoes else why_not(blocks, TermKey(j, term))
        if why:
            raise _unusable(place, f"{to_text(term, names)} is {what}, and {why}", OUT)
    for own in blocks.equations:
        place = f"equations.{names.own[own.equation]}"
        for term, value in own.fixed:
            if why := wrong_sign(blocks, own.equation, [FittedTerm(term, value)]):
                raise _unusable(f"{place}.fixed", why, OUT)
            if any(bound.skeleton == term and bound.inner is None for bound in own.bounds):
                raise _unusable(place, f"{to_text(term, names)} is fixed and has bounds", OUT)


def _wanted(blocks: Blocks, names: Names) -> list[tuple[str, tuple[int, Skeleton], str]]:
    """Return the terms that rules ask for, each with the place of its rule."""
    ties = [("ties", place, "asked for") for tie in blocks.ties for place in (tie.first, tie.second)]
    own = [(e.equation, term) for e in blocks.equations for term in (*required(blocks, e.equation), *e.start)]
    said = [(place, "asked for") for place in own] + [(place, "pinned") for place in blocks.pins]
    return ties + [(f"equations.{names.own[place[0]]}", place, what) for place, what in said]


def _equation(state: str, own: _Own, names: Names, states: int) -> EquationBlocks:
    place, number = f"equations.{state}", _state("equations", state, names, states)
    for column in own.variables or ():
        if column not in names.known:
            _refuse(f"{place}.variables", column, (*names.own, names.time))
    return EquationBlocks(
        number,
        None if own.variables is None else tuple(names.known[column] for column in own.variables),
        None if own.terms is None else tuple(_term(place, term, names) for term in own.terms),
        tuple((_term(place, term, names), SIGNS[sign]) for term, sign in own.signs.items()),
        tuple(_term(place, term, names) for term in own.must),
        tuple(_fixed(place, term, value, names) for term, value in own.fixed.items()),
        tuple(bound for term, said in own.bounds.items() for bound in _bounds(place, term, said, names)),
        _start(place, own.start, names, number),
    )


def _state(place: str, name: str, names: Names, states: int) -> int:
    symbol = names.known.get(name)
    if symbol not in names.symbols[:states]:
        _refuse(place, name, names.own[:states])
    return names.symbols.index(symbol)


def _ties(said: _Tie, names: Names, states: int) -> list[Tie]:
    """Return the constants that are one: those of the first term and of each other one."""
    ratio = RATIOS[said.ratio] if isinstance(said.ratio, str) else said.ratio
    written = (*said.terms.items(), *said.places)
    places = [(_state("ties", name, names, states), _term("ties", text, names)) for name, text in written]
    if len(places) < 2 or len({count_params(skeleton) for _, skeleton in places}) > 1:
        raise _unusable("ties", f"{[text for _, text in written]} are no two terms with as many numbers inside")
    if ratio is not None and (ratio == 0.0 or not isfinite(ratio)):
        raise _unusable("ties.ratio", f"{ratio:g} is no ratio")
    return [Tie(places[0], place, ratio) for place in places[1:]]


def _sum(text: str, names: Names, states: int) -> tuple[tuple[int, float], ...]:
    """Return the states of a sum with their weights."""
    try:
        terms = parse_equation(text, names, 0)
    except TermError as error:
        raise _unusable("conserved", f"{text!r}: {error}") from error
    known = names.symbols[:states]
    if len(terms) < 2 or any(term.skeleton not in known for term in terms):
        raise _unusable("conserved", f"{text!r} is no sum of two or more states", 'Write it as in "S + 2*P".')
    return tuple((known.index(term.skeleton), term.coefficient) for term in terms)


def _mirror(pair: Sequence[str], names: Names, states: int) -> Mirror:
    places = [_state("symmetric", name, names, states) for name in pair]
    if len(set(places)) != 2 or len(pair) != 2:
        raise _unusable("symmetric", f"{list(pair)} are no two states", 'Write pairs, as in [["x", "y"]].')
    return Mirror(places[0], places[1], (names.symbols[places[0]], names.symbols[places[1]]))


def _fixed(place: str, text: str, value: float, names: Names) -> tuple[Skeleton, float]:
    """Return a term and its coefficient; a number in front of the term counts: 2*v = 1 is v = 2."""
    _term(f"{place}.fixed", text, names)
    read = parse_term(text, names, letters=True)
    if not isfinite(value) or value == 0.0:
        raise _unusable(f"{place}.fixed", f"{value:g} is no coefficient")
    return read.skeleton, value * read.coefficient


def _bounds(place: str, text: str, said: Limits | dict[str, Limits], names: Names) -> list[Bound]:
    """Return the limits of the coefficient of a term, or of its numbers by name."""
    place = f"{place}.bounds"
    skeleton = _term(place, text, names)
    if isinstance(said, list):
        return [_between(place, skeleton, said, None)]
    found: list[Bound] = []
    for name, limits in said.items():
        if name == COEFFICIENT:
            found.append(_between(place, skeleton, limits, None))
            continue
        k = _inner(text, name, skeleton, names)
        if k is None:
            reason = f"{text!r} has no number {name!r} of its own"
            way_out = f"Name one of its letters, params[0] ..., or {COEFFICIENT} for the number in front."
            raise _unusable(place, reason, way_out)
        found.append(_between(place, skeleton, limits, k))
    return found


def _inner(text: str, name: str, skeleton: Skeleton, names: Names) -> int | None:
    """Return which number of the normal form a letter is: the one that makes the same term with its value."""
    named = re.fullmatch(r"params\[(\d+)\]", name)
    count = count_params(skeleton)
    if named:
        return int(named[1]) if int(named[1]) < count else None
    said = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", PROBE, text)
    if said == text:
        return None
    for k in range(count):
        try:
            same = parse_term(skeleton.replace(f"params[{k}]", PROBE), names).skeleton
            if same == parse_term(said, names, letters=True).skeleton:
                return k
        except TermError:
            return None
    return None


def _between(place: str, skeleton: Skeleton, limits: Limits, inner: int | None) -> Bound:
    ends = list(limits)
    if len(ends) != 2 or any(map(isnan, ends)) or not ends[0] < ends[1]:
        reason = f"{limits} is no lower and upper limit of {skeleton}"
        way_out = "Write the lower one first, as in [-2, 0]; -inf and inf leave a side open."
        raise _unusable(place, reason, way_out)
    low, high = (end if isfinite(end) else None for end in ends)
    return Bound(skeleton, low, high, inner)


def _start(place: str, text: str, names: Names, equation: int) -> tuple[Skeleton, ...]:
    try:
        read = parse_equation(text, names, equation, letters=True) if text.strip() else ()
    except TermError as error:
        raise _unusable(f"{place}.start", f"{text!r} is no right-hand side: {error}") from error
    return tuple(term.skeleton for term in read)


def read_signs(text: str, names: Names) -> tuple[tuple[Skeleton, Sign], ...]:
    """Read terms with their signs, such as "-v, +x*y"; raise DataError where one has none or is no term."""
    found: list[tuple[Skeleton, Sign]] = []
    for part in filter(None, map(str.strip, text.replace("\N{MINUS SIGN}", "-").split(","))):
        if part[0] not in SIGNS:
            raise DataError(f"The sign of {part!r}", "there is none", f"Write -{part} for a term that only lowers.")
        found.append((_term("signs", part[1:], names), SIGNS[part[0]]))
    return tuple(found)


def _term(place: str, text: str, names: Names) -> Skeleton:
    try:
        return parse_term(text, names, letters=True).skeleton
    except TermError as error:
        raise _unusable(place, f"{text!r} is no term: {error}") from error


def _refuse(place: str, name: str, known: Collection[str]) -> NoReturn:
    way_out = did_you_mean(name, known, f"There are {', '.join(known)}.")
    raise _unusable(place, f"there is no {name!r}", way_out)


def _unusable(place: str, reason: str, way_out: str = WAY_OUT) -> DataError:
    return DataError(f"Building blocks: {place} cannot be used", reason, way_out)
