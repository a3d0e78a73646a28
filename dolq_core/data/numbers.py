"""Cells to numbers: the decimal mark, missing values, and what is no number at all."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.errors import DataError

MISSING: Final = frozenset({"", "na", "n/a", "#n/a", "nan", "null", "none", "-", "--", "?"})  # in lower case
_SIGN: Final = "[+\\-\u2212]?"  # the last is the minus sign of typesetters
_NUMBER: Final = re.compile(rf"{_SIGN}(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|{_SIGN}inf(inity)?", re.ASCII | re.IGNORECASE)
_COMMA: Final = re.compile(rf"{_SIGN}(\d+,\d*|,\d+)([eE][+-]?\d+)?", re.ASCII)
_POINT: Final = re.compile(rf"{_SIGN}(\d+\.\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_THOUSANDS: Final = re.compile(_SIGN + r"[1-9]\d{0,2},\d{3}", re.ASCII)
_PLAIN: Final = re.compile(r"[0-9eE+\-.\n]*", re.ASCII)  # what float() reads as we do; not 1_000, not other digits


class Place(NamedTuple):
    """A cell and where it stands."""

    row: int
    column: str
    cell: str

    def __str__(self) -> str:
        """Return what an error calls it."""
        return f"Row {self.row}, column '{self.column}'"


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value."""
    return cell.lower() in MISSING


def is_number(cell: str) -> bool:
    """Whether a cell is a number with either decimal mark."""
    return bool(_NUMBER.fullmatch(cell) or _COMMA.fullmatch(cell))


def decimal_mark(columns: Mapping[str, Sequence[str]], rows: Sequence[int], delimiter: str) -> tuple[str, str]:
    """Return the decimal mark of a table and a cell that shows it (empty for a point).

    | commas in numbers | points in numbers | what it means |
    |---|---|---|
    | none | any | points |
    | some | some | refused: one of them is a thousands separator |
    | all like 1,234 and no semicolons | none | refused: 1.234 or 1234 |
    | else | none | commas |
    """
    commas = list(_places(columns, rows, ",", _COMMA))
    if not commas:
        return ".", ""
    comma = commas[0]
    point = next(_places(columns, rows, ".", _POINT), None)
    if point:
        reason = (
            f"'{comma.cell}' has a comma, but row {point.row}, column '{point.column}' has a point ('{point.cell}')"
        )
        raise DataError(str(comma), reason, "Use one decimal mark throughout, and no thousands separators.")
    if delimiter != ";" and all(_THOUSANDS.fullmatch(place.cell) for place in commas):
        whole, fraction = comma.cell.split(",")
        reason = f"'{comma.cell}' can be {whole}.{fraction} or {whole}{fraction}"
        raise DataError(str(comma), reason, "Write decimal points and no thousands separators.")
    return ",", comma.cell


def _places(
    columns: Mapping[str, Sequence[str]], rows: Sequence[int], mark: str, pattern: re.Pattern[str]
) -> Iterator[Place]:
    for name, cells in columns.items():
        if mark in "\n".join(cells):
            for row, cell in zip(rows, cells, strict=True):
                if pattern.fullmatch(cell):
                    yield Place(row, name, cell)


def to_numbers(cells: Sequence[str], decimal: str) -> tuple[Floats, tuple[int, ...]]:
    """Return (n,) numbers, NaN where a cell is missing or odd, and the positions of the odd ones."""
    if _PLAIN.fullmatch("\n".join(cells)):
        try:
            return frozen(np.array(cells, dtype=np.float64)), ()
        except ValueError:
            pass  # an empty cell, a date, 1.2.3: cell by cell below
    values = np.full(len(cells), np.nan)
    odd: list[int] = []
    for i, cell in enumerate(cells):
        plain = cell.replace("\u2212", "-")
        plain = plain.replace(",", ".") if decimal == "," and _COMMA.fullmatch(plain) else plain
        if _NUMBER.fullmatch(plain):
            values[i] = float(plain)
        elif not is_missing(cell):
            odd.append(i)
    return frozen(values), tuple(odd)
