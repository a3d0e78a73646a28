"""The JSON object in a reply, however it is wrapped."""

import json
import re
from typing import Any, cast

from dolq_core.errors import grouped

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",(\s*[\]}])")
_REMARK = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*[^*]*\*/')
"""Comments, which JSON does not have; a text in quotation marks is passed over."""
_OPENING = re.compile(r"\{\s*[\"}]|\[\s*\{")
_decoder = json.JSONDecoder()

MOST_PARTS = 20_000
"""Values in a reply, all lists and objects together: more than ten times those of the largest that is asked for."""
LINES = 100
"""Letters that are passed over, for the number of the line that an error names, in the time that reading one takes."""
BEGIN = 16
"""Letters that are read in the time that it takes to begin."""
SHORT = 10_000
READ_AGAIN = 4
"""How often a text may be read over, on average over its letters, in search of an object in it."""


def extract(text: str, keys: set[str], listed: str = "") -> dict[str, Any] | str:
    """Return the first object that has all the keys, else the first object, else why there is none.

    Thoughts in tags and code fences are taken off, text before and after is passed over, comments and a trailing
    comma are forgiven, and a bare list is taken for what the key `listed` holds. Nothing is completed: a reply that
    was cut is no JSON. The time it takes grows with the length alone.
    """
    spoken = _THOUGHT.sub("", text)
    if not spoken.strip():
        return "the reply is empty"
    sources = ["\n".join(spoken.split("```")[1::2]), spoken]
    found = [one for source in sources for one in _objects(source, listed)]
    if not any(keys <= one.keys() for one in found):
        plain = [_TRAILING_COMMA.sub(r"\1", _REMARK.sub(r"\1", source)) for source in sources]
        found += [one for source in plain for one in _objects(source, listed)]
    fitting = [one for one in found if keys <= one.keys()]
    if fitting or found:
        first = (fitting or found)[0]
        return first if _is_small(first) else f"it has more than {grouped(MOST_PARTS)} parts"
    return "there is no whole JSON object in the reply" if "{" in spoken else "there is no JSON object in the reply"


def _objects(text: str, listed: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    opening, left = _OPENING.search(text), READ_AGAIN * len(text) + SHORT
    while opening and left > 0:
        at = opening.start()
        try:
            value, end = _decoder.raw_decode(text, at)
            found.append({listed: value} if isinstance(value, list) else cast(dict[str, Any], value))
            left -= BEGIN
        except json.JSONDecodeError as error:
            end, left = at + 1, left - BEGIN - (error.pos - at) - error.pos // LINES
        except (RecursionError, ValueError):  # too deep, or a number of thousands of digits: it may be long
            end, left = at + 1, left - (len(text) - at)
        opening = _OPENING.search(text, end)
    return found


def _is_small(value: dict[str, Any]) -> bool:
    waiting: list[Any] = [value]
    parts = 0
    while waiting and parts <= MOST_PARTS:
        one = waiting.pop()
        if isinstance(one, dict | list):
            inside = cast(dict[str, Any] | list[Any], one)
            waiting += inside.values() if isinstance(inside, dict) else inside
            parts += len(inside)
    return parts <= MOST_PARTS
