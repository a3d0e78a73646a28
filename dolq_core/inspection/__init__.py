"""What a person sees of a table before a run: how it was read and understood, and what was assumed."""

from dolq_core.inspection.clean_table import Rows, clean, first_cells, first_rows
from dolq_core.inspection.clean_table import names as clean_names
from dolq_core.inspection.guesses import ROLES, Guess, guesses, label_of_restarts, many_words, short_names
from dolq_core.inspection.report import (
    Inspection,
    Listed,
    OpenedFiles,
    inspect_table,
    lines,
    listed,
    open_files,
    report,
)

__all__ = [
    "ROLES", "Guess", "Inspection", "Listed", "OpenedFiles", "Rows", "clean", "clean_names", "first_cells",
    "first_rows", "guesses", "inspect_table", "label_of_restarts", "lines", "listed", "many_words", "open_files",
    "report", "short_names",
]  # fmt: skip
