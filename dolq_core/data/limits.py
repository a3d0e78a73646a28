"""How much a table may hold: a file that a stranger wrote takes bounded memory and time, or is refused in words."""

from collections.abc import Iterable, Sequence
from typing import Final

from dolq_core.data.findings import refusal

LIMIT_MB: Final = 200
LIMIT: Final = LIMIT_MB * 1_000_000
"""Bytes of a file, packed or unpacked: a table of ten million numbers as text."""
MOST_COLUMNS: Final = 1_000
"""Columns: every pair of them is compared, and a page has a line for each."""
MOST_ROW: Final = 1_000_000
"""Letters of a row: the most columns with a thousand letters each."""
MOST_CELL: Final = 10_000
"""Letters of a cell: some pages of remarks; what is wrong with a cell is said with the cell."""
MOST_NAME: Final = 200
"""Letters of the name of a column: it stands in every chart and table."""

SMALLER: Final = "Thin it out, for example to every tenth row, or split it into files of one run each."


def check_size(size: int, thing: str) -> None:
    """Refuse a file of too many bytes."""
    if size > LIMIT:
        raise refusal("size", thing, f"it has {size / 1e6:,.0f} MB, and {LIMIT_MB} MB is the limit", SMALLER)


def check_columns(columns: int, thing: str) -> None:
    """Refuse a table of too many columns."""
    if columns > MOST_COLUMNS:
        hint = "Save a table with the columns that you need; one sample is one row."
        raise refusal("size", thing, f"it has {columns:,} columns, and {MOST_COLUMNS:,} is the limit", hint)


def check_row(letters: int, row: int) -> None:
    """Refuse a row that is too long to be one sample."""
    if letters > MOST_ROW:
        reason = f"it has over {MOST_ROW:,} letters, which is the limit"
        raise refusal("size", "", reason, "Put each sample into a row of its own.", (row,))


def check_cells(cells: Iterable[str], row: int) -> None:
    """Refuse a row with a cell that is too long for a number, a name or a remark."""
    for cell in cells:
        if len(cell) > MOST_CELL:
            reason = f"a cell has {len(cell):,} letters, and {MOST_CELL:,} is the limit"
            raise refusal("size", "", reason, "Shorten it or leave it empty.", (row,))


def check_names(names: Sequence[str], thing: str) -> None:
    """Refuse names that are too long for a chart."""
    for number, name in enumerate(names, 1):
        if len(name) > MOST_NAME:
            reason = f"the name of column {number} ('{name[:20]}...') has {len(name):,} letters"
            raise refusal("size", thing, f"{reason}, and {MOST_NAME} is the limit", "Give it a short name.")
