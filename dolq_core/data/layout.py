"""Where the table stands in its file: explanations above it, names, units, the rows of numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dolq_core.data.dialect import Grid, is_value
from dolq_core.data.findings import Said, counted, refusal
from dolq_core.data.numbers import Marks, is_missing, is_number, number
from dolq_core.data.units import bare, is_units_row
from dolq_core.data.widths import trimmed

_SAMPLE: Final = 200  # rows that tell what the columns hold


@dataclass(frozen=True, slots=True)
class Layout:
    """Names and units of the columns, and where the rows under them begin.

    Attributes:
        row: the row of the names; of the first numbers when there are none.
        units_row: the row of the units; 0 when there is none.
        header: the rows that are repeated when files are joined: names and units, as they stand.
        start: position of the first row of data in the grid.
        numeric: whether a column holds numbers, by its place.
    """

    row: int
    names: list[str]
    units: list[str]
    header: tuple[tuple[str, ...], ...]
    start: int
    numeric: tuple[bool, ...]
    units_row: int = 0


def lay_out(grid: Grid, delimiter: str, said: Said, header: int | None = None) -> Layout:
    """Find the header: the rows of words above the first row of numbers, as wide as the table.

    header: the row of the names where the person says it, 0 for none; what stands above it is left out.
    """
    wide = _width(grid.cells)
    numeric = _numeric(grid.cells, wide)
    if header is not None:
        return _as_told(grid, numeric, delimiter, said, header)
    start = _first_data(grid.cells, numeric, wide)
    top = _top(grid, start, wide)
    _say_preamble(grid, top, said)
    if top == start:
        return _without_header(grid, start, numeric, said, _heading(grid, wide, delimiter))
    names, units = _names(grid, top, start, said)
    if _has_row_names(grid, start, wide, names):
        names, units = _with_row_names(names, units, said, grid.rows[top])
    row, units_row = (grid.rows[start - 2], grid.rows[start - 1]) if units else (grid.rows[start - 1], 0)
    if any(bad := [name for name, holds in zip(names, numeric, strict=False) if holds and is_value(name)]):
        hint = "Say that there is no row of names if it is a row of data."
        said.add("no-header", f"'{bad[0]}' is a number", "the row was taken as names all the same", hint, [row])
    return Layout(row, names, units, tuple(map(tuple, grid.cells[top:start])), start, numeric, units_row)


def _as_told(grid: Grid, numeric: tuple[bool, ...], delimiter: str, said: Said, header: int) -> Layout:
    """Take the names from the row that the person names, units from the row above the numbers if it holds some."""
    wide = len(numeric)
    if not header:
        start = _first_data(grid.cells, numeric, wide, named=True)
        _say_preamble(grid, start, said)
        row, names = grid.rows[min(start, len(grid.rows) - 1)], _made_up(grid, start, numeric)
        hint = "Say which row holds the names, or add one."
        said.add("no-header", "there is no row of names", f"the columns were named {', '.join(names)}", hint)
        return Layout(row, names, [], (), start, numeric)
    if header not in grid.rows:
        near = min(grid.rows, key=lambda row: abs(row - header))
        hint = f"Say another one, such as {near}, or that there is none."
        raise refusal("no-header", f"Row {header}", "it cannot hold the names: it is no row with cells", hint)
    top = grid.rows.index(header)
    below = grid.cells[top + 1 :]
    start = top + 1 + (_first_data(below, numeric, wide, named=True) if any(numeric) else 0)
    _say_preamble(grid, top, said)
    units, between = [], range(top + 1, start)
    if between and is_units_row(grid.cells[start - 1]):
        units = _units(grid, start - 1, said)
        between = between[:-1]
    if between:
        found = f"{counted(len(between), 'line')} between the names and the numbers"
        hint = "Say another row of names if one of them is it."
        said.add("preamble", found, "left out", hint, [grid.rows[i] for i in between], severity="left out")
    names = list(trimmed(grid.cells[top]))
    units_row = grid.rows[start - 1] if units else 0
    if _has_row_names(grid, start, wide, names):
        names, units = _with_row_names(names, units, said, header)
    rows = tuple(map(tuple, grid.cells[top:start]))
    return Layout(header, names, units, rows, start, numeric, units_row)


def _width(cells: Sequence[list[str]]) -> int:
    """Return the most common width of the rows in the lower half, without columns that are empty at their end."""
    lower = cells[len(cells) // 2 :][:_SAMPLE]
    common = Counter(map(len, lower)).most_common(1)[0][0]
    return max(1, *(len(trimmed(row)) for row in lower if len(row) == common))


def _numeric(cells: Sequence[list[str]], wide: int) -> tuple[bool, ...]:
    """Whether each column holds more values than words, in the rows from the middle on."""
    lower = cells[len(cells) // 2 :][:_SAMPLE]
    columns = [[row[j] for row in lower if j < len(row) and not is_missing(row[j])] for j in range(wide)]
    return tuple(sum(map(is_value, column)) * 2 > len(column) for column in columns)


def _first_data(cells: Sequence[list[str]], numeric: Sequence[bool], wide: int, *, named: bool = False) -> int:
    """Return the position of the first row that does not read like words above columns of numbers.

    named: whether the names are known already, so that they need not stand above it.
    """
    if not any(numeric):
        return 0 if named else min(1, len(cells))
    for i, row in enumerate(cells):
        filled = [cell for cell, holds in zip(row, numeric, strict=False) if holds and not is_missing(cell)]
        values = sum(map(is_value, filled))
        full = len(trimmed(row)) * 2 > wide
        if all(map(is_value, row)):
            data = named or full
        elif filled and is_value(filled[0]):
            data = values * 2 >= len(filled) and (named or full)
        else:  # a word above the first column: names, unless there are names already
            data = named and values * 2 > len(filled)
        if data:
            return i
        named = named or full
    return len(cells)


def _top(grid: Grid, start: int, wide: int) -> int:
    """Return the position of the first row of names: the row above the numbers, and what belongs to it."""
    if not start or (wide > 1 and len(trimmed(grid.cells[start - 1])) < 2):
        return start
    top = start - 1
    if top and is_units_row(grid.cells[top]) and len(trimmed(grid.cells[top - 1])) > wide / 2:
        top -= 1
    names = trimmed(grid.cells[top])
    unclear = len(set(names)) < len(names)
    above = grid.cells[top - 1] if top and top not in grid.breaks else []
    return top - 1 if unclear and len(trimmed(above)) > 1 else top


def _say_preamble(grid: Grid, top: int, said: Said) -> None:
    if top:
        found = f"{counted(top, 'line')} above the table, such as '{grid.cells[0][0][:40]}'"
        hint = "Say which row holds the names if one of these does."
        said.add("preamble", found, "left out", hint, grid.rows[:top], severity="left out")


def _names(grid: Grid, top: int, start: int, said: Said) -> tuple[list[str], list[str]]:
    """Return names and units from the rows of words; two rows of names are joined column by column."""
    rows = [list(trimmed(row)) for row in grid.cells[top:start]]
    units: list[str] = []
    if len(rows) > 1 and is_units_row(rows[-1]):
        rows.pop()
        units = _units(grid, start - 1, said)
    names = rows[-1]
    if len(rows) > 1:
        names = _joined(rows)
        hint = "Say which row holds the names if these are too long."
        said.add(
            "two-headers", "more than one row of names", f"joined, as in '{names[-1]}'", hint, grid.rows[top:start]
        )
    return names, units


def _has_row_names(grid: Grid, start: int, wide: int, names: Sequence[str]) -> bool:
    """Whether rows begin with a name of their own, or with their number, that no column name stands above: as R writes.

    Else a column without a name stands at the end, and nobody can tell which name belongs to which column.
    """
    rows = [row for row in grid.cells[start:][:_SAMPLE] if any(row)]
    if len(names) != wide - 1 or any(len(row) != wide for row in rows) or not rows:
        return False
    first = [row[0] for row in rows]
    return first == [str(i) for i in range(1, len(rows) + 1)] or (
        len(set(first)) == len(first) and not any(map(is_value, first))
    )


def _with_row_names(names: list[str], units: list[str], said: Said, row: int) -> tuple[list[str], list[str]]:
    found, assumed = "every row has one cell more than there are names", "the first one is the name of the row"
    said.add("row-names", found, assumed, "Add a name above the first column if it is one.", [row])
    return ["row", *names], ["", *units] if units else units


def _units(grid: Grid, at: int, said: Said) -> list[str]:
    units = [bare(cell) for cell in trimmed(grid.cells[at])]
    shown = ", ".join(unit for unit in units if unit)
    hint = "Remove the row, or give other units, if these are none."
    said.add("units-row", f"units: {shown}", "taken as the units of the columns", hint, [grid.rows[at]])
    return units


def _joined(rows: Sequence[list[str]]) -> list[str]:
    """Join rows of names; a name above several columns stands above the first of them."""
    wide = max(map(len, rows))
    parts: list[list[str]] = []
    for place, row in enumerate(rows):
        filled: list[str] = []
        last = ""
        for cell in row + [""] * (wide - len(row)):
            last = cell or (last if place + 1 < len(rows) else "")
            filled.append(last)
        parts.append(filled)
    return [" ".join(dict.fromkeys(part for part in column if part)) for column in zip(*parts, strict=True)]


def _without_header(grid: Grid, start: int, numeric: tuple[bool, ...], said: Said, names: list[str]) -> Layout:
    """Take the names from the comment above the numbers, else make them up."""
    row = grid.rows[start]
    if names:
        found = "the names of the columns stand in the comment above the numbers"
        said.add("no-header", found, "taken from there: " + ", ".join(names), "Add a row of names.")
        return Layout(row, names, [], (), start, numeric)
    names = _made_up(grid, start, numeric)
    found, hint = "the table begins with numbers, not with names", "Say which row holds the names, or add one."
    said.add("no-header", found, f"the columns were named {', '.join(names)}", hint, [row])
    return Layout(row, names, [], (), start, numeric)


def _made_up(grid: Grid, start: int, numeric: tuple[bool, ...]) -> list[str]:
    """Return t, x0, x1 ... where the first column rises throughout, else x0, x1 ..."""
    timed = len(numeric) > 1 and numeric[0] and _rises(grid, start)
    return ["t"] * timed + [f"x{i}" for i in range(len(numeric) - timed)]


def _heading(grid: Grid, wide: int, delimiter: str) -> list[str]:
    """Return the words of the last comment above the table when there is one for each column."""
    for mark in dict.fromkeys((delimiter or ",", "\t", ";", "|", ",")):
        names = [name.strip() for name in grid.heading.split(mark if mark != " " else None)]
        if len(names) == wide > 1 and all(names):
            return names
    return []


def _rises(grid: Grid, start: int) -> bool:
    """Whether the numbers of the first column rise throughout; below them there may be words."""
    first = [
        number(row[0], Marks()) or number(row[0], Marks(",")) for row in grid.cells[start:] if row and is_number(row[0])
    ]
    values = [value or 0.0 for value in first]
    return len(values) > 1 and all(a < b for a, b in zip(values, values[1:], strict=False))
