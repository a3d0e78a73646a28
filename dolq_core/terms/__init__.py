"""The language of terms: read, put in normal form, evaluate and show. It knows no loop.

    text --parse_term--> skeleton --read--> tree --compile_columns--> columns for a fit
                            |                 |----compile_rhs------> right-hand sides for a solver
                            |                 `----to_text, to_python, to_latex
                            `-- the identity of a term: canonical text in safe symbols

Text is from language models and people, so it is never evaluated: an allow-list reads it.
"""

from dolq_core.terms.evaluate import compile_columns, compile_stack
from dolq_core.terms.expr import Expr, Skeleton
from dolq_core.terms.latex import latex_name, latex_number, to_latex
from dolq_core.terms.names import Names, safe_names
from dolq_core.terms.parse import ParsedTerm, count_params, parse_term, read, variables
from dolq_core.terms.rhs import compile_rhs
from dolq_core.terms.show import to_python, to_text

__all__ = [
    "Expr",
    "Names",
    "ParsedTerm",
    "Skeleton",
    "compile_columns",
    "compile_rhs",
    "compile_stack",
    "count_params",
    "latex_name",
    "latex_number",
    "parse_term",
    "read",
    "safe_names",
    "to_latex",
    "to_python",
    "to_text",
    "variables",
]
