"""Files to one table: text, plain or gzipped, workbooks and Parquet; several files are several runs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from dolq_core.data.dialect import AS_FOUND, Dialect
from dolq_core.data.files import decode, kind_of, load
from dolq_core.data.findings import Finding, Findings, TableError, refusal
from dolq_core.data.table import Column, Table, column_of, free_name, text_column
from dolq_core.data.text import grid_table, text_table
from dolq_core.data.typed import grid_of_sheet, parquet_table

WRITTEN: Final = ("kind", "encoding", "delimiter", "decimal", "header", "units_row", "sheet")
"""The fields of a table that say how its file is written."""


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
        unlike=tuple(what for what in WRITTEN if len({getattr(table, what) for table in tables}) > 1),
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
