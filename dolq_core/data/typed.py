"""What compiled libraries read: workbooks by calamine, Parquet and the body of a large plain text by Arrow.

What Arrow would read otherwise than we do (comments, blank lines, infinite or huge numbers, rows of another width,
quotation marks other than around whole cells of one line) is left to the reader of cells.
"""

# pyarrow has no stubs:
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.data.dates import are_iso
from dolq_core.data.dialect import CellGrid
from dolq_core.data.findings import Findings, check_cells, check_columns, check_names, quoted, refusal
from dolq_core.data.layout import SUMMARY, Layout
from dolq_core.data.numbers import EXACT, MISSING, extremes, is_missing, is_number, is_value, note_missing
from dolq_core.data.sandbox import check_opens
from dolq_core.data.table import Column, Labels, Table, column_of, short, text_column
from dolq_core.errors import did_you_mean

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook


Cell: TypeAlias = int | float | str | bool | time | date | datetime | timedelta


def sheets_of(raw: bytes, thing: str) -> tuple[str, ...]:
    """Return the names of the sheets of a workbook."""
    return tuple(_workbook(raw, thing).sheet_names)


def grid_of_sheet(raw: bytes, sheet: str, thing: str, findings: Findings) -> tuple[CellGrid, str]:
    """Return the cells of a sheet, the first with numbers where none is named, and its name."""
    book = _workbook(raw, thing)
    names = book.sheet_names
    if sheet and sheet not in names:
        hint = f"{did_you_mean(sheet, names)} There are {quoted(names)}.".strip()
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
    return CellGrid([i + 1 for i in filled], [cells[i] for i in filled], breaks=frozenset(breaks)), chosen


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


# --- the body of a large plain text, parsed by Arrow -----------------------------------------------


LARGE: Final = 1 << 17  # bytes; below it, importing Arrow costs more than it saves
_ORDINARY: Final = b"0123456789.,+-eE\n;\t| "
_QUOTE: Final = b'"'
_DOUBTFUL: Final = b"#!%/'()*?\xc2\xe2"  # the last two begin unusual blanks, dashes and minus signs
_MISSING: Final = sorted({form for mark in MISSING for form in (mark, mark.upper(), mark.title(), "NaN", "n/A")})


def parse_body(text: bytes, layout: Layout, row: int, delimiter: str, decimal: str) -> dict[str, Column] | None:
    """Return the columns of the rows from `row` on; None where a cell is not what the first rows promise."""
    offset = 0
    for _ in range(row - 1):
        offset = text.index(b"\n", offset) + 1
    arrays = _arrays(text, offset, layout.numeric, delimiter, decimal) if _is_plain(text, offset, delimiter) else None
    if arrays is None:
        return None
    columns: dict[str, Column] = {}
    for name, numeric in zip(layout.names, layout.numeric, strict=True):
        array = arrays.pop(0)  # no second copy of a long column
        column = _numbers(name, array) if numeric else _labels(name, array, first=not columns)
        if column is None:
            return None
        columns[name] = column
    return None if _has_empty_row(columns.values()) else columns


def _is_plain(text: bytes, offset: int, delimiter: str) -> bool:
    """Whether the body needs no more than splitting at delimiters and newlines."""
    rest = text.translate(None, _ORDINARY)[len(text[:offset].translate(None, _ORDINARY)) :]
    if any(byte in rest for byte in _DOUBTFUL) or (_QUOTE in rest and not _is_quoted(text, offset, delimiter)):
        return False
    if delimiter != " ":
        return True
    doubled = any(text.find(pair, offset) >= 0 for pair in (b"  ", b" \n", b"\n "))
    return not doubled and not text.startswith(b" ", offset)


def _is_quoted(text: bytes, offset: int, delimiter: str) -> bool:
    """Whether every quotation mark of the body opens or closes a whole cell, and none holds a newline."""
    body = np.frombuffer(text, dtype=np.uint8)[offset:]
    marks = np.flatnonzero(body == ord(_QUOTE))
    if delimiter == " " or len(marks) % 2:
        return False
    beside = np.array([ord(delimiter), ord("\n")], dtype=np.uint8)
    first, last = marks[::2], marks[1::2]
    opened = np.isin(body[first[first > 0] - 1], beside).all()
    closed = np.isin(body[last[last < len(body) - 1] + 1], beside).all()
    lines = np.flatnonzero(body == ord("\n"))
    return bool(opened and closed and (np.searchsorted(marks, lines) % 2 == 0).all())


def _arrays(text: bytes, offset: int, numeric: Iterable[bool], delimiter: str, decimal: str) -> list[Any] | None:
    """Return the columns as Arrow reads them; None when it finds another number of cells, or text among numbers."""
    import pyarrow as pa  # noqa: PLC0415  a fifth of a second to import, only where it saves more
    from pyarrow import csv  # noqa: PLC0415

    kinds = {str(j): pa.float64() if holds else pa.string() for j, holds in enumerate(numeric)}
    end = len(text)
    while text.endswith(b"\n\n", 0, end):
        end -= 1
    try:
        read = csv.read_csv(
            pa.BufferReader(pa.py_buffer(text).slice(offset, end - offset)),
            read_options=csv.ReadOptions(column_names=list(kinds), use_threads=False),
            parse_options=csv.ParseOptions(delimiter=delimiter, quote_char='"', ignore_empty_lines=False),
            convert_options=csv.ConvertOptions(column_types=kinds, null_values=_MISSING, decimal_point=decimal),
        )
    except pa.ArrowInvalid:
        return None
    return list(read.columns)


def _numbers(name: str, array: Any) -> Column | None:
    values: Floats = array.to_numpy()
    low, high = extremes(values)
    if not (-EXACT < low and high < EXACT):  # infinite, or perhaps whole numbers with lost digits
        return None
    values.setflags(write=False)
    gaps = np.flatnonzero(np.isnan(values)).tolist() if array.null_count else ()
    return Column(name, values, values, (), tuple(gaps))


def _labels(name: str, array: Any, *, first: bool) -> Column | None:
    """Return a column of words; None when one of them may be a gap, a number or the label of a footer."""
    coded = array.combine_chunks().dictionary_encode()
    labels = [str(label).strip() for label in coded.dictionary.to_pylist()]
    if not are_iso(labels):  # which are neither gaps nor numbers nor words
        if any(is_missing(label) or is_number(label) for label in labels):
            return None
        if first and any(set(label.lower().split()) & SUMMARY for label in labels):
            return None
    if len(set(labels)) < len(labels):
        return None
    codes = coded.indices.to_numpy()
    return Column(name, np.broadcast_to(np.nan, len(codes)), None, range(len(codes)), (), Labels(labels, codes))


def _has_empty_row(columns: Collection[Column]) -> bool:
    if not all(column.missing for column in columns):
        return False
    return bool(np.logical_and.reduce([np.isnan(column.values) for column in columns]).any())
