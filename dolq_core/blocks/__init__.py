"""Building blocks: what laws may be made of, read from TOML, held against terms and fits, said in words."""

from dolq_core.blocks.reading import CALLED, read_blocks, read_signs
from dolq_core.blocks.rules import FREE, known_of, own_of, required, why_not, wrong_sign
from dolq_core.blocks.words import in_words

__all__ = [
    "CALLED",
    "FREE",
    "in_words",
    "known_of",
    "own_of",
    "read_blocks",
    "read_signs",
    "required",
    "why_not",
    "wrong_sign",
]
