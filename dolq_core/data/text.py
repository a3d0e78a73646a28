"""A text to a table: every cell is understood as a number or kept as text, so that nothing is silently garbage.

The header is the row of names above the first row of numbers; lines above it are left out. A file without one gets the
names t, x0, x1 ... when its first column increases throughout, else x0, x1 ... Whatever was assumed or left out is a
finding of the table; what cannot be trusted raises TableError with the row, the reason and the way out.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dolq_core.data.dates import join_date_and_clock
from dolq_core.data.dialect import AS_FOUND, CellGrid, Dialect, all_comments, split_text
from dolq_core.data.findings import Findings, TableError, check_columns, check_names, refusal
from dolq_core.data.layout import Layout, blocks, check_widths, lay_out, name_columns, select, trimmed
from dolq_core.data.numbers import (
    Marks,
    is_missing,
    is_number,
    marks_of,
    note_marks,
    note_missing,
    note_points,
    note_rounded,
    note_sentinels,
    note_spaced,
    number_and_unit,
    to_numbers,
)
from dolq_core.data.table import Column, Table, column_of, free_name
from dolq_core.data.typed import LARGE, parse_body

_HEAD = 1 << 16
_SEEN = 40  # letters of what is no table
_DATED = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d+:\d\d", re.ASCII)


def text_table(
    text: bytes, name: str, thing: str, findings: Findings, encoding: str = "utf-8", dialect: Dialect = AS_FOUND
) -> Table:
    """Return the table in a text; a large one is parsed by Arrow where that changes nothing."""
    found = fast_table(text, name, thing, findings, dialect) if len(text) >= LARGE else None
    if found is None:
        found = grid_table(split_text(text.decode("utf-8"), thing, dialect, findings), name, thing, findings, dialect)
    return replace(found, encoding=encoding)


def grid_table(grid: CellGrid, name: str, thing: str, findings: Findings, dialect: Dialect = AS_FOUND) -> Table:
    """Return the table in rows of cells."""
    check_columns(max(map(len, grid.cells)), thing)
    layout = lay_out(grid, findings, dialect.header)
    if layout.start >= len(grid.cells):
        raise _without_rows(grid, layout, thing)
    kept = select(grid, layout, findings)
    if not kept:
        raise refusal("empty", thing, "all cells under the header are empty", "Choose a table with numbers in it.")
    check_widths(grid, layout, kept, findings)
    rows, wide = tuple(grid.rows[i] for i in kept), len(layout.names)
    written = list(zip(*((grid.cells[i] + [""] * wide)[:wide] for i in kept), strict=True))
    names = name_columns(layout, written, findings)
    check_names(names, thing)
    units = {own: unit for own, unit in zip(names, layout.units, strict=False) if unit and own}
    cells = {own: _without_unit(own, one, units, findings) for own, one in zip(names, written, strict=True) if own}
    marks = _marks(cells, rows, grid, dialect, findings)
    columns = {own: _column(own, one, rows, marks, findings) for own, one in cells.items()}
    columns = join_date_and_clock(columns, findings)
    parts = _add_blocks(columns, blocks(grid, layout, kept))
    return _table(name, columns, rows, findings, grid, layout, marks, units, parts)


def _without_rows(grid: CellGrid, layout: Layout, thing: str) -> TableError:
    """Return the refusal of a table in which nothing stands below the header, or what was taken as one."""
    if any(row > layout.row for row in grid.comments):
        return all_comments(grid.comments, thing, layout.row)
    reason, only = "it has a header and no rows", grid.cells[0]
    if len(grid.cells) == len(trimmed(only)) == 1:
        reason = f"it is no table: all it holds is '{only[0] if len(only[0]) <= _SEEN else f'{only[0][:_SEEN]}...'}'"
    return refusal("empty", thing, reason, "Choose a table with at least five rows of numbers.")


def fast_table(text: bytes, name: str, thing: str, findings: Findings, dialect: Dialect = AS_FOUND) -> Table | None:
    """Return the table in a large text; None where a cell needs more than Arrow does.

    What the columns are is taken from the first rows; `parse_body` refuses a cell that is something else.
    """
    head, own = text[: text.rfind(b"\n", 0, _HEAD) + 1], Findings(findings)
    try:
        grid = split_text(head.decode("utf-8"), thing, dialect, own)
        layout = _with_dates_as_text(lay_out(grid, own, dialect.header), grid)
        if dialect.comment or not _is_regular(grid, layout, head):  # a mark of one's own may be anywhere
            return None
        first = dict(zip(layout.names, zip(*grid.cells[layout.start :], strict=True), strict=True))
        marks = _marks(first, grid.rows[layout.start :], grid, dialect, own)
    except TableError:  # the other reader says it better: it sees the whole file
        return None
    columns = (
        None if marks.thousands else parse_body(text, layout, grid.rows[layout.start], grid.delimiter, marks.decimal)
    )
    if columns is None:
        return None
    check_columns(len(columns), thing)
    check_names(list(columns), thing)
    start = grid.rows[layout.start]
    rows = range(start, start + len(next(iter(columns.values())).values))
    for column in columns.values():
        note_missing(column, rows, own)
        if column.numbers is not None:
            note_sentinels(column, rows, own)
    units = {own: unit for own, unit in zip(layout.names, layout.units, strict=False) if unit}
    table = _table(name, join_date_and_clock(columns, own), rows, own, grid, layout, marks, units)
    findings[:] = own
    return table


def _with_dates_as_text(layout: Layout, grid: CellGrid) -> Layout:
    """Return the layout in which a column of dates counts as text, which is what Arrow shall read it as."""
    body = grid.cells[layout.start :]
    dated = [all(j < len(row) and _DATED.match(row[j]) for row in body) for j in range(len(layout.numeric))]
    numeric = tuple(holds and not date for holds, date in zip(layout.numeric, dated, strict=True))
    return replace(layout, numeric=numeric)


def _is_regular(grid: CellGrid, layout: Layout, head: bytes) -> bool:
    """Whether the first rows are lines of one width, with own names, and columns of numbers or of words."""
    wide, body = len(layout.names), grid.cells[layout.start :]
    if wide < 2 or not body or any(len(row) != wide for row in body) or len(layout.numeric) != wide:
        return False
    if not all(layout.names) or len(set(layout.names)) < wide or not any(layout.numeric):
        return False
    if grid.rows[-1] != head.count(b"\n"):  # a quoted cell goes on in the next line
        return False
    numbers = [j for j in range(wide) if layout.numeric[j]]
    return all(is_number(row[j]) or is_missing(row[j]) for row in body for j in numbers)


def _marks(
    cells: Mapping[str, Sequence[str]], rows: Sequence[int], grid: CellGrid, dialect: Dialect, findings: Findings
) -> Marks:
    marks = marks_of(cells, rows, grid.delimiter, dialect.decimal)
    if not dialect.decimal:
        note_marks(marks, findings)
        if grid.delimiter == ";":
            note_points(cells, rows, marks, findings)
    if grid.comments:
        hint = "Say what a comment begins with, or that there is none, if these are rows of the table."
        findings.add("comment", "comment", "left out", hint, grid.comments, severity="left out")
    return marks


def _without_unit(own: str, cells: tuple[str, ...], units: dict[str, str], findings: Findings) -> tuple[str, ...]:
    """Take the unit off the numbers when every cell that is not missing has the same one."""
    first = next((cell for cell in cells if not is_missing(cell)), "")
    number, unit = ("", "") if is_number(first) else number_and_unit(first)
    if not is_number(number) or not all(cell.endswith(unit) or is_missing(cell) for cell in cells):
        return cells
    plain = tuple(cell if is_missing(cell) else cell.removesuffix(unit).strip() for cell in cells)
    if not all(is_number(cell) or is_missing(cell) for cell in plain):
        return cells
    assumed = f"the numbers were taken as they are, in the unit '{unit}'"
    findings.add("cell-unit", f"numbers are followed by a unit, as in '{first}'", assumed, column=own)
    units.setdefault(own, unit)
    return tuple("" if is_missing(cell) else cell for cell in plain)


def _column(name: str, cells: tuple[str, ...], rows: Sequence[int], marks: Marks, findings: Findings) -> Column:
    note_spaced(cells, name, rows, findings)
    column = column_of(name, *to_numbers(cells, marks))
    note_missing(column, rows, findings)
    if column.numbers is not None:
        note_rounded(column, cells, rows, findings)
        note_sentinels(column, rows, findings)
    return column


def _add_blocks(columns: dict[str, Column], numbers: Sequence[int]) -> str:
    """Add a column with the number of the block where blank lines make several of at least two rows; name it."""
    if numbers[-1] == 1 or numbers[-1] * 2 > len(numbers):
        return ""
    name = free_name("block", columns)
    columns[name] = column_of(name, np.array(numbers, dtype=np.float64))
    return name


def _table(
    name: str,
    columns: Mapping[str, Column],
    rows: Sequence[int],
    findings: Findings,
    grid: CellGrid,
    layout: Layout,
    marks: Marks,
    units: Mapping[str, str],
    parts: str = "",
) -> Table:
    return Table(
        name, columns, rows, tuple(findings), delimiter=grid.delimiter, decimal=marks.decimal, units=units,
        parts=parts, header=layout.row if layout.header else 0, units_row=layout.units_row,
    )  # fmt: skip
