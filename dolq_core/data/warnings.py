"""Warnings about cell values: how numbers are written, gaps, lost digits, numbers that mean that there is no value."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.data.findings import Findings, counted
from dolq_core.data.numbers import Marks, is_spaced
from dolq_core.data.table import Column

EXACT: Final = 2.0**53  # whole numbers beyond it are not all floats
_SENTINELS: Final = frozenset({-99.0, -999.0, -9999.0, -99999.0, -999.25, 999.0, 9999.0, 99999.0})


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


def note_comments(rows: Sequence[int], findings: Findings) -> None:
    """Note which rows are comments."""
    if rows:
        hint = "Say what a comment begins with, or that there is none, if these are rows of the table."
        findings.add("comment", "comment", "left out", hint, rows, severity="left out")


def note_spaced(cells: Sequence[str], name: str, rows: Sequence[int], findings: Findings) -> None:
    """Note where blanks or apostrophes divide thousands."""
    at = [i for i, cell in enumerate(cells) if is_spaced(cell)]
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
