"""Files whose cells have types: workbooks by calamine, Parquet by Arrow."""

# pyarrow has no stubs:
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from difflib import get_close_matches
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.data.dialect import CellGrid
from dolq_core.data.findings import Findings, check_cells, check_columns, check_names, quoted, refusal
from dolq_core.data.numbers import is_missing, is_value, note_missing
from dolq_core.data.sandbox import check_opens
from dolq_core.data.table import Column, Table, column_of, short, text_column

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

Cell: TypeAlias = int | float | str | bool | time | date | datetime | timedelta


def sheets_of(raw: bytes, thing: str) -> tuple[str, ...]:
    """Return the names of the sheets of a workbook."""
    return tuple(_workbook(raw, thing).sheet_names)


def grid_of_sheet(raw: bytes, sheet: str, thing: str, findings: Findings) -> tuple[CellGrid, str, tuple[str, ...]]:
    """Return the cells of a sheet, the first with numbers where none is named; its name; and those of all."""
    book = _workbook(raw, thing)
    names = book.sheet_names
    if sheet and sheet not in names:
        near = get_close_matches(sheet, names, n=1)
        hint = (f"Did you mean '{near[0]}'? " if near else "") + f"There are {quoted(names)}."
        raise refusal("sheet", f"The sheet '{sheet}'", "the workbook has no sheet of that name", hint)
    chosen, cells = sheet or names[0], _cells(book, sheet or names[0])
    if not sheet:
        candidates = ((name, found) for name in names if _has_numbers(found := _cells(book, name)))
        chosen, cells = next(candidates, (chosen, cells))
    if not sheet and len(names) > 1:
        findings.add("sheet", f"the sheets are {quoted(names)}", f"'{chosen}' was taken", "Say another one.")
    filled = [i for i, row in enumerate(cells) if any(row)]
    if not filled:
        raise refusal("empty", thing, f"the sheet '{chosen}' is empty", "Choose a sheet with a header and numbers.")
    for i in filled:
        check_cells(cells[i], i + 1)
    breaks = {place for place, i in enumerate(filled) if place and i - filled[place - 1] > 1}
    return CellGrid([i + 1 for i in filled], [cells[i] for i in filled], breaks=frozenset(breaks)), chosen, tuple(names)


def _workbook(raw: bytes, thing: str) -> "CalamineWorkbook":
    from python_calamine import CalamineError, CalamineWorkbook  # noqa: PLC0415  only where a workbook is read

    check_opens(raw, "workbook", thing)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(raw))
    except CalamineError as error:
        hint = "Take its password off, or save the table as CSV (UTF-8)."
        raise refusal("unreadable", thing, f"this workbook cannot be read ({error})", hint) from None
    if not book.sheet_names:
        raise refusal("empty", thing, "the workbook has no sheets", "Save the table as CSV (UTF-8).")
    return book


def _cells(book: "CalamineWorkbook", sheet: str) -> list[list[str]]:
    return [[_text(cell) for cell in row] for row in book.get_sheet_by_name(sheet).to_python(skip_empty_area=False)]


def _text(cell: Cell) -> str:
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return short(cell)
    if isinstance(cell, timedelta):
        return short(cell.total_seconds() / 86400.0)
    return (cell.isoformat() if isinstance(cell, date | time) else str(cell)).strip()


def _has_numbers(cells: Sequence[list[str]]) -> bool:
    return sum(any(cell and is_value(cell) for cell in row) for row in cells) > 1


def parquet_table(raw: bytes, name: str, thing: str) -> Table:
    """Return what a Parquet file holds."""
    import pyarrow as pa  # noqa: PLC0415  a fifth of a second to import, only where it is needed
    from pyarrow import parquet  # noqa: PLC0415

    check_opens(raw, "parquet", thing)
    try:
        read = parquet.read_table(pa.BufferReader(raw))
    except (pa.ArrowException, OSError) as error:
        raise refusal("unreadable", thing, f"this Parquet file cannot be read ({error})", "Write it again.") from None
    return table_from_arrow(read, name, thing)


def table_from_arrow(read: Any, name: str, thing: str) -> Table:
    """Return the table of an Arrow table; its first row counts as row 2, as under a header."""
    if not read.num_rows or not read.num_columns:
        raise refusal("empty", thing, "it has no rows", "Choose a table with at least five rows of numbers.")
    names = ["index" if own.startswith("__index_level_") else own for own in read.column_names]
    check_columns(len(names), thing)
    check_names(names, thing)
    own, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise refusal("duplicate-name", thing, f"the name '{own}' is above more than one column", "Rename one.")
    rows, findings = range(2, read.num_rows + 2), Findings()
    columns = {own: _column(own, values) for own, values in zip(names, read.columns, strict=True)}
    for column in columns.values():
        note_missing(column, rows, findings)
    return Table(name, columns, rows, tuple(findings), kind="parquet")


def _column(name: str, values: Any) -> Column:
    """Return a column; booleans and nested values are text."""
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import compute  # noqa: PLC0415

    kind = values.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        numbers: Floats = compute.cast(values, pa.float64(), safe=False).to_numpy()
        return column_of(name, np.array(numbers))
    texts = ["" if cell is None else str(cell).strip() for cell in values.to_pylist()]
    for row, text in enumerate(texts, 2):
        check_cells((text,), row)
    return text_column(name, {i: text for i, text in enumerate(texts) if not is_missing(text)}, len(texts))
