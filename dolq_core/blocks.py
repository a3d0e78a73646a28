"""Building blocks: what laws may be made of, read from TOML, held against terms and fits, said in words."""

import tomllib
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dolq_core.errors import DataError, TermError
from dolq_core.records import Blocks, EquationBlocks, FittedTerm, Sign, TermKey
from dolq_core.terms import FUNCTIONS, Names, Skeleton, calls, degree_of, is_of_kind, parse_term, to_text, variables

CALLED = (*FUNCTIONS, "sqrt")
"""Functions that can be allowed."""
SIGNS: Mapping[str, Sign] = {"+": "positive", "-": "negative"}
WAY_OUT = "docs/building-blocks.md shows what can be said."
FREE = Blocks()


def why_not(blocks: Blocks, key: TermKey) -> str:
    """Return which building block a term would need that is not there; empty where it may be tried."""
    return "" if blocks is FREE or blocks == FREE else _why_not(blocks, key)


@lru_cache(maxsize=16384)
def _why_not(blocks: Blocks, key: TermKey) -> str:
    term = key.skeleton
    strange = [] if blocks.functions is None else [name for name in calls(term) if name not in blocks.functions]
    if strange:
        return f"{strange[0]} is not among the functions allowed"
    if blocks.degree is not None and degree_of(term) > blocks.degree:
        return f"its degree is above {blocks.degree}, the highest allowed"
    if not blocks.ratios and is_of_kind(term, "ratio"):
        return "ratios are not allowed"
    if not blocks.inner and is_of_kind(term, "fitted"):
        return "numbers that are fitted inside a term are not allowed"
    if not blocks.time and is_of_kind(term, "time"):
        return "the time itself is not allowed in a term"
    own = _own(blocks, key.equation)
    if own.variables is not None and (other := variables(term) - set(own.variables)):
        return f"{min(other)} is not allowed in this equation"
    if own.terms is not None and term not in own.terms:
        return "this equation may have other terms only"
    return ""


def wrong_sign(blocks: Blocks, equation: int, terms: Iterable[FittedTerm]) -> str:
    """Return which coefficient of an equation has a sign that is not allowed; empty where all may stand.

    With such a coefficient held at its bound, zero, the fit is that of the structure without the term.
    """
    signs = dict(_own(blocks, equation).signs) if blocks.equations else {}
    for term in terms if signs else ():
        sign = signs.get(term.skeleton)
        if sign is not None and (term.coefficient > 0.0) != (sign == "positive"):
            return f"the coefficient of {term.skeleton} may only be {sign}"
    return ""


def _own(blocks: Blocks, equation: int) -> EquationBlocks:
    return next((own for own in blocks.equations if own.equation == equation), EquationBlocks(equation))


def in_words(blocks: Blocks, names: Names) -> list[str]:
    """Return the rules as short sentences, variables by their own names; none where everything is allowed."""
    said: list[str] = []
    if blocks.functions is not None:
        said.append(f"Functions: {', '.join(blocks.functions) or 'none'}.")
    if blocks.degree is not None:
        said.append(f"Degree of a term: at most {blocks.degree}.")
    missing = [
        what
        for what, allowed in (
            ("ratios", blocks.ratios),
            ("fitted numbers inside terms", blocks.inner),
            ("the time itself", blocks.time),
        )
        if not allowed
    ]
    if missing:
        said.append(f"Not allowed: {', '.join(missing)}.")
    for own in blocks.equations:
        state = names.own[own.equation]
        if own.variables is not None:
            columns = [names.own_of.get(symbol, names.time) for symbol in own.variables]
            said.append(f"Variables in the equation of {state}: {', '.join(columns) or 'none'}.")
        if own.terms is not None:
            terms = [to_text(term, names) for term in own.terms]
            said.append(f"Terms in the equation of {state}: {', '.join(terms) or 'none'}.")
        said += [f"In the equation of {state}, {to_text(t, names)} is {sign}." for t, sign in own.signs]
    return said


class _Own(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    variables: list[str] | None = None
    terms: list[str] | None = None
    signs: dict[str, Literal["+", "-"]] = {}


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    functions: list[str] | None = None
    degree: int | None = Field(None, ge=0)
    ratios: bool = True
    inner: bool = True
    time: bool = True
    equations: dict[str, _Own] = {}


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
    try:
        said = _File.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise DataError("The building blocks cannot be read", f"they are no TOML: {error}", WAY_OUT) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise DataError(f"Building blocks: {place} cannot be used", first["msg"], WAY_OUT) from error
    for name in said.functions or ():
        if name not in CALLED:
            _refuse("functions", name, CALLED)
    return Blocks(
        None if said.functions is None else tuple(dict.fromkeys(said.functions)),
        said.degree,
        said.ratios,
        said.inner,
        said.time,
        tuple(_equation(state, own, names, states) for state, own in said.equations.items()),
    )


def _equation(state: str, own: _Own, names: Names, states: int) -> EquationBlocks:
    place, symbol = f"equations.{state}", names.known.get(state)
    if symbol not in names.symbols[:states]:
        _refuse("equations", state, names.own[:states])
    for column in own.variables or ():
        if column not in names.known:
            _refuse(f"{place}.variables", column, (*names.own, names.time))
    return EquationBlocks(
        names.symbols.index(symbol),
        None if own.variables is None else tuple(names.known[column] for column in own.variables),
        None if own.terms is None else tuple(_term(place, term, names) for term in own.terms),
        tuple((_term(place, term, names), SIGNS[sign]) for term, sign in own.signs.items()),
    )


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
        return parse_term(text, names).skeleton
    except TermError as error:
        raise DataError(f"Building blocks: {place} cannot be used", f"{text!r} is no term: {error}", WAY_OUT) from error


def _refuse(place: str, name: str, known: Collection[str]) -> NoReturn:
    near = get_close_matches(name, list(known), 1)
    way_out = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(known)}."
    raise DataError(f"Building blocks: {place} cannot be used", f"there is no {name!r}", way_out)
