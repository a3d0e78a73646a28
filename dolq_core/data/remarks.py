"""What is said of the cells of a table: marks, gaps, lost digits, numbers that stand for no value."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.data.columns import Column
from dolq_core.data.dialect import DELIMITERS
from dolq_core.data.findings import Said, counted
from dolq_core.data.numbers import Marks, is_spaced

EXACT: Final = 2.0**53  # whole numbers beyond it are not all floats
_SENTINELS: Final = frozenset({-99.0, -999.0, -9999.0, -99999.0, -999.25, 999.0, 9999.0, 99999.0})


def say_delimiter(delimiter: str, said: Said) -> None:
    """Say which delimiter was found, save a comma."""
    if delimiter in DELIMITERS and delimiter != ",":
        hint = "Say another one if the columns look wrong."
        said.add("delimiter", f"columns are separated by {DELIMITERS[delimiter]}", way_out=hint)


def say_marks(marks: Marks, said: Said) -> None:
    """Say how numbers are written, unless with plain points."""
    if not marks.shown:
        return
    plain = marks.shown.replace(marks.thousands, "") if marks.thousands else marks.shown
    plain = plain.replace(",", ".") if marks.decimal == "," else plain
    assumed = f"'{marks.shown}' was read as {plain}"
    hint = "Say another decimal mark if that is wrong."
    if marks.decimal == ",":
        said.add("decimal-comma", "commas are decimal marks", assumed, hint, [marks.row])
    if marks.thousands:
        which = "commas" if marks.thousands == "," else "points"
        said.add("thousands", f"{which} separate thousands", assumed, hint, [marks.row])


def say_comments(rows: Sequence[int], said: Said) -> None:
    """Say which rows are comments."""
    hint = "Say what a comment begins with, or that there is none, if these are rows of the table."
    said.add("comment", "comment", "left out", hint, rows, severity="left out")


def say_spaced(cells: Sequence[str], name: str, rows: Sequence[int], said: Said) -> None:
    """Say where blanks or apostrophes divide thousands."""
    at = [i for i, cell in enumerate(cells) if is_spaced(cell)]
    if at:
        found = f"blanks or apostrophes divide thousands, as in '{cells[at[0]]}'"
        said.add("thousands", found, "read as one number", "Write it without them.", [rows[i] for i in at], name)


def say_missing(column: Column, rows: Sequence[int], said: Said) -> None:
    """Say where cells are missing, unless all are."""
    if column.missing and len(column.missing) < len(rows):
        where = [rows[i] for i in column.missing]
        said.add("missing-cell", counted(len(where), "missing cell"), "left missing", "", where, column.name)


def say_rounded(name: str, cells: Sequence[str], rows: Sequence[int], values: Floats, said: Said) -> None:
    """Say where a whole number has more digits than a float keeps."""
    large = np.flatnonzero(np.abs(values) > EXACT).tolist()
    lost = [i for i in large if cells[i].lstrip("+-").isdecimal() and Decimal(cells[i]) != Decimal(float(values[i]))]
    if lost:
        found = f"whole numbers of more than 15 digits, such as {cells[lost[0]]}"
        hint = "Subtract the first value before you save the table if the last digits matter."
        said.add("rounded", found, "rounded to 15 to 16 digits", hint, [rows[i] for i in lost], name)


def say_sentinel(name: str, rows: Sequence[int], values: Floats, said: Said) -> None:
    """Point at -999 and its like where no other value of the column comes near."""
    for mark in _SENTINELS.intersection(extremes(values)):
        at = np.flatnonzero(values == mark)
        rest = np.abs(values[(values != mark) & np.isfinite(values)])
        if rest.size and rest.max() < abs(mark) / 2:
            hint = "Leave these cells empty if they mean that there is no value."
            where = [rows[i] for i in at.tolist()]
            said.add("sentinel", f"{mark:g} far from all other values", "read as a number", hint, where, name)


def extremes(values: Floats) -> tuple[float, float]:
    """Return the least and the greatest number; NaN only where all are missing."""
    low, high = float(values.min()), float(values.max())
    return (low, high) if low == low else (float(np.nanmin(values)), float(np.nanmax(values)))
