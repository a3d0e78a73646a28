"""Units as people and instruments write them, read by pint; and the unit of a term from those of its variables."""

import re
from collections.abc import Mapping
from functools import lru_cache, reduce
from tokenize import TokenError
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from dolq_core.terms import Skeleton, read
from dolq_core.terms.expr import Add, Call, Expr, Mul, Num, Param, Pow, Sym

if TYPE_CHECKING:
    from pint.util import UnitsContainer

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
_BEHIND: Final = re.compile(r"(?<=\S)\s+(\S+)$")
_SURE: Final = frozenset(
    "mg kg µg μg ug ng mM µM μM uM nM mol mmol µmol μmol mL ml µL μL uL mm cm km nm µm μm um Hz kHz MHz Pa hPa kPa MPa "
    "mbar mV kV mA kW mW kJ ppm ppb rpm °C ºC degC %".split()
)
"""Units that stand for nothing else behind a name; of one letter, or as min and bar, they may be a name or a word."""
_PER: Final = frozenset(
    "s ms min h hr d day week month yr year L l mL ml dL m m2 m3 m² m³ cm cm2 cm3 km kg g mol".split()
)
"""What a quotient behind a name is taken of: C/N is a ratio of two elements, and no charge over a force."""
_LITRES: Final[Mapping[str, str]] = {
    word: unit
    for unit, words in {
        "L": "litre litres liter liters",
        "mL": "millilitre millilitres milliliter milliliters",
    }.items()
    for word in words.split()
}
_RATIO_BEHIND: Final = re.compile(r"(?:(?:^|\s)(\S+))?\s+(?:per\s+|/\s*)([^\s/]+)$")
"""What is counted per something at the end of a name: rotifers per ml, cells /ml, also with its own unit: mg per ml."""
_PER_LAST: Final = re.compile(r"(?:^|\s)(?:per\s|/\s*)\s*[^\s/]+\s*$")
_QUOTIENT: Final = re.compile(r"(\S.*?)\s+(/\s+(\S.*))")
"""What may be a quantity divided by its unit, as t / min; a ratio is mostly written without blanks."""
_QUANTITIES: Final[Mapping[str, frozenset[str]]] = {
    unit: frozenset(words.split())
    for units, words in {
        "s min h d": "t τ tau T time zeit temps tiempo tempo age duration delay period lag elapsed",
        "m mm cm km µm μm um nm": "x y z r s l d h H L R length height depth distance position radius diameter width",
        "m2 m² cm2 km2": "A S area surface",
        "L l mL ml dL µL μL uL m3 m³ cm3": "V volume",
        "g kg mg µg μg ug ng": "m M W mass weight biomass",
        "mol mmol µmol μmol": "n N amount",
        "K": "T θ theta temp temperature",
        "N": "F force thrust load",
        "V": "U V E u v voltage potential",
        "A": "I i current",
        "W": "P Q power",
        "J": "E Q W energy heat work",
        "F": "C capacitance",
        "M": "c concentration conc",
        "bar": "p P pressure",
    }.items()
    for unit in units.split()
}
"""What is measured in a unit: rain / day, cells / mL and C / N are no quantities over their own unit."""
_SYMBOL: Final = re.compile(r"[^\W\d_](?:_\w{1,3}|\d{1,2})?")
_COUNTS: Final = frozenset("cell cells iu od ppb torr none n.a. n.a na a.u. a.u au".split())
_LETTERS: Final = frozenset("smgGlLMVAWJNFTKCHhdU%‰Ω")
"""Single letters that are units; to pint most others are, too: c is the speed of light."""
ZERO_CELSIUS: Final = 273.15
"""Kelvins at 0 °C: added to a temperature it is one."""
_CELSIUS: Final = re.compile(r"(?:[°º]|deg(?:rees?)?\.?)\s*C(?:elsius)?|celsius", re.IGNORECASE)
_NO_UNIT: Final = re.compile(r"[\W_]*|1|a\.? ?u\.?|arb.*|none|n\.? ?a\.?|dimensionless|unitless", re.IGNORECASE)
_KELVIN: Final = re.compile(r"(?:[°º]|deg(?:rees?)?\.?)?\s*K(?:elvins?)?|kelvins?")
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


class Unit(NamedTuple):
    """A product of powers: of units by name, and of what they measure, which decides what may be added."""

    powers: "UnitsContainer"
    measures: "UnitsContainer"

    def times(self, other: "Unit", exponent: float = 1.0) -> "Unit":
        """Return self * other**exponent."""
        return Unit(self.powers * other.powers**exponent, self.measures * other.measures**exponent)


class NoUnit(Exception):
    """A term to which no unit can be given: `outer` is taken of something in `unit`, or `other` is added to it."""

    def __init__(self, outer: str, unit: Unit, other: Unit | None = None) -> None:
        super().__init__(outer)
        self.outer, self.unit, self.other = outer, unit, other


def own_unit(name: str = "") -> Unit:
    """Return a unit that measures nothing but itself, such as "pupils"; without a name, that of a plain number."""
    from pint.util import UnitsContainer  # noqa: PLC0415 - it takes most of a second to load, and only units need it

    powers = UnitsContainer({name: 1.0} if name else {})
    return Unit(powers, powers)


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


def is_celsius(text: str, *, of_heat: bool = False) -> bool:
    """Whether a unit is degrees Celsius, as people write it. of_heat: of a temperature, where C is no charge."""
    return _CELSIUS.fullmatch(text.strip()) is not None or (of_heat and text.strip() == "C")


def is_kelvin(text: str) -> bool:
    """Whether a unit is the kelvin, as people write it."""
    return _KELVIN.fullmatch(text.strip()) is not None


def is_none(text: str) -> bool:
    """Whether a text says that there is no unit, or none that is told."""
    return _NO_UNIT.fullmatch(text.strip()) is not None


def without_unit(name: str) -> str:
    """Return a name without a unit at its end, in brackets or told by `unit_behind`."""
    behind = unit_behind(name)
    return name.strip().removesuffix(behind).strip() if behind else _BRACKET.sub("", name).strip()


def unit_of(name: str, *, time: bool = False) -> str:
    """Return the unit that a name tells: at its end, in brackets or not, or by being a unit of time itself."""
    if over := _quotient(name)[1]:
        return over
    bracket = _BRACKET.search(name)
    if bracket and not bracket[1].strip().isdecimal():  # x (2) is the second x
        return bracket[1].strip()
    words = reversed(_WORD.findall(without_unit(name).lower())) if time else ()
    told = next((TIME_UNITS[word] for word in words if word in TIME_UNITS), "")
    return told or _ratio_behind(name)[1] or unit_behind(name)


@lru_cache(maxsize=1024)
def unit_behind(name: str) -> str:
    """Return the last word of a name where it can only be a unit: "m/s" of "v m/s"; empty of "sample A" and "C/N".

    A quotient by a time, a length, an amount or a volume, a product with a dot, a power, or one of a few symbols; also
    "per ml" of "cells per ml", whose unit is 1/ml, and "/ min" of "t / min", whose unit is min.
    """
    if over := _quotient(name)[0]:
        return over
    if _PER_LAST.search(name):
        return _ratio_behind(name)[0]
    found = _BEHIND.search(name.strip())
    if found is None:
        return ""
    word = found[1]
    if word in _SURE:
        return word
    over, by, under = word.partition("/")
    parts = re.findall(r"[^\W\d_]+", word)
    known = bool(parts) and all(len(part) > 1 or part in _LETTERS for part in parts)
    per = re.sub(r"\^?\d$|[²³]$", "", under)
    compound = per in _PER and over != under if by else any(sign in word for sign in "·^⁻²³")
    return word if known and compound and is_unit(word) else ""


@lru_cache(maxsize=1024)
def _quotient(name: str) -> tuple[str, str]:
    """Return "/ min" at the end of "t / min", as it is written, and the unit, min; else two empty texts."""
    found = _QUOTIENT.fullmatch(name.strip())
    if found is None:
        return "", ""
    above, behind, unit = found.groups()
    unit = re.sub(r"\s*/\s*", "/", unit[1:-1] if unit.startswith("(") and unit.endswith(")") else unit)
    if unit not in _PER and len(unit) > 1:
        unit = TIME_UNITS.get(unit.lower(), unit)
    last = above.split()[-1]
    has_unit = last in _SURE or (len(last) > 1 and last.lower() in TIME_UNITS)  # mg / L
    return (behind, unit) if not has_unit and _is_measured_in(unit, above) else ("", "")


def _is_measured_in(unit: str, quantity: str) -> bool:
    """Whether a unit that stands behind a quantity and a slash is its own, and neither a divisor nor a name."""
    time = "s" if unit in TIME_UNITS.values() or unit == "d" else ""
    if measured := _QUANTITIES.get(time or unit):
        words = {form for word in _WORD.findall(quantity) for form in (word, word.lower())}
        symbol = not time and len(unit) > 1 and _SYMBOL.fullmatch(quantity.strip("[]"))
        return bool(words & measured or symbol)
    if unit in _SURE or is_none(unit):
        return True
    parts = re.findall(r"[^\W\d_¹²³]+", unit)
    known = bool(parts) and all(part in _SURE or part in _PER or part in _LETTERS for part in parts)
    return known and bool(re.search(r"[/·*^⁻²³ ]|-\d", unit)) and is_unit(unit)


def _ratio_behind(name: str) -> tuple[str, str]:
    """Return "per ml" at the end of a name, as it is written, and the unit that it says, 1/ml; else two empty texts."""
    clean = name.strip()
    found = _RATIO_BEHIND.search(clean)
    under = _LITRES.get(found[2].lower(), found[2]) if found else ""
    if found is None or under not in _PER:
        return "", ""
    if found[1] in _SURE and not found.start():  # a unit alone is the name
        return "", ""
    above = found[1] if found[1] in _SURE or found[1] == "g" else ""
    start = found.start() if above else found.end(1)
    return clean[start:].strip(), f"{above or 1}/{under}"


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


# --- the unit of a term, by pint's arithmetic of exponents, without its table of units --------------


def unit_of_term(skeleton: Skeleton, units: Mapping[str, Unit]) -> Unit | None:
    """Return the unit of a term, by the units of its symbols; None where its inner numbers may take any.

    Raises:
        NoUnit: for a function of something with a unit, or a sum of unlike things, that no inner number mends.
    """
    return _unit(read(skeleton), units)


def units_inside(skeleton: Skeleton, units: Mapping[str, Unit]) -> dict[int, Unit]:
    """Return the units of a term's inner numbers, by their index, where those of its symbols leave no choice.

    Raises NoUnit as `unit_of_term`.
    """
    found: dict[int, Unit] = {}
    _hand_down(read(skeleton), None, units, found)
    return found


def _hand_down(node: Expr, wanted: Unit | None, units: Mapping[str, Unit], found: dict[int, Unit]) -> None:
    """Give what a node has to be in, None for anything, to the numbers in it."""
    match node:
        case Param(index) if wanted is not None:
            found.setdefault(index, wanted)
        case Add(parts):
            own = _unit(node, units)
            for part in parts:
                _hand_down(part, wanted if own is None else own, units, found)
        case Mul(parts):  # one factor of an open unit takes what the others leave
            own = [_unit(part, units) for part in parts]
            left = None
            if wanted is not None and own.count(None) == 1:
                left = reduce(lambda unit, one: unit.times(one, -1.0), filter(None, own), wanted)
            for part, unit in zip(parts, own, strict=True):
                _hand_down(part, left if unit is None else None, units, found)
        case Pow(base, Num(value)):
            root = own_unit().times(wanted, 1.0 / value) if wanted is not None and value else None
            _hand_down(base, root, units, found)
        case Pow(base, exponent):
            _hand_down(exponent, own_unit(), units, found)
            _hand_down(base, None, units, found)
        case Call(name, arg):
            _hand_down(arg, wanted if name == "abs" else None if name == "sign" else own_unit(), units, found)
        case _:
            pass


def _unit(node: Expr, units: Mapping[str, Unit]) -> Unit | None:
    match node:
        case Num():
            return own_unit()
        case Param():
            return None
        case Sym(name):
            return units[name]
        case Add(parts):
            known = _added(parts, [unit for part in parts if (unit := _unit(part, units)) is not None])
            if other := next((unit for unit in known if unit.measures != known[0].measures), None):
                raise NoUnit("a sum", known[0], other)
            return known[0] if known else None
        case Mul(parts):
            known = [unit for part in parts if (unit := _unit(part, units)) is not None]
            return reduce(Unit.times, known, own_unit()) if len(known) == len(parts) else None
        case Pow(base, exponent):
            return _power(_unit(base, units), exponent, units)
        case Call(name, arg):
            inside = _unit(arg, units)
            if inside is not None and inside.measures and name not in ("abs", "sign"):
                raise NoUnit(name, inside)
            return inside if name == "abs" else own_unit()


def _added(parts: tuple[Expr, ...], known: list[Unit]) -> list[Unit]:
    """The units in a sum; 273.15 takes that of a temperature."""
    if Num(ZERO_CELSIUS) in parts and any("[temperature]" in unit.measures for unit in known):
        return [unit for unit in known if unit.measures]
    return known


def _power(base: Unit | None, exponent: Expr, units: Mapping[str, Unit]) -> Unit | None:
    if isinstance(exponent, Num):
        return None if base is None else own_unit().times(base, exponent.value)
    above = _unit(exponent, units)
    if above is not None and above.measures:
        raise NoUnit("a power by the amount", above)
    if base is None or not base.measures or above is None:  # a fitted exponent: the coefficient takes what is left
        return None if base is None or base.measures else own_unit()
    raise NoUnit("a power that varies", base)
