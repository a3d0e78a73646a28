"""Rows of a list: the cells of one are one element of the page."""

from collections.abc import Sequence


def cells(texts: Sequence[str]) -> str:
    """Return the cells of a row as Markdown, a paragraph each, which the style sheet sets side by side.

    The browser takes as long for a column as for a paragraph of text, and a system has dozens of terms. A cell is one
    line, and never empty.
    """
    return "\n\n".join(texts)
