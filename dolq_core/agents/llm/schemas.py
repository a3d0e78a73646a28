"""The shapes of replies. Everything is named by variable and term text, never by position."""

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, create_model
from pydantic.json_schema import SkipJsonSchema


def _closed(schema: dict[str, Any]) -> None:
    """Make a schema one that strict modes take: all that is named, nothing beyond, and no titles to pay tokens for."""
    schema["additionalProperties"] = False
    schema["required"] = list(schema.get("properties", {}))
    schema.pop("title", None)
    for one in schema.get("properties", {}).values():
        one.pop("title", None)
        one.pop("default", None)


class Shape(BaseModel):
    """What a reply may hold; further keys are left out when it is read, and forbidden in the schema.

    A field with a default may be missing when a reply is read; the schema asks for it.
    """

    model_config = ConfigDict(extra="ignore", json_schema_extra=_closed)


def _term(value: Any) -> Any:
    return {"term": value, "reason": ""} if isinstance(value, str) else value


class TermReply(Shape):
    """One term and why it is there; a bare text is a term without a reason."""

    term: str
    reason: str = ""


class EquationReply(Shape):
    """The terms of one equation, named by its variable."""

    variable: str
    terms: list[Annotated[TermReply, BeforeValidator(_term)]]


class HypothesisReply(Shape):
    """One hypothesis for the whole system, and what it states of its numbers, a line each."""

    equations: list[EquationReply]
    statements: list[str] = []


class SamplerReply(Shape):
    """What a Sampler answers."""

    hypotheses: list[HypothesisReply]


def _lower(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


class GradeReply(Shape):
    """The grade of one term, by its number in the prompt; models that name variable and term are understood too."""

    number: int = 0
    variable: SkipJsonSchema[str] = ""
    term: SkipJsonSchema[str] = ""
    grade: Annotated[Literal["good", "neutral", "bad"], BeforeValidator(_lower)]
    reason: str = ""


class LiftReply(Shape):
    """A ban that a Scientist asks to lift, and why."""

    variable: str
    term: str
    reason: str = ""


class ScientistReply(Shape):
    """What a Scientist answers."""

    grades: list[GradeReply]
    insight: str = ""
    lift: list[LiftReply] = []


class LookReply(Shape):
    """A look at data or fits; which of the fields it takes, its name says (`dolq_core.agents.llm.looks`)."""

    look: str
    variable: str = ""
    terms: list[str] = []
    against: str = ""
    start: list[float] = []


@cache
def looking(shape: type[Shape]) -> type[Shape]:
    """Return the same reply with looks that may be asked for in its place."""
    return create_model(f"{shape.__name__}Looking", __base__=shape, looks=(list[LookReply], []))


def schema_of(shape: type[Shape]) -> dict[str, Any]:
    """Return the JSON schema of a reply, ready for strict modes."""
    schema = shape.model_json_schema(mode="validation")
    schema.pop("title", None)
    schema.pop("description", None)
    for one in schema.get("$defs", {}).values():
        one.pop("description", None)
    return schema


def faults(error: ValidationError, most: int = 4) -> str:
    """Return what is wrong with a reply, as words a model can act on."""
    said = [f"{'.'.join(map(str, e['loc'])) or 'the whole reply'}: {e['msg']}" for e in error.errors()[:most]]
    more = error.error_count() - most
    return "; ".join(said) + (f"; and {more} more" if more > 0 else "")


MOST_DROPPED = 200
"""Faulty elements of one reply that are left out before the whole of it is."""
DEPTH = 4
"""Lists within lists of a reply, and one look more."""


def usable(shape: type[Shape], plain: Any) -> tuple[Any, list[str]]:
    """Return what is usable of a reply that does not fit as a whole, as the shape, and what was left out.

    List elements that do not fit are dropped, the innermost first; None when nothing fits.
    """
    dropped: list[str] = []
    current = plain
    for _ in range(DEPTH):
        try:
            return shape.model_validate(current), dropped
        except ValidationError as error:
            why = {_innermost_element(one["loc"]): one["msg"] for one in reversed(error.errors())}
            places = sorted(place for place in why if place)
            if () in why or len(places) > MOST_DROPPED:
                return None, [*dropped, faults(error)]
            dropped += [f"{'.'.join(map(str, place))} was left out: {why[place]}" for place in places]
            for place in reversed(places):  # from the end, so that no place moves
                current = _without(current, place)
    return None, dropped


def _innermost_element(location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Return the place of the innermost list element that holds a location; () where none does."""
    last = max((k for k, part in enumerate(location) if isinstance(part, int)), default=-1)
    return location[: last + 1]


def _without(value: Any, place: tuple[int | str, ...]) -> Any:
    first, *rest = place
    if not rest:
        return [one for k, one in enumerate(value) if k != first]
    inner = _without(value[first], tuple(rest))
    if isinstance(first, int):
        return [inner if k == first else one for k, one in enumerate(value)]
    return {**value, first: inner}
