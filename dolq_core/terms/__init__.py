"""The language of terms: read, put in normal form, evaluate and show. It knows no loop.

    text --parse_term--> skeleton --read--> tree --compile_columns--> columns for a fit
                            |                 |----compile_rhs------> right-hand sides for a solver
                            |                 `----to_text, to_python, to_latex
                            `-- the identity of a term: canonical text in safe symbols

Text is from language models and people, so it is never evaluated: an allow-list reads it.
"""

from dolq_core.terms.evaluate import Column, Values, compile_columns, compile_stack, compile_values
from dolq_core.terms.expr import Skeleton
from dolq_core.terms.forms import in_sentence, read_form, without_log
from dolq_core.terms.functions import FUNCTIONS
from dolq_core.terms.jumps import compile_rhs
from dolq_core.terms.kinds import KINDS, Kind, calls, degree_of, is_of_kind
from dolq_core.terms.names import GREEK, Names, safe_names
from dolq_core.terms.opening import summands
from dolq_core.terms.parse import (
    ParsedTerm,
    ask_for_time,
    letters_in,
    parse_equation,
    parse_formula,
    parse_term,
    read_law,
)
from dolq_core.terms.reader import SHOWN, count_params, read, variables
from dolq_core.terms.show import (
    Syntax,
    filled,
    is_sum,
    latex_name,
    latex_text,
    open_sum,
    to_code,
    to_latex,
    to_python,
    to_text,
    to_words,
)
from dolq_core.terms.spelling import ARGUMENT

__all__ = [
    "ARGUMENT", "FUNCTIONS", "GREEK", "KINDS", "SHOWN", "Column", "Kind", "Names", "ParsedTerm", "Skeleton", "Syntax",
    "Values", "ask_for_time", "calls", "compile_columns", "compile_rhs", "compile_stack", "compile_values",
    "count_params", "degree_of", "filled", "in_sentence", "is_of_kind", "is_sum", "latex_name", "latex_text",
    "letters_in", "open_sum", "parse_equation",
    "parse_formula", "parse_term", "read", "read_form", "read_law", "safe_names", "to_code", "to_latex", "to_python",
    "summands", "to_text", "to_words", "variables", "without_log",
]  # fmt: skip
