"""Building blocks: what laws may be made of, read from TOML, held against terms and fits, said in words."""

from dolq_core.blocks.dimensions import adds_unlike, curve_of_amount, unit_fault, units_of
from dolq_core.blocks.letters import alone, apart
from dolq_core.blocks.reading import (
    CALLED,
    agree,
    blocks_of,
    read_blocks,
    read_choices,
    read_functions,
    read_hidden,
    read_second_order,
    read_signs,
)
from dolq_core.blocks.rules import FREE, first_word, is_known, own_of, required, why_not, wrong_sign
from dolq_core.blocks.statements import FORMS, both, listed, merged, read_statement
from dolq_core.blocks.systems import completed, is_joint, is_watched, joint, mirrored, why_broken, why_left, with_kin
from dolq_core.blocks.words import in_words, sum_text

__all__ = [
    "CALLED", "FORMS", "FREE", "adds_unlike", "agree", "alone", "apart", "blocks_of", "both", "completed",
    "curve_of_amount", "first_word", "in_words", "is_joint", "is_known", "is_watched", "joint", "listed", "merged",
    "mirrored", "own_of", "read_blocks", "read_choices", "read_functions", "read_hidden", "read_second_order",
    "read_signs", "read_statement", "required", "sum_text", "unit_fault", "units_of", "why_broken", "why_left",
    "why_not", "with_kin", "wrong_sign",
]  # fmt: skip
