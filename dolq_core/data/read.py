"""Files to one table: text, plain or gzipped, workbooks and Parquet; several files are several runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from dolq_core.data.dialect import AS_FOUND, DELIMITERS, MARKS, Dialect
from dolq_core.data.files import ENCODINGS, decode, first_lines, kind_of, load
from dolq_core.data.findings import Finding, Findings, TableError, counted, refusal
from dolq_core.data.table import Column, Kind, Table, column_of, free_name, text_column
from dolq_core.data.text import grid_table, text_table
from dolq_core.data.typed import grid_of_sheet, parquet_table, sheets_of

_LAYOUT: Final[Mapping[str, str]] = {  # how a file is written, by the fields of a table
    "kind": "kind",
    "encoding": "encoding",
    "delimiter": "delimiter",
    "decimal": "decimal mark",
    "header": "row of names",
    "units_row": "row of units",
    "sheet": "sheet",
}


def read_table(source: Path | bytes, name: str = "", dialect: Dialect = AS_FOUND) -> Table:
    """Read a table from a file or its bytes; raise TableError with all that was found until then.

    dialect: what the person says of the way in which it is written; the rest is found, and noted as a finding.
    """
    name = name or (source.name if isinstance(source, Path) else "")
    thing = f"The file '{name}'" if name else "The file"
    findings = Findings()
    try:
        raw = load(source, name)
        match kind_of(raw):
            case "parquet":
                return parquet_table(raw, name, thing)
            case "workbook":
                grid, sheet, sheets = grid_of_sheet(raw, dialect.sheet, thing, findings)
                table = grid_table(grid, name, thing, findings, dialect)
                return replace(table, kind="workbook", sheet=sheet, sheets=sheets)
            case "text":
                text, encoding = decode(raw, thing, findings)
                del raw
                return text_table(text, name, thing, findings, encoding, dialect)
    except TableError as error:
        raise TableError((*findings, *error.findings)) from None


def read_tables(sources: Sequence[Path | tuple[str, bytes]], dialect: Dialect = AS_FOUND) -> Table:
    """Read files with the same columns as one table with a column that names the file of each row; raise TableError.

    sources: paths, or names with bytes. A single file is read as `read_table` reads it. dialect: of every file.
    """
    if not sources:
        raise refusal("files", "The files", "none is named", "Name at least one.")
    tables: list[Table] = []
    for source in sources:
        name, content = (source.name, source) if isinstance(source, Path) else source
        try:
            tables.append(read_table(content, name, dialect))
        except TableError as error:
            raise _in_file(name, error) if len(sources) > 1 else error from None
    return tables[0] if len(tables) == 1 else _joined(tables)


def _in_file(name: str, error: TableError) -> TableError:
    """Name the file in the error of one among several."""
    last = error.findings[-1]
    found = last.found if name in last.thing else f"in the file '{name}' {last.found}"
    return TableError((*error.findings[:-1], replace(last, found=found)))


def _joined(tables: Sequence[Table]) -> Table:
    first, labels = tables[0], _labels(tables)
    wanted = _own(first)
    for table in tables[1:]:
        _check_columns(first.name, wanted, table)
    parts, lengths = free_name("file", wanted), [len(table.rows) for table in tables]
    files = np.repeat(np.arange(len(tables)), lengths).tolist()
    columns = {parts: text_column(parts, {i: labels[k] for i, k in enumerate(files)}, len(files))}
    columns |= {own: _column(own, [table.columns[own] for table in tables]) for own in wanted}
    findings = Findings(_of_files(tables))
    hint = "Name another column with the run if that is wrong."
    findings.add("files", f"{len(tables)} files", f"each is a run, named in the column '{parts}'", hint)
    starts = np.cumsum([0, *lengths[:-1]]).tolist()
    return replace(
        first,
        name=labels[0] + f" and {len(tables) - 1} more",
        columns=columns,
        rows=tuple(row for table in tables for row in table.rows),
        findings=tuple(findings),
        units={own: unit for table in tables for own, unit in table.units.items()},
        parts=parts,
        sources=tuple(zip(labels, starts, strict=True)),
        unlike=tuple(what for what in _LAYOUT if len({getattr(table, what) for table in tables}) > 1),
    )


def _own(table: Table) -> list[str]:
    return [name for name in table.columns if name != table.parts]


def _labels(tables: Sequence[Table]) -> list[str]:
    """Return what each file is called, without its ending; whole and numbered where two are called the same."""
    stems = [table.name.split(".")[0] or table.name for table in tables]
    whole = stems if len(set(stems)) == len(stems) else [table.name for table in tables]
    return whole if len(set(whole)) == len(whole) else [f"{name} ({i})" for i, name in enumerate(whole, 1)]


def _check_columns(first: str, wanted: Sequence[str], table: Table) -> None:
    own = _own(table)
    thing, hint = f"The file '{table.name}'", "Give all files the same columns, with the same names."
    for name in wanted:
        if name not in own:
            raise refusal("files", thing, f"it has no column '{name}', but '{first}' has", hint)
    for name in own:
        if name not in wanted:
            raise refusal("files", thing, f"it has a column '{name}', but '{first}' has none", hint)


def _column(name: str, parts: Sequence[Column]) -> Column:
    starts = np.cumsum([0, *(len(part.values) for part in parts)]).tolist()
    written = {start + i: text for start, part in zip(starts, parts, strict=False) for i, text in part.written.items()}
    return column_of(name, np.concatenate([part.values for part in parts]), written)


def _of_files(tables: Sequence[Table]) -> Iterator[Finding]:
    """Yield the findings of all files; what is the same in each of them once, and any other with its file."""
    shared = [one for one in tables[0].findings if all(one in table.findings for table in tables)]
    yield from (replace(one, found=f"in every file {one.found}") for one in shared)
    for table in tables:
        yield from (replace(one, found=f"in '{table.name}' {one.found}") for one in table.findings if one not in shared)


@dataclass(frozen=True, slots=True)
class Opened:
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


def open_files(files: Sequence[tuple[str, bytes]], dialect: Dialect = AS_FOUND) -> Opened:
    """Read files, each a name and bytes, as `read_tables` does; what stops it is a finding, not an error."""
    kind, sheets, head = _outside(*files[0])
    try:
        table = read_tables(files, dialect)
    except TableError as error:
        return Opened(None, error.findings, "", kind, sheets, head)
    return Opened(table, table.findings, manner(table), kind, sheets, head)


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
        parts.append("each file with its own " + " and ".join(_LAYOUT[field] for field in table.unlike))
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
