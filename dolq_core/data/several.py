"""Several files as one table: each file is a run."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from dolq_core.arrays import frozen
from dolq_core.data.columns import Column, Table, column_of
from dolq_core.data.csv import read_table
from dolq_core.data.dialect import AS_FOUND, Dialect
from dolq_core.data.findings import Finding, Said, TableError, refusal
from dolq_core.data.naming import free_name

_WRITTEN: Final = ("kind", "encoding", "delimiter", "decimal", "header", "units_row", "sheet")  # fields of a table


def read_tables(sources: Sequence[Path | tuple[str, bytes]], how: Dialect = AS_FOUND) -> Table:
    """Read files with the same columns as one table with a column that names the file of each row; raise TableError.

    sources: paths, or names with bytes. A single file is read as `read_table` reads it. how: of every file.
    """
    if not sources:
        raise refusal("files", "The files", "none is named", "Name at least one.")
    tables: list[Table] = []
    for source in sources:
        name, content = (source.name, source) if isinstance(source, Path) else source
        try:
            tables.append(read_table(content, name, how))
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
    parts = free_name("file", wanted)
    places = np.repeat(np.arange(len(tables)), [len(table.rows) for table in tables])
    written = {i: labels[k] for i, k in enumerate(places.tolist())}
    columns = {parts: column_of(parts, frozen(np.full(len(places), np.nan)), range(len(places)), written)}
    columns |= {own: _column(own, [table.columns[own] for table in tables]) for own in wanted}
    said = Said(list(_of_files(tables)))
    hint = "Name another column with the run if that is wrong."
    said.add("files", f"{len(tables)} files", f"each is a run, named in the column '{parts}'", hint)
    starts = np.cumsum([0, *(len(table.rows) for table in tables[:-1])]).tolist()
    return replace(
        first,
        name=labels[0] + f" and {len(tables) - 1} more",
        columns=columns,
        rows=tuple(row for table in tables for row in table.rows),
        findings=tuple(said.all),
        units={own: unit for table in tables for own, unit in table.units.items()},
        parts=parts,
        sources=tuple(zip(labels, starts, strict=True)),
        unlike=tuple(what for what in _WRITTEN if len({getattr(table, what) for table in tables}) > 1),
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
    lacking = next((name for name in wanted if name not in own), None)
    extra = next((name for name in own if name not in wanted), None)
    thing, hint = f"The file '{table.name}'", "Give all files the same columns, with the same names."
    if lacking is not None:
        raise refusal("files", thing, f"it has no column '{lacking}', but '{first}' has", hint)
    if extra is not None:
        raise refusal("files", thing, f"it has a column '{extra}', but '{first}' has none", hint)


def _column(name: str, parts: Sequence[Column]) -> Column:
    written: dict[int, str] = {}
    odd: list[int] = []
    start = 0
    for part in parts:
        written |= {start + i: text for i, text in part.written.items()}
        odd += [start + i for i in part.odd]
        start += len(part.values)
    return column_of(name, frozen(np.concatenate([part.values for part in parts])), tuple(odd), written)


def _of_files(tables: Sequence[Table]) -> Iterator[Finding]:
    """Yield the findings of all files; what is the same in each of them once, and any other with its file."""
    shared = [one for one in tables[0].findings if all(one in table.findings for table in tables)]
    yield from (replace(one, found=f"in every file {one.found}") for one in shared)
    for table in tables:
        yield from (replace(one, found=f"in '{table.name}' {one.found}") for one in table.findings if one not in shared)
