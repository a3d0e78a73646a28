"""What is known in general about mechanisms: their terms, the words that suggest them, the subjects they belong to."""

from dolq_core.mechanisms.composed import MOST_VARIABLES, Composed, composed, is_composed
from dolq_core.mechanisms.entries import (
    GIVEN,
    RATE,
    WAVE,
    Entry,
    entries,
    explanations,
    given_terms,
    spoken_for,
    turned,
)
from dolq_core.mechanisms.families import FAMILIES, family
from dolq_core.mechanisms.family import ONLY_BY_WORDS, SUBJECTS, Family, foreign, suggests
from dolq_core.mechanisms.heat import counts_from_zero
from dolq_core.mechanisms.words import (
    Words,
    begins,
    is_angle,
    is_in_degrees,
    listed,
    read,
    speaks_of_another,
    words_in,
    words_of,
)

__all__ = [
    "FAMILIES", "GIVEN", "MOST_VARIABLES", "ONLY_BY_WORDS", "RATE", "SUBJECTS", "WAVE", "Composed", "Entry", "Family",
    "Words", "begins", "composed", "counts_from_zero", "entries", "explanations", "family", "foreign", "given_terms",
    "is_angle", "is_composed", "is_in_degrees", "listed", "read", "speaks_of_another", "spoken_for", "suggests",
    "turned", "words_in", "words_of",
]  # fmt: skip
