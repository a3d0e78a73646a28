"""Functions of a person's own: text in the language of terms, read in the place of each call. No code."""

import re
from collections.abc import Sequence

ARGUMENT = "x"
"""What the argument is called in a body."""
LONGEST = 4000
"""Characters from which nothing more is put in: the limits on terms refuse that text."""


def written_out(text: str, functions: Sequence[tuple[str, str]]) -> str:
    """Return a text with the body in the place of each call; a call that is not closed stays as it is."""
    for name, body in functions:
        call = re.compile(rf"(?<![\w.`]){re.escape(name)}\s*\(")
        at = 0
        while (found := call.search(text, at)) and len(text) < LONGEST:
            end = _closing(text, found.end())
            if end is None:
                break
            argument = text[found.end() : end]
            inside = re.sub(rf"(?<![\w.]){ARGUMENT}(?!\w)", lambda _, a=argument: f"({a})", body)
            text = f"{text[: found.start()]}({inside}){text[end + 1 :]}"
            at = found.start() + 1
    return text


def _closing(text: str, start: int) -> int | None:
    depth = 1
    for k in range(start, len(text)):
        depth += (text[k] == "(") - (text[k] == ")")
        if not depth:
            return k
    return None
