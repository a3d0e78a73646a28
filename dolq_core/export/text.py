"""The equations as lines of text, from the result document."""

from typing import Any

from dolq_core.terms import Skeleton, is_sum


def text(document: dict[str, Any]) -> str:
    """Return one line per equation, in the names that stand in the expressions, readable by Python and SymPy."""
    symbols = document["symbols"]
    lines = [f"# {_line(document['dataset'])}, after iteration {document['iterations']}"]
    lines += [f"# {symbol} stands for the column {own!r}" for own, symbol in symbols.items()]
    for own, found in document["equations"].items():
        lines.append(f"d{symbols.get(own, own)}_dt = {found['expression']}  # {found['status']}")
    return "\n".join(lines) + "\n"


def readable(document: dict[str, Any], digits: int = 4) -> list[str]:
    """Return one line per equation for a person to read, numbers rounded: d yeast / d hour = 0.547 yeast."""
    time, found = document["time"], document["equations"]
    return [f"d {name} / d {time} = {_sum(equation['terms'], digits)}" for name, equation in found.items()]


def _sum(terms: list[dict[str, Any]], digits: int) -> str:
    """Return the summands, as in 0.547 yeast - 0.000825 yeast**2."""
    said = " ".join(_summand(term, digits) for term in terms)
    if said.startswith("- "):
        return f"-{said[2:]}"
    return said.removeprefix("+ ") or "nothing worth claiming"


def _summand(term: dict[str, Any], digits: int) -> str:
    sign = "-" if term["coefficient"] < 0.0 else "+"
    number = f"{sign} {abs(term['coefficient']):.{digits}g}"
    if term["text"] == "1":
        return number
    return f"{number} ({term['text']})" if is_sum(Skeleton(term["skeleton"])) else f"{number} {term['text']}"


def _line(name: str) -> str:
    """A name as a comment can hold it."""
    return " ".join(name.split())
