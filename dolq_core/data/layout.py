"""Where the table is in its file: the lines above it, names, units, and the rows of samples."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dolq_core.data.dialect import DELIMITERS, CellGrid
from dolq_core.data.findings import Code, Findings, counted, refusal
from dolq_core.data.numbers import Marks, bare_unit, is_missing, is_number, is_units_row, is_value, to_number
from dolq_core.data.table import free_name

_SAMPLE: Final = 200  # rows that tell what the columns hold
SUMMARY: Final = frozenset(
    "mean average avg median sum total totals std sd stdev stddev sem variance min minimum max maximum count "
    "mittelwert durchschnitt summe gesamt moyenne somme media promedio suma totale".split()
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_FOOTER: Final = 30  # rows at most


@dataclass(frozen=True, slots=True)
class Layout:
    """Names and units of the columns, and where the rows under them begin.

    Attributes:
        row: the row of the names; of the first numbers when there are none.
        header: the rows that are repeated when files are joined: names and units, as they are written.
        start: position of the first row of data in the grid.
        numeric: whether a column holds numbers, by its place.
        units_row: the row of the units; 0 when there is none.
    """

    row: int
    names: list[str]
    start: int
    numeric: tuple[bool, ...]
    units: Sequence[str] = ()
    header: tuple[tuple[str, ...], ...] = ()
    units_row: int = 0


def lay_out(grid: CellGrid, findings: Findings, header: int | None = None) -> Layout:
    """Find the header: the rows of words above the first row of numbers, as wide as the table.

    header: the row of the names where the person says it, 0 for none; what is above it is left out.
    """
    wide = _width(grid.cells)
    numeric = _numeric(grid.cells, wide)
    if header:
        top = _named_row(grid, header)
        start = top + 1 + (_first_data(grid.cells[top + 1 :], numeric, named=True) if any(numeric) else 0)
    else:
        start = _first_data(grid.cells, numeric, named=header == 0)
        top = start if header == 0 else _top(grid, start, wide)
    if top:
        found = f"{counted(top, 'line')} above the table, such as '{grid.cells[0][0][:40]}'"
        hint = "Say which row holds the names if one of these does."
        findings.add("preamble", found, "left out", hint, grid.rows[:top], severity="left out")
    if top == start:
        return _without_names(grid, start, numeric, findings, told=header == 0)
    return _with_names(grid, top, start, numeric, findings, told=header is not None)


def _named_row(grid: CellGrid, header: int) -> int:
    if header in grid.rows:
        return grid.rows.index(header)
    near = min(grid.rows, key=lambda row: abs(row - header))
    hint = f"Say another one, such as {near}, or that there is none."
    raise refusal("no-header", f"Row {header}", "it cannot hold the names: it is no row with cells", hint)


def trimmed(row: Sequence[str]) -> Sequence[str]:
    """Return a row without the empty cells at its end."""
    end = len(row)
    while end and not row[end - 1]:
        end -= 1
    return row[:end]


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


def _first_data(cells: Sequence[list[str]], numeric: Sequence[bool], *, named: bool) -> int:
    """Return the position of the first row that does not read like words above columns of numbers.

    named: whether the names are known already, so that they need not be above it.
    """
    if not any(numeric):
        return 0 if named else min(1, len(cells))
    for i, row in enumerate(cells):
        filled = [cell for cell, holds in zip(row, numeric, strict=False) if holds and not is_missing(cell)]
        values = sum(map(is_value, filled))
        full = len(trimmed(row)) * 2 > len(numeric)
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


def _top(grid: CellGrid, start: int, wide: int) -> int:
    """Return the position of the first row of names: the row above the numbers, and what belongs to it."""
    if not start or (wide > 1 and len(trimmed(grid.cells[start - 1])) < 2):
        return start
    top = start - 1
    if top and len(trimmed(grid.cells[top - 1])) > wide / 2 and is_units_row(grid.cells[top]):
        top -= 1
    names = trimmed(grid.cells[top])
    unclear = len(set(names)) < len(names)
    above = grid.cells[top - 1] if top and top not in grid.breaks else []
    return top - 1 if unclear and len(trimmed(above)) > 1 else top


def _with_names(
    grid: CellGrid, top: int, start: int, numeric: tuple[bool, ...], findings: Findings, *, told: bool
) -> Layout:
    """Return the layout with names from `top` on; further rows are units and, unless the row was told, names, too."""
    rows = [list(trimmed(row)) for row in grid.cells[top:start]]
    units: list[str] = []
    if len(rows) > 1 and is_units_row(rows[-1]):
        units = [bare_unit(cell) for cell in rows.pop()]
        hint = "Remove the row, or give other units, if these are none."
        found = f"units: {', '.join(filter(None, units))}"
        findings.add("units-row", found, "taken as the units of the columns", hint, [grid.rows[start - 1]])
    names, further = rows[0] if told else rows[-1], grid.rows[top : top + len(rows)]
    if len(rows) > 1 and told:
        found, hint = f"{counted(len(rows) - 1, 'line')} between the names and the numbers", "Say another row of names"
        findings.add("preamble", found, "left out", f"{hint} if one of them is it.", further[1:], severity="left out")
    elif len(rows) > 1:
        names = _joined(rows)
        hint = "Say which row holds the names if these are too long."
        findings.add("two-headers", "more than one row of names", f"joined, as in '{names[-1]}'", hint, further)
    row = grid.rows[top] if told else further[-1]
    if _has_row_names(grid, start, len(numeric), names):
        found, assumed = "every row has one cell more than there are names", "the first one is the name of the row"
        hint = "Add a name above the first column if it is one."
        findings.add("row-names", found, assumed, hint, [grid.rows[top]])
        names, units = ["row", *names], ["", *units] if units else units
    bad = [name for name, holds in zip(names, numeric, strict=False) if holds and is_value(name)]
    if bad and not told:
        hint = "Say that there is no row of names if it is a row of data."
        findings.add("no-header", f"'{bad[0]}' is a number", "the row was taken as names all the same", hint, [row])
    header = tuple(map(tuple, grid.cells[top:start]))
    return Layout(row, names, start, numeric, units, header, grid.rows[start - 1] if units else 0)


def _has_row_names(grid: CellGrid, start: int, wide: int, names: Sequence[str]) -> bool:
    """Whether rows begin with a name of their own, or with their number, that no column name is above: as R writes.

    Else a column without a name is at the end, and nobody can tell which name belongs to which column.
    """
    rows = [row for row in grid.cells[start:][:_SAMPLE] if any(row)]
    if len(names) != wide - 1 or any(len(row) != wide for row in rows) or not rows:
        return False
    first = [row[0] for row in rows]
    counts = first == [str(i) for i in range(1, len(rows) + 1)]
    return counts or (len(set(first)) == len(first) and not any(map(is_value, first)))


def _joined(rows: Sequence[list[str]]) -> list[str]:
    """Join rows of names; a name above several columns is written above the first of them."""
    wide = max(map(len, rows))
    parts: list[list[str]] = []
    for place, row in enumerate(rows):
        filled: list[str] = []
        for cell in row + [""] * (wide - len(row)):
            filled.append(cell or (filled[-1] if filled and place + 1 < len(rows) else ""))
        parts.append(filled)
    return [" ".join(dict.fromkeys(cell for cell in column if cell)) for column in zip(*parts, strict=True)]


def _without_names(grid: CellGrid, start: int, numeric: tuple[bool, ...], findings: Findings, *, told: bool) -> Layout:
    """Take the names from the comment above the numbers, else make up t, x0, x1 ... or x0, x1 ..."""
    row = grid.rows[min(start, len(grid.rows) - 1)]
    names = [] if told else _names_in_comment(grid, len(numeric))
    if names:
        found = "the names of the columns are in the comment above the numbers"
        findings.add("no-header", found, "taken from there: " + ", ".join(names), "Add a row of names.")
        return Layout(row, names, start, numeric)
    timed = len(numeric) > 1 and numeric[0] and _rises(grid, start)
    names = ["t"] * timed + [f"x{i}" for i in range(len(numeric) - timed)]
    found = "there is no row of names" if told else "the table begins with numbers, not with names"
    hint = "Say which row holds the names, or add one."
    findings.add("no-header", found, f"the columns were named {', '.join(names)}", hint, [] if told else [row])
    return Layout(row, names, start, numeric)


def _names_in_comment(grid: CellGrid, wide: int) -> list[str]:
    """Return the words of the last comment above the table when there is one for each column."""
    for mark in dict.fromkeys((grid.delimiter or ",", "\t", ";", "|", ",")):
        names = [name.strip() for name in grid.heading.split(mark if mark != " " else None)]
        if len(names) == wide > 1 and all(names):
            return names
    return []


def _rises(grid: CellGrid, start: int) -> bool:
    """Whether the numbers of the first column rise throughout; below them there may be words."""
    first = [row[0] for row in grid.cells[start:] if row and is_number(row[0])]
    values = [to_number(cell, Marks()) or to_number(cell, Marks(",")) or 0.0 for cell in first]
    return len(values) > 1 and all(a < b for a, b in zip(values, values[1:], strict=False))


def select(grid: CellGrid, layout: Layout, findings: Findings) -> list[int]:
    """Return the positions of the samples; note the empty rows, repeated headers and footers that are left out."""
    places = range(layout.start, len(grid.cells))
    kept = [i for i in places if any(grid.cells[i])]
    _left_out("empty-row", counted(len(places) - len(kept), "empty row"), "", grid, set(places) - set(kept), findings)
    header = {row for row in layout.header if any(cell and not is_value(cell) for cell in row)}
    repeats = {i for i in kept if tuple(grid.cells[i]) in header} if header else set[int]()
    hint = "If a new run begins there, name a column that tells runs apart, or give every run a file."
    _left_out("repeated-header", "the header is repeated here", hint, grid, repeats, findings)
    kept = [i for i in kept if i not in repeats]
    end = len(kept)
    while end and len(kept) - end < _FOOTER and _is_footer(grid.cells[kept[end - 1]], layout):
        end -= 1
    if 0 < end < len(kept):
        hint = "Give the row a number in its first column if it is a measurement."
        found = f"'{grid.cells[kept[end]][0][:40]}' at the end of the table"
        _left_out("footer", found, hint, grid, set(kept[end:]), findings)
    return kept[: end or None]


def _left_out(code: Code, found: str, hint: str, grid: CellGrid, places: set[int], findings: Findings) -> None:
    if places:
        findings.add(code, found, "left out", hint, [grid.rows[i] for i in sorted(places)], severity="left out")


def _is_footer(row: Sequence[str], layout: Layout) -> bool:
    """Whether a row begins with a word where numbers are above, or with one for a summary."""
    first = row[0].strip(":= ") if row else ""
    words = _WORD.findall(first.lower())
    if not words or is_missing(first) or is_value(first) or not first[0].isalpha():
        return False
    if layout.numeric[0]:
        return not any(letter.isdigit() for letter in first.split(" ")[0])  # 1O and x5 are slips, not words
    return words[0] in SUMMARY


def blocks(grid: CellGrid, layout: Layout, kept: Sequence[int]) -> list[int]:
    """Return the number of the block of each kept row: from 1, a new one after blank lines or a repeated header."""
    found: list[int] = []
    block, last = 1, layout.start - 1
    for i in kept:
        block += bool(found) and (i - last > 1 or i in grid.breaks)
        found.append(block)
        last = i
    return found


def check_widths(grid: CellGrid, layout: Layout, kept: Sequence[int], findings: Findings) -> None:
    """Refuse rows with more cells than names; note rows that end early, and take what they lack as missing.

    Between blanks a missing cell has no place, so that a short row is refused there.
    """
    wanted = len(layout.names)
    body = [(grid.rows[i], grid.cells[i]) for i in kept]
    long = [(row, len(trimmed(cells))) for row, cells in body if len(cells) > wanted and any(cells[wanted:])]
    short = [(row, len(cells)) for row, cells in body if len(cells) < wanted]
    if long or (short and (grid.delimiter == " " or len(short) > len(body) / 2)):
        raise _width_error(layout.row, wanted, len(body), long or short, grid.delimiter)
    if short:
        found, assumed = f"fewer cells than the {wanted} names", "what is missing was taken to be missing at the end"
        hint = "Fill in the rows if cells are missing further left."
        findings.add("missing-cell", found, assumed, hint, [row for row, _ in short])


def _width_error(row: int, wanted: int, rows: int, wrong: Sequence[tuple[int, int]], delimiter: str) -> Exception:
    ((common, count),) = Counter(found for _, found in wrong).most_common(1)
    if count > rows / 2:
        below = f"{count} of {rows} rows have" if rows > 1 else "the one row below has"
        reason = f"as the header it has {counted(wanted, 'cell')}, but {below} {common}"
        hint = "Put one name above each column, and lines of explanation behind #."
        if delimiter == "," and common == 2 * wanted > 2:
            hint = "If these are decimal commas, separate the columns by semicolons or tabs."
        return refusal("extra-cell" if common > wanted else "missing-cell", "", reason, hint, (row,))
    found = wrong[0][1]
    more = f" ({counted(len(wrong) - 1, 'more row')} like it)" if len(wrong) > 1 else ""
    reason = f"it has {counted(found, 'cell')}, but the header has {wanted}{more}"
    hint = "Remove the extra cell" if found > wanted else "Fill in what is missing, or leave the cell empty"
    hint = f"{hint}; text that holds {DELIMITERS.get(delimiter, 'a delimiter')} needs quotation marks."
    return refusal("extra-cell" if found > wanted else "missing-cell", "", reason, hint, [at for at, _ in wrong])


def name_columns(layout: Layout, columns: Sequence[Sequence[str]], findings: Findings) -> list[str]:
    """Return a name for each column that none of the others has; empty for one without name and cells."""
    names = [
        name or _name_blank(number, cells, layout, findings)
        for number, (name, cells) in enumerate(zip(layout.names, columns, strict=True), 1)
    ]
    taken, seen = set(names), set[str]()
    for i, name in enumerate(names):
        if name and name in seen:
            names[i] = free_name(name, taken)
            taken.add(names[i])
            found, assumed = f"the name '{name}' is above more than one column", f"the later one is '{names[i]}'"
            findings.add("duplicate-name", found, assumed, "Rename one of them.", [layout.row], name)
        seen.add(name)
    return names


def _name_blank(number: int, cells: Sequence[str], layout: Layout, findings: Findings) -> str:
    if not any(cells):
        hint = "Give it a name and values if it is a column."
        found = f"column {number} has neither a name nor values"
        findings.add("blank-name", found, "left out", hint, [layout.row], severity="left out")
        return ""
    first = 0 if cells[0] == "0" else 1
    counts = list(cells) == [str(first + i) for i in range(len(cells))]
    name = free_name("index" if counts else f"column {number}", layout.names)
    hint = "Give it a name; pandas writes such a column unless it is told index=False."
    findings.add("blank-name", f"column {number} has no name", f"named '{name}'", hint, [layout.row], name)
    return name
