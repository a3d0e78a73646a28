"""Data as people have them: a file is read to a `Table`, and a table is understood as a `Dataset`."""

from dolq_core.data.dataset import More, Reading, understand
from dolq_core.data.dialect import AS_FOUND, DELIMITERS, MARKS, Dialect
from dolq_core.data.findings import Finding, TableError
from dolq_core.data.preparation import prepare, read_preparation
from dolq_core.data.read import read_table, read_tables
from dolq_core.data.table import Table, column_of, free_name
from dolq_core.data.typed import table_from_arrow

__all__ = [
    "AS_FOUND", "DELIMITERS", "MARKS", "Dialect", "Finding", "More", "Reading", "Table", "TableError", "column_of",
    "free_name", "prepare", "read_preparation", "read_table", "read_tables", "table_from_arrow", "understand",
]  # fmt: skip
