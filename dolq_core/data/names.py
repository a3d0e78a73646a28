"""What the words above a table tell: which name a time, a run, a row number, and the units of columns."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from dolq_core.units import TIME_UNITS, is_unit

BRACKET: Final = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*$")
TIME_WORDS: Final = frozenset(
    "t time times zeit temps tiempo tempo timestamp elapsed date datetime datum uhrzeit zeitpunkt zeitstempel messzeit "
    "fecha horodatage heure hora laufzeit clock zeiten tid tijd czas".split()
)
RUN_WORDS: Final = frozenset(
    "run runs trial replicate replicates rep repeat experiment exp series batch trajectory versuch lauf durchgang "
    "wiederholung messreihe essai expérience série serie ensayo corrida experimento réplica replica".split()
)
SUBJECT_WORDS: Final = frozenset(
    "subject subjects participant patient animal specimen individual id proband versuchsperson sujet individu sujeto "
    "paciente".split()
)
INDEX_WORDS: Final = frozenset({"index", "idx", "row", "nr", "no", "id", "zeile", "ligne", "fila", "num", "n"})
_SHORT: Final = frozenset({"s", "h", "d", "ms", "us", "ns", "min", "sec", "an", "ano", "std", "ora", "ore"})
"""Units of time that may name a state, too: they name a time only where it increases."""
_CLEAR: Final = (TIME_WORDS | TIME_UNITS.keys()) - _SHORT
_WITH_UNIT: Final = re.compile(r"([-+\u2212]?[\d.,'eE+\-\u2019\u00a0\u202f\u2009 ]*[\d.,])\s*(\D.*)")
_DASHES: Final = re.compile(r"[-\u2013\u20141]?")


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case, without a unit in brackets at its end."""
    return re.findall(r"[^\W_]+", without_unit(name).lower())


def without_unit(name: str) -> str:
    """Return a name without a unit in brackets at its end."""
    return BRACKET.sub("", name).strip()


def unit_of(name: str, *, time: bool = False) -> str:
    """Return the unit that a name tells: in brackets at its end, or by being a unit of time itself."""
    bracket = BRACKET.search(name)
    if bracket and not bracket[1].strip().isdecimal():  # x (2) is the second x
        return bracket[1].strip()
    return next((TIME_UNITS[word] for word in reversed(words_of(name)) if time and word in TIME_UNITS), "")


def names_time(name: str, increases: Callable[[str], bool]) -> bool:
    """Whether a name says time. Single capitals never do: T is a temperature, S a susceptible, H a host."""
    words = words_of(name)
    if not words or (len(words[0]) == 1 and not name.lstrip().startswith(words[0])):
        return False
    head, *tail = words
    plain = set(tail) <= TIME_UNITS.keys()  # t, t_s, time (h), hour; not t_cells
    if (plain or (len(head) > 1 and set(tail) <= TIME_WORDS)) and head in _CLEAR:
        return True
    likely = plain if len(head) == 1 else head in _CLEAR | _SHORT or words[-1] in TIME_WORDS
    return likely and (head in _SHORT or len(head) > 1) and increases(name)


def is_units_row(cells: Sequence[str]) -> bool:
    """Whether the cells of a row are units, or nothing; one unit at least."""
    filled = [cell for cell in cells if not _DASHES.fullmatch(cell.strip("()[] "))]
    return bool(filled) and all(_is_bracketed(cell) or is_unit(cell.strip("()[] ")) for cell in filled)


def _is_bracketed(cell: str) -> bool:
    return cell[:1] + cell[-1:] in ("()", "[]") and len(cell) <= 20


def bare_unit(cell: str) -> str:
    """Return a unit without its brackets; empty for a dash."""
    return cell.strip("()[] ").lstrip("-\u2013\u2014")


def number_and_unit(cell: str) -> tuple[str, str]:
    """Return a number and the unit behind it ("12,5 %" is "12,5" and "%"); two empty texts when there is none."""
    found = _WITH_UNIT.fullmatch(cell)
    return (found[1].strip(), found[2].strip()) if found and is_unit(found[2].strip()) else ("", "")
