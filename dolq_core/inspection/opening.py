"""Files as a person first sees them: the table or why there is none, and how the files are written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dolq_core.data import AS_FOUND, DELIMITERS, MARKS, Dialect, Finding, Table, TableError, read_tables
from dolq_core.data.findings import counted
from dolq_core.data.read import ENCODINGS, first_lines, kind_of, load
from dolq_core.data.table import Kind
from dolq_core.data.typed import sheets_of

_WORDS: Final[Mapping[str, str]] = {  # how a file is written, by the fields of a table
    "kind": "kind",
    "encoding": "encoding",
    "delimiter": "delimiter",
    "decimal": "decimal mark",
    "header": "row of names",
    "units_row": "row of units",
    "sheet": "sheet",
}


@dataclass(frozen=True, slots=True)
class OpenedFiles:
    """Files as they were read.

    Attributes:
        table: None where they cannot be read; the last finding says why.
        manner: how they are written, in a sentence; empty without a table.
        kind: of the first file: it says what of a `Dialect` applies.
        sheets: of a workbook.
        head: the first lines of a text file, as they are.
    """

    table: Table | None
    findings: tuple[Finding, ...]
    manner: str
    kind: Kind
    sheets: tuple[str, ...] = ()
    head: tuple[str, ...] = ()


def open_files(files: Sequence[tuple[str, bytes]], dialect: Dialect = AS_FOUND) -> OpenedFiles:
    """Read files, each a name and bytes, as `read_tables` does; what stops it is a finding, not an error."""
    kind, sheets, head = _outside(*files[0])
    try:
        table = read_tables(files, dialect)
    except TableError as error:
        return OpenedFiles(None, error.findings, "", kind, sheets, head)
    return OpenedFiles(table, table.findings, manner(table), kind, sheets, head)


def _outside(name: str, content: bytes) -> tuple[Kind, tuple[str, ...], tuple[str, ...]]:
    """Return what a file is, and its sheets or first lines, as far as it opens."""
    try:
        raw = load(content, name)
        kind = kind_of(raw)
        return kind, sheets_of(raw, "The file") if kind == "workbook" else (), first_lines(raw) * (kind == "text")
    except TableError:
        return "text", (), ()


def manner(table: Table) -> str:
    """Return how a file is written in one sentence; of several, how all of them are and in what they differ."""
    parts = [words for field, words in _manners(table) if field not in table.unlike]
    if table.sources:
        parts.insert(0, counted(len(table.sources), "file"))
    if table.unlike:
        parts.append("each file with its own " + " and ".join(_WORDS[field] for field in table.unlike))
    sentence = ", ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _manners(table: Table) -> Iterator[tuple[str, str]]:
    if table.kind == "parquet":
        yield "kind", "a Parquet file, whose columns have names and types"
        return
    if table.kind == "workbook":
        yield "sheet", f"the sheet '{table.sheet}' of a workbook"
    else:
        yield "encoding", f"{ENCODINGS.get(table.encoding, table.encoding.upper())} text"
        yield "delimiter", f"columns separated by {DELIMITERS[table.delimiter]}"
    yield "decimal", f"decimal {MARKS[table.decimal]}"
    yield "header", f"names in row {table.header}" if table.header else "no row of names"
    if table.units_row:
        yield "units_row", f"units in row {table.units_row}"
