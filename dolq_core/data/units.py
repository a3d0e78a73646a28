"""Words for units, as instruments write them: in a row of their own, or behind every number of a column."""

import re
from typing import Final

_PREFIXED: Final = r"[pnuµμmckMGdh]?(?:s|m|g|l|L|mol|M|V|A|W|J|N|Pa|Hz|F|Ω|ohm|bar|eV|lx|Bq|T)"
_WHOLE: Final = (
    r"min|mins|h|hr|hrs|d|sec|secs|seconds?|minutes?|hours?|days?|weeks?|months?|years?|yr|"
    r"Sekunden?|Minuten?|Stunden?|Std\.?|Tage?|secondes?|heures?|jours?|segundos?|minutos?|horas?|d[ií]as?|"
    r"°\s?[CFK]?|deg ?[CF]?|degrees?|celsius|kelvin|rad|[CFK]|%|‰|ppm|ppb|rpm|OD\d*|a\.?\s?u\.?|U|IU|cells?|counts?|"
    r"psi|atm|Torr|mmHg|dB|pH|volts?|amps?|amperes?|watts?|grams?|meters?|metres?|lit(?:er|re)s?"
)
_POWER: Final = r"(?:\^?[-+]?\d|[⁻¹²³]+)?"
_ONE: Final = rf"(?:{_PREFIXED}|{_WHOLE}){_POWER}"
_UNIT: Final = rf"(?:1/)?{_ONE}(?:\s?[·*/ .]\s?{_ONE})*"
_ROW_CELL: Final = re.compile(rf"[(\[]?\s*(?:{_UNIT}|-|–|—|1|none|n\.?a\.?)?\s*[)\]]?")
_BEHIND: Final = re.compile(rf"(.*[\d.,])\s*({_UNIT})")
BRACKET: Final = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*$")


def is_units_row(cells: list[str]) -> bool:
    """Whether the cells of a row are units, or nothing; one word for a unit at least."""
    filled = [cell for cell in cells if cell.strip("-–— ()[]1")]
    return bool(filled) and all(_ROW_CELL.fullmatch(cell) or _in_brackets(cell) for cell in cells)


def bare(cell: str) -> str:
    """Return a unit without its brackets; empty for a dash."""
    return cell.strip("()[] ").replace("–", "-").replace("—", "-").removeprefix("-") if cell else ""


def behind(cell: str) -> tuple[str, str]:
    """Return a number and the unit behind it ("12,5 %" is "12,5" and "%"); two empty words when there is none."""
    found = _BEHIND.fullmatch(cell)
    return (found[1].strip(), found[2].strip()) if found else ("", "")


def _in_brackets(cell: str) -> bool:
    return cell[:1] + cell[-1:] in ("()", "[]") and len(cell) <= 20
