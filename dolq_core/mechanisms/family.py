"""What a family of mechanisms is, and which subject a description is about.

Templates stand in the language of terms; {x} is the state whose equation it is, {y}, {z} and {w} are others.
Stems are beginnings of English words, or whole words where they end with a dot; a family is suggested when the
description, or the name or meaning of a variable, has a word that begins with one of them, and spoken against when the
description denies one ("without drag").
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from dolq_core.mechanisms.words import Words, begins, listed

Sign: TypeAlias = Literal["+", "-", "any"]
Stage: TypeAlias = Literal[1, 2, 3, 4, 5]
ONLY_BY_WORDS: Final = 5
"""Stage of a mechanism that words bring in, and nothing else but that no law of the others will do."""
Range: TypeAlias = Literal["any", "not negative"]


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of mechanism.

    Attributes:
        name: what a person calls it.
        forms: templates of its terms.
        meaning: a sentence in which {x}, {y}, {z} are the variables' own names.
        stems: beginnings of words that suggest it.
        rises, falls: those of the stems that say the sign of its coefficient.
        sign: the sign that its coefficient has where the mechanism works as described.
        range: what its variables have to be where the mechanism works as described.
        of_input: the sentence where {y} is an input, which no state turns into; empty where it is the same.
        only_of_inputs: words among those that suggest it which say nothing of {y} where it is a state.
        of_life: words among those that suggest it which are a reason only for what lives: yeast in a closed vessel.
        subject: the only subject of `SUBJECTS` that it belongs to; empty where it is at home in all.
        stage: iteration from which it is tried without being suggested; ONLY_BY_WORDS is last
            of all, where no law of the others will do.
        plain: needs no word in the description to make sense.
        simpler: templates of what its terms become where an inner parameter has a special value or none at all; they
            are tried in place of a fitted term.
    """

    name: str
    forms: tuple[str, ...]
    meaning: str
    stems: tuple[str, ...] = ()
    rises: tuple[str, ...] = ()
    falls: tuple[str, ...] = ()
    sign: Sign = "any"
    range: Range = "any"
    of_input: str = ""
    only_of_inputs: tuple[str, ...] = ()
    of_life: tuple[str, ...] = ()
    subject: str = ""
    stage: Stage = 2
    plain: bool = False
    simpler: tuple[str, ...] = ()


def stems(text: str) -> tuple[str, ...]:
    """Return the beginnings of words that a text lists, separated by spaces."""
    return tuple(text.split())


def forms(text: str) -> tuple[str, ...]:
    """Return the templates of terms that a text lists, separated by semicolons."""
    return tuple(text.split("; "))


MOTION = "motion and angles"
SUBJECTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        MOTION: (
            "angle", "angular", "turn", "rotat", "spin", "swing", "pendul", "orbit", "planet", "phase", "oscillat",
            "rhythm", "wave", "magnet", "orient", "direction", "heading", "speed", "veloc", "motion", "mov", "flight",
            "fly", "flies", "glid", "aircraft", "force", "torque", "spring", "weight", "drag", "friction", "gravit",
            "altitude", "distance", "stretch", "vibrat", "bead.", "ball.", "body", "particle", "trajector", "satellit",
        ),
        "chemistry": (
            "chemi", "react", "substance", "concentrat", "catal", "enzym", "precursor", "molecul", "compound",
            "dissolv", "solution", "inhibitor", "activator", "isomer", "dimer",
        ),
        "living things": (
            "populat", "species", "predat", "prey.", "hunt", "disease", "infect", "epidemic", "people", "cell.",
            "bacteri", "animal", "plant.", "tumo", "cancer", "yeast", "birth", "immun", "susceptib", "grazing",
        ),
        "heat and flow": ("heat", "cool", "warm", "temperature", "tank", "water", "evaporat", "boil"),
        "nerves": ("nerve", "neur", "firing", "perception", "synap"),
        "electricity": ("voltage", "capacit", "coil", "resistor", "circuit", "diode"),
    }
)  # fmt: skip
"""Words that tell what a description is about."""
ELSEWHERE = 2
"""Words on another subject from which a description is about that."""
MINOR = 0.25
"""Share of the words on subjects below which a subject is only touched."""


def foreign(family: Family, words: Words) -> str:
    """Say that a family belongs to a subject that the description does not speak of; empty when nothing tells so."""
    if not family.subject or words.suggesting(family.stems):
        return ""
    on = _subjects(words.said)
    whole = sum(map(len, on.values()))
    most = max(on, key=lambda subject: len(on[subject]))
    if len(on[family.subject]) >= max(1.0, MINOR * whole) or len(on[most]) < ELSEWHERE:
        return ""
    return f"The description speaks of {most} ({listed(on[most][:2], chr(39))}); this belongs to {family.subject}."


@lru_cache(maxsize=64)
def _subjects(said: tuple[str, ...]) -> Mapping[str, list[str]]:
    """Return the words that tell of each subject."""
    return {subject: [word for word in said if suggests(word, stems)] for subject, stems in SUBJECTS.items()}


def suggests(word: str, stems: Iterable[str]) -> bool:
    """Whether a word begins with one of the stems."""
    return any(begins(word, stem) for stem in stems)
