"""A teacher's words: paragraphs, lists, **bold** and `terms`, and nothing else of Markdown."""

import re

from pages.ui import words

number = words.number
"""How a lesson writes its figures: as the law above them has its coefficients."""

_SPAN = re.compile(r"(`[^`\n]+`|\*\*[^*\n]+\*\*)")
_ITEM = re.compile(r"\s*[-*]\s+")


def text(said: str) -> str:
    """Return Markdown for a text of paragraphs; a line that begins with "- " is an item of a list."""
    return "\n\n".join(_paragraph(one) for one in re.split(r"\n\s*\n", said.strip()))


def _paragraph(said: str) -> str:
    lines = said.splitlines()
    if all(_ITEM.match(one) for one in lines):
        return "\n".join(f"- {line(_ITEM.sub('', one, count=1))}" for one in lines)
    return line(said)


def line(said: str) -> str:
    """Return Markdown for one line or paragraph."""
    return "".join(_span(part) for part in _SPAN.split(" ".join(said.split())) if part)


def _span(part: str) -> str:
    if part.startswith("`"):
        return part
    if part.startswith("**"):
        return f"**{words.plain(part[2:-2])}**"
    before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    return f"{before}{words.plain(part)}{after if part.strip() else ''}"
