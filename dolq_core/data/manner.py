"""How a file is written, as it was read: a sentence, and what of it a person may say otherwise."""

from collections.abc import Iterator, Mapping
from typing import Final

from dolq_core.data.columns import Table
from dolq_core.data.decode import NAMES
from dolq_core.data.dialect import DELIMITERS
from dolq_core.data.findings import counted

MARKS: Final = {".": "points", ",": "commas"}
_OWN: Final[Mapping[str, str]] = {  # what a file may do in its own way, by the fields of a table
    "kind": "kind",
    "encoding": "encoding",
    "delimiter": "delimiter",
    "decimal": "decimal mark",
    "header": "row of names",
    "units_row": "row of units",
    "sheet": "sheet",
}


def manner(table: Table) -> str:
    """Return how a file is written in one sentence; of several, how all of them are and in what they differ."""
    said = ", ".join(_parts(table))
    return f"{said[:1].upper()}{said[1:]}."


def _parts(table: Table) -> Iterator[str]:
    if table.sources:
        yield counted(len(table.sources), "file")
    yield from (words for field, words in _fields(table) if field not in table.unlike)
    if table.unlike:
        yield "each file with its own " + " and ".join(_OWN[field] for field in table.unlike)


def _fields(table: Table) -> Iterator[tuple[str, str]]:
    if table.kind == "parquet":
        yield "kind", "a Parquet file, whose columns have names and types"
        return
    if table.kind == "workbook":
        yield "sheet", f"the sheet '{table.sheet}' of a workbook"
    else:
        yield "encoding", f"{NAMES.get(table.encoding, table.encoding.upper())} text"
        yield "delimiter", f"columns separated by {DELIMITERS[table.delimiter]}"
    yield "decimal", f"decimal {MARKS[table.decimal]}"
    yield "header", f"names in row {table.header}" if table.header else "no row of names"
    if table.units_row:
        yield "units_row", f"units in row {table.units_row}"
