"""Units as people and instruments write them, read by pint; words that pint does not know are listed here."""

import re
from functools import lru_cache
from tokenize import TokenError
from typing import Any, Final, cast

from dolq_core.terms import Unit, own_unit

_TIME_WORDS: Final = {
    "ns": "ns nanosecond nanoseconds",
    "us": "us µs μs microsecond microseconds",
    "s": "s second seconds sec secs sekunde sekunden sek seconde secondes segundo segundos secondi",
    "ms": "ms msec millisecond milliseconds millisekunden millisecondes milisegundos",
    "min": "min mins minute minutes minuten minuto minutos minuti",
    "h": "h hr hrs hour hours stunde stunden std heure heures hora horas ora ore",
    "day": "d day days tag tage tagen jour jours día días dia dias giorno giorni",
    "week": "week weeks woche wochen semaine semaines semana semanas",
    "month": "month months monat monate mois mes meses",
    "year": "yr yrs year years jahr jahre an ans année années annee annees año años ano anos",
}
TIME_UNITS: Final = {word: unit for unit, words in _TIME_WORDS.items() for word in words.split()}
"""Units of time by their words in five languages, in lower case."""
_BRACKET: Final = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*$")
_COUNTS: Final = frozenset("cell cells iu od ppb torr none n.a. n.a na a.u. a.u au".split())
_LETTERS: Final = frozenset("smgGlLMVAWJNFTKCHhdU%‰Ω")
"""Single letters that are units; to pint most others are, too: c is the speed of light."""
_WRITTEN: Final = re.compile(r"(?=.*[^\W\d]|.*%|1$)[\w\s/*·^()%°Ω⁻-]{1,40}")
_WORDS: Final = re.compile(r"[^\W\d_]{2,}(?: [^\W\d_]+)*")
_WORD: Final = re.compile(r"[^\W_]+")
_ODD: Final = re.compile(r"\d\d|\^\s*-?\d\s*\^|\*\*")
_BARE_POWER: Final = re.compile(r"(?<=[A-Za-zµμ])(-?\d)(?![\d^])")  # m3 and s-1
_MALFORMED: Final = (
    AssertionError, AttributeError, LookupError, OverflowError, SyntaxError, TokenError, TypeError, ValueError,
    ZeroDivisionError,
)  # fmt: skip
"""What pint raises besides its own errors for a text such as "m/" or "(("."""


@lru_cache(maxsize=256)
def read_unit(text: str) -> Unit | None:
    """Return a unit as it is written; None where it cannot be read. One plain word is a unit of its own: "pupils"."""
    clean = " ".join(text.split())
    if not _WRITTEN.fullmatch(clean) or _ODD.search(clean):
        return None
    if clean == "1":
        return own_unit()
    found = _parsed(clean)
    if found is not None:
        return found
    return own_unit(clean) if _WORDS.fullmatch(clean) else None


@lru_cache(maxsize=1024)
def is_unit(text: str) -> bool:
    """Whether a text is a known unit; unlike for `read_unit`, not any word is."""
    lower = text.lower()
    if lower in TIME_UNITS or lower.rstrip("0123456789") in _COUNTS or text in _LETTERS:
        return True
    if len(text) < 2 or not _WRITTEN.fullmatch(text) or _ODD.search(text):
        return False
    return _parsed(text) is not None or _parsed(lower) is not None


def without_unit(name: str) -> str:
    """Return a name without a unit in brackets at its end."""
    return _BRACKET.sub("", name).strip()


def unit_of(name: str, *, time: bool = False) -> str:
    """Return the unit that a name tells: in brackets at its end, or by being a unit of time itself."""
    bracket = _BRACKET.search(name)
    if bracket and not bracket[1].strip().isdecimal():  # x (2) is the second x
        return bracket[1].strip()
    words = reversed(_WORD.findall(without_unit(name).lower())) if time else ()
    return next((TIME_UNITS[word] for word in words if word in TIME_UNITS), "")


def sign_of(name: str) -> str:
    """Return the sign of a unit by its name in `Unit.powers`: "m" for "meter"."""
    return str(_registry().get_symbol(name))


def _parsed(text: str) -> Unit | None:
    import pint  # noqa: PLC0415 - its tables take a second to load, and only units need them

    try:
        found = _registry().parse_units(_BARE_POWER.sub(r"^\1", text))
        return Unit(found._units, found.dimensionality)
    except (pint.errors.PintError, *_MALFORMED):
        return None


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint  # noqa: PLC0415 - see `_parsed`

    return cast(Any, pint).UnitRegistry()
