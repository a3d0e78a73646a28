"""Cells to numbers: decimal marks, thousands, units behind numbers, gaps, and warnings about cell values."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.data.dates import is_date
from dolq_core.data.findings import Findings, counted, refusal
from dolq_core.data.table import Column
from dolq_core.units import is_unit

MISSING: Final = frozenset(  # in lower case
    {"", "na", "n/a", "#n/a", "nan", "null", "none", "-", "--", "---", "?", "n.a.", "n. a.", "k.a.", "k. a.", "n.d.",
     "nd", "n/d", "missing", "<na>", "-nan", "+nan", "1.#qnan", "1.#ind", "-1.#ind", "nil", "*", ".",
     "\u2013", "\u2014"}
)  # fmt: skip
_SIGN: Final = "[+\\-\u2212]?"  # the last is the minus sign of typesetters
_POWER: Final = "([eEdD][+\\-\u2212]?\\d+)?"  # D: double precision, as Fortran writes it
_NUMBER: Final = re.compile(rf"{_SIGN}(\d+\.?\d*|\.\d+){_POWER}|{_SIGN}inf(inity)?", re.ASCII | re.IGNORECASE)
_PLAIN: Final = re.compile(r"[0-9eE+\-.\n]*", re.ASCII)  # what float() reads as we do; not 1_000, not other digits
_BLANKS: Final = " '\u2019\u00a0\u202f\u2009"  # between thousands they can mean nothing else
_SPACED: Final = re.compile(rf"{_SIGN}\d{{1,3}}([{_BLANKS}]\d{{3}})+([.,]\d*)?", re.ASCII)
_DECIMAL: Final = {  # 1,5 and 1.5
    mark: re.compile(rf"{_SIGN}(\d+{re.escape(mark)}\d*|{re.escape(mark)}\d+){_POWER}", re.ASCII) for mark in ",."
}
_GROUPED: Final = {  # 1,234 as well as 1,234,567.8
    mark: re.compile(rf"{_SIGN}[1-9]\d{{0,2}}({re.escape(mark)}\d{{3}})+({re.escape(other)}\d*)?", re.ASCII)
    for mark, other in ((",", "."), (".", ","))
}
_MANY_POINTS: Final = re.compile(r"\d\.\d{3}\.\d", re.ASCII)
_WITH_UNIT: Final = re.compile(r"([-+\u2212]?[\d.,'eE+\-\u2019\u00a0\u202f\u2009 ]*[\d.,])\s*(\D.*)")
_DASHES: Final = re.compile(r"[-\u2013\u20141]?")
EXACT: Final = 2.0**53  # whole numbers beyond it are not all floats
_SENTINELS: Final = frozenset({-99.0, -999.0, -9999.0, -99999.0, -999.25, 999.0, 9999.0, 99999.0})
_OTHER: Final = {",": ".", ".": ","}
_WORD: Final = {",": "comma", ".": "point"}


class Marks(NamedTuple):
    """How numbers are written; `shown` is a cell that shows it, empty for plain points."""

    decimal: str = "."
    thousands: str = ""
    shown: str = ""
    row: int = 0


class _Place(NamedTuple):
    row: int
    column: str
    cell: str


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value."""
    return cell.lower() in MISSING


def is_number(cell: str) -> bool:
    """Whether a cell is a number with either decimal mark, with thousands separators or without."""
    forms = (_NUMBER, _DECIMAL[","], _SPACED, *_GROUPED.values())
    return any(form.fullmatch(cell) for form in forms)


def is_value(cell: str) -> bool:
    """Whether a cell is what a column of measurements may hold: a number, a number and its unit, a date, a gap."""
    return is_number(cell) or is_missing(cell) or is_date(cell) or is_number(number_and_unit(cell)[0])


def marks_of(columns: Mapping[str, Sequence[str]], rows: Sequence[int], delimiter: str, decimal: str = "") -> Marks:
    """Return how the numbers of a table are written; raise TableError where that can be read in two ways.

    decimal: the decimal mark where the person says it; the other mark then divides thousands, or is refused.

    | commas in numbers | points in numbers | what it means |
    |---|---|---|
    | none | any, no 1.234.567 | decimal points |
    | a 1,234.5 or 1,234,567, and all others like 1,234 | any but 1.234,5 | commas separate thousands |
    | any, no 1,234.5 | a 1.234,5 or 1.234.567, and all others like 1.234 | decimal commas, points separate thousands |
    | some | some | refused: one of them is a thousands separator |
    | all like 1,234 and no semicolons | none | refused: 1.234 or 1234 |
    | else | none | decimal commas |
    """
    if decimal:
        return _marks_as_given(columns, rows, decimal)
    commas = list(_places(columns, rows, ","))
    doubtful = commas or any(_MANY_POINTS.search("\n".join(cells)) for cells in columns.values())
    points = list(_places(columns, rows, ".")) if doubtful else []
    for mark, places, others in ((",", commas, points), (".", points, commas)):
        sure = next((one for one in places if _surely_grouped(one, mark)), None)
        grouped = all(_GROUPED[mark].fullmatch(one.cell) for one in places)
        if sure and grouped and not any(_surely_grouped(one, _OTHER[mark]) for one in others):
            return Marks(_OTHER[mark], mark, sure.cell, sure.row)
    return _decimal_commas(commas, points, delimiter) if commas else Marks()


def _surely_grouped(one: _Place, mark: str) -> bool:
    """Whether a mark divides thousands beyond doubt: 1,234,567 and 1,234.5, but not 1,234."""
    return bool(_GROUPED[mark].fullmatch(one.cell)) and (one.cell.count(mark) > 1 or _OTHER[mark] in one.cell)


def _marks_as_given(columns: Mapping[str, Sequence[str]], rows: Sequence[int], decimal: str) -> Marks:
    other = _OTHER[decimal]
    places = list(_places(columns, rows, other))
    wrong = [one for one in places if not _GROUPED[other].fullmatch(one.cell)]
    if wrong:
        reason = f"'{wrong[0].cell}' has a {_WORD[other]}, but the decimal mark is said to be a {_WORD[decimal]}"
        every = [one.row for one in wrong if one.column == wrong[0].column]
        raise refusal("decimal-comma", "", reason, "Say another decimal mark.", every, wrong[0].column)
    if places:
        return Marks(decimal, other, places[0].cell, places[0].row)
    shown = next(_places(columns, rows, ","), None) if decimal == "," else None
    return Marks(decimal, "", shown.cell, shown.row) if shown else Marks(decimal)


def _decimal_commas(commas: Sequence[_Place], points: Sequence[_Place], delimiter: str) -> Marks:
    comma = next((one for one in commas if not _GROUPED[","].fullmatch(one.cell)), commas[0])
    if points:
        point = points[0]
        found = f"row {point.row}, column '{point.column}' has a point ('{point.cell}')"
        hint = "Say which is the decimal mark, or use one throughout and no thousands separators."
        reason = f"'{comma.cell}' has a comma, but {found}"
        raise refusal("decimal-comma", "", reason, hint, (comma.row, point.row), comma.column)
    if delimiter != ";" and _GROUPED[","].fullmatch(comma.cell):
        reason = f"'{comma.cell}' can be {comma.cell.replace(',', '.', 1)} or {comma.cell.replace(',', '', 1)}"
        hint = "Say which is the decimal mark, or write decimal points and no thousands separators."
        raise refusal("decimal-comma", "", reason, hint, [one.row for one in commas], comma.column)
    return Marks(",", "", comma.cell, comma.row)


def _places(columns: Mapping[str, Sequence[str]], rows: Sequence[int], mark: str) -> Iterator[_Place]:
    """Yield the numbers that hold a mark."""
    forms = (_DECIMAL[mark], *_GROUPED.values())
    for name, cells in columns.items():
        if mark in "\n".join(cells):
            for row, cell in zip(rows, cells, strict=True):
                plain = _without_blanks(cell)
                if mark in cell and any(form.fullmatch(plain) for form in forms):
                    yield _Place(row, name, plain)


def _without_blanks(cell: str) -> str:
    """Return 1 234,5 and 1'234,5 as 1234,5; any other cell as it is."""
    return cell.translate(dict.fromkeys(map(ord, _BLANKS))) if _SPACED.fullmatch(cell) else cell


def to_numbers(cells: Sequence[str], marks: Marks) -> tuple[Floats, dict[int, str]]:
    """Return (n,) numbers, NaN where there is none, and the text of the cells that are infinite or no numbers."""
    values = np.full(len(cells), np.nan)
    if marks.thousands != "." and _PLAIN.fullmatch("\n".join(cells)):
        try:
            values = np.array(cells, dtype=np.float64)
        except ValueError:
            pass  # an empty cell, a date, 1.2.3: cell by cell below
        else:
            return frozen(values), {i: cells[i] for i in np.flatnonzero(np.isinf(values)).tolist()}
    written: dict[int, str] = {}
    for i, cell in enumerate(cells):
        value = to_number(cell, marks)
        if value is not None:
            values[i] = value
        if np.isinf(values[i]) or (value is None and not is_missing(cell)):
            written[i] = cell
    return frozen(values), written


def to_number(cell: str, marks: Marks) -> float | None:
    """Return the number in a cell; None when it holds none."""
    plain = _without_blanks(cell.replace("\u2212", "-"))
    if marks.thousands and marks.thousands in plain:
        if not _GROUPED[marks.thousands].fullmatch(plain):
            return None
        plain = plain.replace(marks.thousands, "")
    if marks.decimal == "," and _DECIMAL[","].fullmatch(plain):
        plain = plain.replace(",", ".")
    if not _NUMBER.fullmatch(plain):
        return None
    lower = plain.lower()
    return float(lower if "inf" in lower else lower.replace("d", "e"))


def is_units_row(cells: Sequence[str]) -> bool:
    """Whether the cells of a row are units, or nothing; one unit at least."""
    filled = [cell for cell in cells if not _DASHES.fullmatch(cell.strip("()[] "))]
    return bool(filled) and all(
        (cell[:1] + cell[-1:] in ("()", "[]") and len(cell) <= 20) or is_unit(cell.strip("()[] ")) for cell in filled
    )


def bare_unit(cell: str) -> str:
    """Return a unit without its brackets; empty for a dash."""
    return cell.strip("()[] ").lstrip("-\u2013\u2014")


def number_and_unit(cell: str) -> tuple[str, str]:
    """Return a number and the unit behind it ("12,5 %" is "12,5" and "%"); two empty texts when there is none."""
    found = _WITH_UNIT.fullmatch(cell)
    return (found[1].strip(), found[2].strip()) if found and is_unit(found[2].strip()) else ("", "")


def note_marks(marks: Marks, findings: Findings) -> None:
    """Note how numbers are written, unless with plain points."""
    if not marks.shown:
        return
    plain = marks.shown.replace(marks.thousands, "") if marks.thousands else marks.shown
    assumed = f"'{marks.shown}' was read as {plain.replace(',', '.') if marks.decimal == ',' else plain}"
    hint = "Say another decimal mark if that is wrong."
    if marks.decimal == ",":
        findings.add("decimal-comma", "commas are decimal marks", assumed, hint, [marks.row])
    if marks.thousands:
        which = "commas" if marks.thousands == "," else "points"
        findings.add("thousands", f"{which} separate thousands", assumed, hint, [marks.row])


def note_points(columns: Mapping[str, Sequence[str]], rows: Sequence[int], marks: Marks, findings: Findings) -> None:
    """Note where points in a table with semicolons, as commas are decimal marks write it, may divide thousands."""
    if marks.decimal != "." or marks.thousands:
        return
    points = list(_places(columns, rows, "."))
    if points and all(_GROUPED["."].fullmatch(one.cell) for one in points):
        one = points[0]
        found = f"'{one.cell}' may be {one.cell.replace('.', '')}, with a point between thousands"
        hint = "Say that the decimal mark is a comma if the points divide thousands."
        findings.add("thousands-or-point", found, f"read as {one.cell}", hint, [p.row for p in points], one.column)


def note_spaced(cells: Sequence[str], name: str, rows: Sequence[int], findings: Findings) -> None:
    """Note where blanks or apostrophes divide thousands."""
    at = [i for i, cell in enumerate(cells) if _SPACED.fullmatch(cell)]
    if at:
        found = f"blanks or apostrophes divide thousands, as in '{cells[at[0]]}'"
        findings.add("thousands", found, "read as one number", "Write it without them.", [rows[i] for i in at], name)


def note_missing(column: Column, rows: Sequence[int], findings: Findings) -> None:
    """Note where cells are missing, unless all are."""
    if column.missing and len(column.missing) < len(rows):
        where = [rows[i] for i in column.missing]
        findings.add("missing-cell", counted(len(where), "missing cell"), "left missing", "", where, column.name)


def note_rounded(column: Column, cells: Sequence[str], rows: Sequence[int], findings: Findings) -> None:
    """Note where a whole number has more digits than a float keeps."""
    large = np.flatnonzero(np.abs(column.values) > EXACT).tolist()
    lost = [i for i in large if cells[i].lstrip("+-").isdecimal() and Decimal(cells[i]) != Decimal(column.values[i])]
    if lost:
        found = f"whole numbers of more than 15 digits, such as {cells[lost[0]]}"
        hint = "Subtract the first value before you save the table if the last digits matter."
        where = [rows[i] for i in lost]
        findings.add("rounded", found, "rounded to 15 to 16 digits", hint, where, column.name)


def note_sentinels(column: Column, rows: Sequence[int], findings: Findings) -> None:
    """Point at -999 and its like where no other value of the column comes near."""
    values = column.values
    for mark in _SENTINELS.intersection(extremes(values)):
        at = np.flatnonzero(values == mark)
        rest = np.abs(values[(values != mark) & np.isfinite(values)])
        if rest.size and rest.max() < abs(mark) / 2:
            hint = "Leave these cells empty if they mean that there is no value."
            where = [rows[i] for i in at.tolist()]
            findings.add(
                "sentinel", f"{mark:g} far from all other values", "read as a number", hint, where, column.name
            )


def extremes(values: Floats) -> tuple[float, float]:
    """Return the least and the greatest number; NaN only where all are missing."""
    low, high = float(values.min()), float(values.max())
    return (low, high) if low == low else (float(np.nanmin(values)), float(np.nanmax(values)))
