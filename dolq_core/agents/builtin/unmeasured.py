"""What the description itself says was not measured."""

import re

_SENTENCE = re.compile(r"[^.!?]+[.!?]?")
_MEASURED = r"(?:measured|recorded|observed|counted|monitored|known)"
_SAID = re.compile(
    rf"\b(?:not|never|nobody|no one|none|cannot|could not|without being)\b(?:\W+\w+){{0,3}}?\W+{_MEASURED}\b"
    rf"|\bun(?:measured|recorded|observed)\b|\bhidden\b",
    re.IGNORECASE,
)


def unmeasured(description: str) -> str:
    """Return the first sentence that says that something was not measured; empty when there is none."""
    for sentence in _SENTENCE.findall(" ".join(description.split())):
        if _SAID.search(sentence):
            return sentence.strip()
    return ""
