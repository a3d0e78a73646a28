"""Cells to numbers: decimal mark, thousands separators, units behind the numbers, and what is no number at all."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.data.findings import refusal

MISSING: Final = frozenset(  # in lower case
    {"", "na", "n/a", "#n/a", "nan", "null", "none", "-", "--", "---", "?", "n.a.", "n. a.", "k.a.", "k. a.", "n.d.",
     "nd", "n/d", "missing", "<na>", "-nan", "+nan", "1.#qnan", "1.#ind", "-1.#ind", "nil", "*", ".",
     "\u2013", "\u2014"}
)  # fmt: skip
_SIGN: Final = "[+\\-\u2212]?"  # the last is the minus sign of typesetters
_POWER: Final = "([eEdD][+\\-\u2212]?\\d+)?"  # D: double precision, as Fortran writes it
_NUMBER: Final = re.compile(rf"{_SIGN}(\d+\.?\d*|\.\d+){_POWER}|{_SIGN}inf(inity)?", re.ASCII | re.IGNORECASE)
_COMMA: Final = re.compile(rf"{_SIGN}(\d+,\d*|,\d+){_POWER}", re.ASCII)
_POINT: Final = re.compile(rf"{_SIGN}(\d+\.\d*|\.\d+){_POWER}", re.ASCII)
_PLAIN: Final = re.compile(r"[0-9eE+\-.\n]*", re.ASCII)  # what float() reads as we do; not 1_000, not other digits
_BLANKS: Final = " '\u2019\u00a0\u202f\u2009"  # between thousands they can mean nothing else
_SPACED: Final = re.compile(rf"{_SIGN}\d{{1,3}}([{_BLANKS}]\d{{3}})+([.,]\d*)?", re.ASCII)
_ANY_GROUP: Final = {  # 1,234 as well as 1,234,567.8
    mark: re.compile(rf"{_SIGN}[1-9]\d{{0,2}}({re.escape(mark)}\d{{3}})+({re.escape(other)}\d*)?", re.ASCII)
    for mark, other in ((",", "."), (".", ","))
}
_SURE_GROUP: Final = {  # 1,234,567 and 1,234.5, but not 1,234
    mark: re.compile(
        rf"{_SIGN}[1-9]\d{{0,2}}({re.escape(mark)}\d{{3}})+(({re.escape(mark)}\d{{3}})|({re.escape(other)}\d*))",
        re.ASCII,
    )
    for mark, other in ((",", "."), (".", ","))
}
_MANY_POINTS: Final = re.compile(r"\d\.\d{3}\.\d", re.ASCII)


class Marks(NamedTuple):
    """How numbers are written; `shown` is a cell that shows it, empty for plain points."""

    decimal: str = "."
    thousands: str = ""
    shown: str = ""
    row: int = 0


class Place(NamedTuple):
    """A cell and where it stands."""

    row: int
    column: str
    cell: str


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value."""
    return cell.lower() in MISSING


def is_spaced(cell: str) -> bool:
    """Whether a cell is a number whose thousands are divided by blanks or apostrophes."""
    return bool(_SPACED.fullmatch(cell))


def is_number(cell: str) -> bool:
    """Whether a cell is a number with either decimal mark, with thousands separators or without."""
    if _NUMBER.fullmatch(cell) or _COMMA.fullmatch(cell) or _SPACED.fullmatch(cell):
        return True
    return any(form.fullmatch(cell) for form in _ANY_GROUP.values())


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
        return _as_told(columns, rows, decimal)
    with_comma = list(_places(columns, rows, ",", (_COMMA, *_ANY_GROUP.values())))
    with_point = list(_places(columns, rows, ".", (_POINT, *_ANY_GROUP.values()))) if with_comma else []
    if not with_comma and any(_MANY_POINTS.search("\n".join(cells)) for cells in columns.values()):
        with_point = list(_places(columns, rows, ".", (_POINT, *_ANY_GROUP.values())))
    for mark, places, decimal in ((",", with_comma, "."), (".", with_point, ",")):
        others = with_point if mark == "," else with_comma
        if _are_thousands(mark, places, others):
            sure = next(one for one in places if _SURE_GROUP[mark].fullmatch(one.cell))
            return Marks(decimal, mark, sure.cell, sure.row)
    if not with_comma:
        return Marks()
    return _decimal_commas(with_comma, with_point, delimiter)


def _as_told(columns: Mapping[str, Sequence[str]], rows: Sequence[int], decimal: str) -> Marks:
    other, words, said = (",", "comma", "point") if decimal == "." else (".", "point", "comma")
    forms = (_COMMA if other == "," else _POINT, *_ANY_GROUP.values())
    places = list(_places(columns, rows, other, forms))
    wrong = [one for one in places if not _ANY_GROUP[other].fullmatch(one.cell)]
    if wrong:
        reason = f"'{wrong[0].cell}' has a {words}, but the decimal mark is said to be a {said}"
        listed = [one.row for one in wrong if one.column == wrong[0].column]
        raise refusal("decimal-comma", "", reason, "Say another decimal mark.", listed, wrong[0].column)
    if places:
        return Marks(decimal, other, places[0].cell, places[0].row)
    if decimal == ".":
        return Marks()
    shown = next(_places(columns, rows, decimal, (_COMMA,)), None)
    return Marks(decimal, "", shown.cell, shown.row) if shown else Marks(decimal)


def _are_thousands(mark: str, places: Sequence[Place], others: Sequence[Place]) -> bool:
    """Whether a mark separates thousands wherever it stands, beyond doubt in one cell at least."""
    other = "." if mark == "," else ","
    sure = any(_SURE_GROUP[mark].fullmatch(one.cell) for one in places)
    return (
        sure
        and all(_ANY_GROUP[mark].fullmatch(one.cell) for one in places)
        and not any(_SURE_GROUP[other].fullmatch(one.cell) for one in others)
    )


def _decimal_commas(commas: Sequence[Place], points: Sequence[Place], delimiter: str) -> Marks:
    comma = next((one for one in commas if not _ANY_GROUP[","].fullmatch(one.cell)), commas[0])
    if points:
        point = points[0]
        reason = (
            f"'{comma.cell}' has a comma, but row {point.row}, column '{point.column}' has a point ('{point.cell}')"
        )
        hint = "Say which is the decimal mark, or use one throughout and no thousands separators."
        raise refusal("decimal-comma", "", reason, hint, (comma.row, point.row), comma.column)
    if delimiter != ";" and _ANY_GROUP[","].fullmatch(comma.cell):
        whole, fraction = comma.cell.split(",", 1)
        reason = f"'{comma.cell}' can be {whole}.{fraction} or {whole}{fraction}"
        hint = "Say which is the decimal mark, or write decimal points and no thousands separators."
        raise refusal("decimal-comma", "", reason, hint, [one.row for one in commas], comma.column)
    return Marks(",", "", comma.cell, comma.row)


def _places(
    columns: Mapping[str, Sequence[str]], rows: Sequence[int], mark: str, patterns: Sequence[re.Pattern[str]]
) -> Iterator[Place]:
    for name, cells in columns.items():
        if mark in "\n".join(cells):
            for row, cell in zip(rows, cells, strict=True):
                plain = _without_blanks(cell)
                if mark in cell and any(pattern.fullmatch(plain) for pattern in patterns):
                    yield Place(row, name, plain)


def _without_blanks(cell: str) -> str:
    """Return 1 234,5 and 1'234,5 as 1234,5; any other cell as it is."""
    return cell.translate(dict.fromkeys(map(ord, _BLANKS))) if _SPACED.fullmatch(cell) else cell


def to_numbers(cells: Sequence[str], marks: Marks) -> tuple[Floats, dict[int, str], dict[int, str]]:
    """Return (n,) numbers, NaN where a cell is missing or odd; the odd cells; and those that are infinite."""
    if marks.thousands != "." and _PLAIN.fullmatch("\n".join(cells)):
        try:
            values = frozen(np.array(cells, dtype=np.float64))
        except ValueError:
            pass  # an empty cell, a date, 1.2.3: cell by cell below
        else:
            return values, {}, {i: cells[i] for i in np.flatnonzero(np.isinf(values)).tolist()}
    values = np.full(len(cells), np.nan)
    odd: dict[int, str] = {}
    for i, cell in enumerate(cells):
        value = number(cell, marks)
        if value is not None:
            values[i] = value
        elif not is_missing(cell):
            odd[i] = cell
    return frozen(values), odd, {i: cells[i] for i in np.flatnonzero(np.isinf(values)).tolist()}


def number(cell: str, marks: Marks) -> float | None:
    """Return the number in a cell; None when it holds none."""
    plain = _without_blanks(cell.replace("\u2212", "-"))
    if marks.thousands and marks.thousands in plain:
        if not _ANY_GROUP[marks.thousands].fullmatch(plain):
            return None
        plain = plain.replace(marks.thousands, "")
    if marks.decimal == "," and _COMMA.fullmatch(plain):
        plain = plain.replace(",", ".")
    if not _NUMBER.fullmatch(plain):
        return None
    lower = plain.lower()
    return float(lower if "inf" in lower else lower.replace("d", "e"))
