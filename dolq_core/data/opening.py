"""Files to a table, or to why there is none: what a person sees first, with the way back to another reading."""

from collections.abc import Sequence
from dataclasses import dataclass

from dolq_core.data.columns import Kind, Table
from dolq_core.data.decode import first_lines
from dolq_core.data.dialect import AS_FOUND, Dialect
from dolq_core.data.findings import Finding, TableError
from dolq_core.data.manner import manner
from dolq_core.data.several import read_tables
from dolq_core.data.sources import kind_of, sheets_of, unpacked


@dataclass(frozen=True, slots=True)
class Opened:
    """Files as they were read.

    Attributes:
        table: None where they cannot be read; the last finding says why.
        manner: how they are written, in a sentence; empty without a table.
        kind: of the first file: it says what of a `Dialect` applies.
        sheets: of a workbook.
        head: the first lines of a text file, as they stand in it.
    """

    table: Table | None
    findings: tuple[Finding, ...]
    manner: str
    kind: Kind
    sheets: tuple[str, ...] = ()
    head: tuple[str, ...] = ()


def open_files(files: Sequence[tuple[str, bytes]], how: Dialect = AS_FOUND) -> Opened:
    """Read files, each a name and bytes, as `read_tables` does; what stops it is a finding, not an error."""
    try:
        table = read_tables(files, how)
    except TableError as error:
        return Opened(None, error.findings, "", *_outside(files[0][1]))
    kind, sheets, head = _outside(files[0][1])
    return Opened(table, table.findings, manner(table), kind, sheets, head)


def _outside(content: bytes) -> tuple[Kind, tuple[str, ...], tuple[str, ...]]:
    """Return what a file is, and its sheets or first lines, as far as it opens."""
    try:
        raw = unpacked(content, "The file")
        kind = kind_of(raw)
        return kind, sheets_of(raw, "The file") if kind == "workbook" else (), first_lines(raw) * (kind == "text")
    except TableError:
        return "text", (), ()
