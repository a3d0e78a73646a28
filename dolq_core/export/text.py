"""The equations as lines of text, from the result document."""

from typing import Any


def text(document: dict[str, Any]) -> str:
    """Return one line per equation, in the names that stand in the expressions, readable by Python and SymPy."""
    symbols = document["symbols"]
    lines = [f"# {_line(document['dataset'])}, after iteration {document['iterations']}"]
    lines += [f"# {symbol} stands for the column {own!r}" for own, symbol in symbols.items()]
    for own, found in document["equations"].items():
        lines.append(f"d{symbols.get(own, own)}_dt = {found['expression']}  # {found['status']}")
    return "\n".join(lines) + "\n"


def _line(name: str) -> str:
    """A name as a comment can hold it."""
    return " ".join(name.split())
