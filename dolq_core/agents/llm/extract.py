"""The JSON object in a reply, however it is wrapped."""

import json
import re
from typing import Any, cast

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[\]}])")
_decoder = json.JSONDecoder()


def extract(text: str, keys: set[str]) -> dict[str, Any] | str:
    """Return the first object that has all the keys, else the first object, else why there is none.

    Thoughts in tags and code fences are taken off, text before and after is passed over, a trailing comma is
    forgiven. Nothing is completed: a reply that was cut is no JSON.
    """
    spoken = _THOUGHT.sub("", text)
    if not spoken.strip():
        return "the reply is empty"
    sources = [*cast(list[str], _FENCE.findall(spoken)), spoken]
    found = [one for source in sources for one in _objects(source)]
    fitting = [one for one in found if keys <= one.keys()]
    if fitting or found:
        return (fitting or found)[0]
    return "there is no whole JSON object in the reply" if "{" in spoken else "there is no JSON object in the reply"


def _objects(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    at = text.find("{")
    while at >= 0:
        value, end = _decoded(text, at)
        if value is not None:
            found.append(value)
        at = text.find("{", end)
    return found


def _decoded(text: str, at: int) -> tuple[dict[str, Any] | None, int]:
    """Return the object that begins at `at` and where it ends, or None and the next character."""
    for source in (text, text[:at] + _TRAILING_COMMA.sub(r"\1", text[at:])):
        try:
            value, end = _decoder.raw_decode(source, at)
        except (json.JSONDecodeError, RecursionError):
            continue
        return cast(dict[str, Any], value), end if source is text else len(text)
    return None, at + 1
