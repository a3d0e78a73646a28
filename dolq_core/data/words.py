"""Words of headers: which name a time, a run, a row number, and which unit they tell; in four languages."""

import re
from collections.abc import Callable
from typing import Final

from dolq_core.data.units import BRACKET

TIME_UNITS: Final = {
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
UNIT_OF: Final = {word: unit for unit, words in TIME_UNITS.items() for word in words.split()}
TIME_WORDS: Final = frozenset(
    "t time times zeit temps tiempo tempo timestamp elapsed date datetime datum uhrzeit zeitpunkt zeitstempel messzeit "
    "fecha horodatage heure hora laufzeit clock zeiten tid tijd czas".split()
)
_SHORT: Final = frozenset({"s", "h", "d", "ms", "us", "ns", "min", "sec", "an", "ano", "std", "ora", "ore"})
# may name a state too: only when they increase
_CLEAR: Final = (TIME_WORDS | UNIT_OF.keys()) - _SHORT
RUN_WORDS: Final = frozenset(
    "run runs trial replicate replicates rep repeat experiment exp series batch trajectory versuch lauf durchgang "
    "wiederholung messreihe essai expérience série serie ensayo corrida experimento réplica replica".split()
)
SUBJECT_WORDS: Final = frozenset(
    "subject subjects participant patient animal specimen individual id proband versuchsperson sujet individu sujeto "
    "paciente".split()
)
INDEX_WORDS: Final = frozenset({"index", "idx", "row", "nr", "no", "id", "zeile", "ligne", "fila", "num", "n"})


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case, without a unit in brackets at its end."""
    return re.findall(r"[^\W_]+", BRACKET.sub("", name).lower())


def unit_of(name: str, *, time: bool = False) -> str:
    """Return the unit that a name tells: in brackets at its end, or by being a unit of time itself."""
    bracket = BRACKET.search(name)
    if bracket and not bracket[1].strip().isdecimal():  # x (2) is the second x
        return bracket[1].strip()
    return next((UNIT_OF[word] for word in reversed(words_of(name)) if time and word in UNIT_OF), "")


def names_time(name: str, increases: Callable[[str], bool]) -> bool:
    """Whether a name says time. Single capitals never do: T is a temperature, S a susceptible, H a host."""
    words = words_of(name)
    if not words or (len(words[0]) == 1 and not name.lstrip().startswith(words[0])):
        return False
    head, *tail = words
    plain = set(tail) <= UNIT_OF.keys()  # t, t_s, time (h), hour; not t_cells
    if (plain or (len(head) > 1 and set(tail) <= TIME_WORDS)) and head in _CLEAR:
        return True
    likely = plain if len(head) == 1 else head in _CLEAR | _SHORT or words[-1] in TIME_WORDS
    return likely and (head in _SHORT or len(head) > 1) and increases(name)
