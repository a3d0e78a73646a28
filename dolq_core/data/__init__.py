"""Data as people have them: a file is read to a `Table`, and a table is understood as a `Dataset`."""

from dolq_core.data.clean_table import Rows, clean, first_cells, first_rows
from dolq_core.data.clean_table import names as clean_names
from dolq_core.data.dataset import More, Reading, understand
from dolq_core.data.dialect import AS_FOUND, DELIMITERS, MARKS, Dialect
from dolq_core.data.findings import Finding, Listed, TableError, listed
from dolq_core.data.guesses import ROLES, Guess, guesses
from dolq_core.data.preparation import prepare, read_preparation
from dolq_core.data.read import Opened, open_files, read_table, read_tables
from dolq_core.data.report import Inspection, inspect_table, lines, report
from dolq_core.data.table import Table, column_of, free_name
from dolq_core.data.typed import table_from_arrow

__all__ = [
    "AS_FOUND",
    "DELIMITERS",
    "MARKS",
    "ROLES",
    "Dialect",
    "Finding",
    "Guess",
    "Inspection",
    "Listed",
    "More",
    "Opened",
    "Reading",
    "Rows",
    "Table",
    "TableError",
    "clean",
    "clean_names",
    "column_of",
    "first_cells",
    "first_rows",
    "free_name",
    "guesses",
    "inspect_table",
    "lines",
    "listed",
    "open_files",
    "prepare",
    "read_preparation",
    "read_table",
    "read_tables",
    "report",
    "table_from_arrow",
    "understand",
]
