"""Data as people have them: a file is read to a `Table`, and a table is understood as a `Dataset`.

    bytes --read--> text -----dialect--> cells --layout--> names and rows --numbers, dates--> Table   (joined by `text`)
      `-----------> workbook, Parquet, large text --typed--> the same by compiled libraries, tried in `sandbox` first
    Table --wide, preparation--> Table --roles, extra_roles--> Roles --dataset--> Dataset

What was found, assumed and left out on the way is a list of `findings`.
"""

from dolq_core.data.dataset import More, Reading, Said, understand
from dolq_core.data.dialect import AS_FOUND, DELIMITERS, MARKS, Dialect
from dolq_core.data.findings import LIMIT, Finding, TableError
from dolq_core.data.meant import all_meant, meant, none_meant
from dolq_core.data.preparation import prepare, read_preparation
from dolq_core.data.read import read_table, read_tables
from dolq_core.data.table import Table, column_of, free_name
from dolq_core.data.typed import table_from_arrow
from dolq_core.data.wide import SideBySide, side_by_side, stacked

__all__ = [
    "AS_FOUND", "DELIMITERS", "LIMIT", "MARKS", "Dialect", "Finding", "More", "Reading", "Said", "SideBySide", "Table",
    "TableError", "all_meant", "column_of", "free_name", "meant", "none_meant", "prepare", "read_preparation",
    "read_table", "read_tables", "side_by_side", "stacked", "table_from_arrow", "understand",
]  # fmt: skip
