"""A file to a table: every cell is understood as a number or kept as text, so that nothing is silently garbage.

The header is the row of names above the first row of numbers; lines of explanation above it are left out. A file
without one gets the names t, x0, x1 ... when its first column increases throughout, else x0, x1 ... Whatever was
assumed or left out is a finding of the table; what cannot be trusted raises TableError with the row, the reason and
the way out.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dolq_core.arrays import frozen
from dolq_core.data.body import blocks, select
from dolq_core.data.bounds import check_columns, check_names
from dolq_core.data.clock import joined_moments
from dolq_core.data.columns import Column, Table, column_of
from dolq_core.data.decode import decode
from dolq_core.data.dialect import AS_FOUND, Dialect, Grid, find_delimiter, grid_of, split_lines
from dolq_core.data.findings import Said, TableError, refusal
from dolq_core.data.layout import lay_out
from dolq_core.data.naming import free_name, names_of
from dolq_core.data.numbers import Marks, is_missing, is_number, marks_of, to_numbers
from dolq_core.data.parquet import is_parquet, parquet_table
from dolq_core.data.quick import FROM, quick_table
from dolq_core.data.remarks import (
    say_comments,
    say_delimiter,
    say_marks,
    say_missing,
    say_rounded,
    say_sentinel,
    say_spaced,
)
from dolq_core.data.sources import grid_of_sheet, is_workbook, load, unpacked
from dolq_core.data.units import behind
from dolq_core.data.widths import check_widths


def read_table(source: Path | bytes, name: str = "", how: Dialect = AS_FOUND) -> Table:
    """Read a table from a text file, plain or gzipped, a workbook or a Parquet file; raise TableError.

    how: what the person says of the way in which it is written; the rest is found, and said as a finding.
    """
    said = Said()
    try:
        return _read(source, name, how, said)
    except TableError as error:
        raise TableError((*said.all, *error.findings)) from None


def _read(source: Path | bytes, name: str, how: Dialect, said: Said) -> Table:
    raw, name = load(source, name)
    thing = f"The file '{name}'" if name else "The file"
    raw = unpacked(raw, thing)
    if is_parquet(raw):
        return parquet_table(raw, name, thing, said)
    if is_workbook(raw):
        grid, sheet, sheets = grid_of_sheet(raw, how.sheet, thing, said)
        table = table_of(grid, name, thing, said, delimiter="", how=how)
        return replace(table, kind="workbook", sheet=sheet, sheets=sheets)
    text, encoding = decode(raw, thing, said)
    del raw
    return _text_table(text, name, thing, said, encoding, how)


def _text_table(text: bytes, name: str, thing: str, said: Said, encoding: str, how: Dialect) -> Table:
    table = quick_table(text, name, thing, said, encoding, how) if len(text) >= FROM else None
    if table is None:
        return slow_table(text, name, thing, said, encoding, how)
    check_columns(len(table.columns), thing)
    check_names(list(table.columns), thing)
    return table


def slow_table(
    text: bytes, name: str, thing: str, said: Said, encoding: str = "utf-8", how: Dialect = AS_FOUND
) -> Table:
    """Return the table in a text, cell by cell."""
    lines = split_lines(text.decode("utf-8"), thing, how.comment)
    if not lines.rows:
        raise refusal("empty", thing, "it is empty", "Choose a table with a header and at least five rows of numbers.")
    delimiter = how.delimiter or find_delimiter(lines.text)
    if not how.delimiter:
        say_delimiter(delimiter, said)
    return table_of(grid_of(lines, delimiter), name, thing, said, encoding, delimiter, how)


def table_of(
    grid: Grid,
    name: str,
    thing: str,
    said: Said,
    encoding: str = "utf-8",
    delimiter: str = ",",
    how: Dialect = AS_FOUND,
) -> Table:
    """Return the table in rows of cells."""
    check_columns(max(map(len, grid.cells)), thing)
    layout = lay_out(grid, delimiter, said, how.header)
    if layout.start >= len(grid.cells):
        raise refusal(
            "empty", thing, "it has a header and no rows", "Choose a table with at least five rows of numbers."
        )
    kept = select(grid, layout, said)
    if not kept:
        raise refusal("empty", thing, "all cells under the header are empty", "Choose a table with numbers in it.")
    rows = tuple(grid.rows[i] for i in kept)
    check_widths([(grid.rows[i], grid.cells[i]) for i in kept], (layout.row, len(layout.names)), delimiter, said)
    columns = _columns(grid, kept, len(layout.names))
    names = names_of(layout, columns, said)
    check_names(names, thing)
    units = {own: unit for own, unit in zip(names, layout.units, strict=False) if unit and own}
    found = {own: cells for own, cells in zip(names, columns, strict=True) if own}
    found = {own: _without_unit(own, cells, units, said) for own, cells in found.items()}
    marks = marks_of(found, rows, delimiter, how.decimal)
    if not how.decimal:
        say_marks(marks, said)
    if grid.comments:
        say_comments(grid.comments, said)
    table = {own: _column(own, cells, rows, marks, said) for own, cells in found.items()}
    table = joined_moments(table, said)
    parts = _add_blocks(table, blocks(grid, layout, kept))
    header = layout.row if layout.header else 0
    decimal, found = marks.decimal, tuple(said.all)
    return Table(
        name, table, rows, found, encoding, delimiter, decimal, units, parts, header=header, units_row=layout.units_row
    )


def _columns(grid: Grid, kept: Sequence[int], wide: int) -> list[tuple[str, ...]]:
    short = [""] * wide
    return list(zip(*((grid.cells[i] + short)[:wide] for i in kept), strict=True))


def _without_unit(own: str, cells: tuple[str, ...], units: dict[str, str], said: Said) -> tuple[str, ...]:
    """Take the unit off the numbers when every cell that is not missing has the same one."""
    first = next((cell for cell in cells if not is_missing(cell)), "")
    unit = "" if is_number(first) else behind(first)[1]
    if not unit or not is_number(behind(first)[0]):
        return cells
    split = [("", unit) if is_missing(cell) else behind(cell) for cell in cells]
    if any(found != unit for _, found in split):
        return cells
    assumed = f"the numbers were taken as they stand, in the unit '{unit}'"
    said.add("cell-unit", f"numbers are followed by a unit, as in '{first}'", assumed, column=own)
    units.setdefault(own, unit)
    return tuple(plain for plain, _ in split)


def _column(name: str, cells: tuple[str, ...], rows: Sequence[int], marks: Marks, said: Said) -> Column:
    values, odd, infinite = to_numbers(cells, marks)
    say_spaced(cells, name, rows, said)
    column = column_of(name, values, tuple(odd), {**odd, **infinite})
    say_missing(column, rows, said)
    if column.numbers is not None:
        say_rounded(name, cells, rows, values, said)
        say_sentinel(name, rows, values, said)
    return column


def _add_blocks(table: dict[str, Column], numbers: Sequence[int]) -> str:
    """Add a column with the number of the block where blank lines make several of at least two rows; name it."""
    last = numbers[-1]
    if last == 1 or last * 2 > len(numbers):
        return ""
    name = free_name("block", table)
    table[name] = column_of(name, frozen(numbers), (), {})
    return name
