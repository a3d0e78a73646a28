"""Where a table comes from: a file or its bytes, gzipped or not; and the sheets of a workbook as rows of cells."""

import gzip
import zlib
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from difflib import get_close_matches
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from dolq_core.data.apart import check_opens
from dolq_core.data.bounds import LIMIT, LIMIT_MB, SMALLER, check_cells, check_size
from dolq_core.data.columns import Kind, short
from dolq_core.data.dialect import Grid, is_value
from dolq_core.data.findings import Said, refusal
from dolq_core.data.parquet import is_parquet

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

_PIECE: Final = 1 << 20  # bytes that are unpacked at a time
_OLD_EXCEL: Final = b"\xd0\xcf\x11\xe0"
_ZIP: Final = b"PK\x03\x04"

Cell: TypeAlias = int | float | str | bool | time | date | datetime | timedelta


def load(source: Path | bytes, name: str) -> tuple[bytes, str]:
    """Return the bytes of a file and its name; refuse files over the limit before anything of them is read."""
    if isinstance(source, bytes):
        check_size(len(source), f"The file '{name}'" if name else "The file")
        return source, name
    try:
        check_size(source.stat().st_size, f"The file '{name or source.name}'")
        return source.read_bytes(), name or source.name
    except OSError as error:
        reason = f"it cannot be read ({error.strerror or error})"
        raise refusal("unreadable", f"The file '{source}'", reason, "Check its name and place.") from None


def unpacked(raw: bytes, thing: str) -> bytes:
    """Return what a gzip file holds; anything else as it is."""
    if not raw.startswith(b"\x1f\x8b"):
        return raw
    pieces: list[bytes] = []
    size = 0
    try:
        with gzip.open(BytesIO(raw)) as file:
            while size <= LIMIT and (piece := file.read(_PIECE)):  # at once it would take five times the memory
                pieces.append(piece)
                size += len(piece)
    except (OSError, EOFError, zlib.error) as error:
        raise refusal(
            "unreadable", thing, f"it is a damaged gzip file ({error})", "Write or download it again."
        ) from None
    if size > LIMIT:
        raise refusal("size", thing, f"unpacked it has more than {LIMIT_MB} MB, which is the limit", SMALLER)
    return b"".join(pieces)


def is_workbook(raw: bytes) -> bool:
    """Whether these are the bytes of an Excel or LibreOffice file."""
    inside = raw.startswith(_ZIP) and (b"[Content_Types].xml" in raw or b"opendocument.spreadsheet" in raw[:200])
    return raw.startswith(_OLD_EXCEL) or inside


def kind_of(raw: bytes) -> Kind:
    """Return what a file is, by its bytes, gzipped or not."""
    return "parquet" if is_parquet(raw) else "workbook" if is_workbook(raw) else "text"


def sheets_of(raw: bytes, thing: str) -> tuple[str, ...]:
    """Return the names of the sheets of a workbook."""
    return tuple(_workbook(raw, thing).sheet_names)


def grid_of_sheet(raw: bytes, sheet: str, thing: str, said: Said) -> tuple[Grid, str, tuple[str, ...]]:
    """Return the cells of a sheet, the first with numbers where none is named; its name; and those of all."""
    book = _workbook(raw, thing)
    names = book.sheet_names
    if sheet and sheet not in names:
        near = get_close_matches(sheet, names, n=1)
        hint = (f"Did you mean '{near[0]}'? " if near else "") + f"There are {_listed(names)}."
        raise refusal("sheet", f"The sheet '{sheet}'", "there is none of that name", hint)
    chosen, cells = sheet, _cells(book, sheet) if sheet else []
    if not sheet:
        chosen, cells = next(
            ((name, found) for name in names if _has_numbers(found := _cells(book, name))),
            (names[0], _cells(book, names[0])),
        )
    if not sheet and len(names) > 1:
        said.add("sheet", f"the sheets are {_listed(names)}", f"'{chosen}' was taken", "Say another one.")
    filled = [i for i, row in enumerate(cells) if any(row)]
    if not filled:
        raise refusal("empty", thing, f"the sheet '{chosen}' is empty", "Choose a sheet with a header and numbers.")
    for i in filled:
        check_cells(cells[i], i + 1)
    breaks = {place for place, i in enumerate(filled) if place and i - filled[place - 1] > 1}
    return Grid([i + 1 for i in filled], [cells[i] for i in filled], breaks=frozenset(breaks)), chosen, tuple(names)


def _workbook(raw: bytes, thing: str) -> "CalamineWorkbook":
    from python_calamine import CalamineError, CalamineWorkbook  # noqa: PLC0415  only where a workbook is read

    check_opens(raw, "workbook", thing)
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(raw))
    except CalamineError as error:
        hint = "Take its password off, or save the table as CSV (UTF-8)."
        raise refusal("unreadable", thing, f"this workbook cannot be read ({error})", hint) from None
    if not book.sheet_names:
        raise refusal("empty", thing, "the workbook has no sheets", "Save the table as CSV (UTF-8).")
    return book


def _cells(book: "CalamineWorkbook", sheet: str) -> list[list[str]]:
    return [[_text(cell) for cell in row] for row in book.get_sheet_by_name(sheet).to_python(skip_empty_area=False)]


def _text(cell: Cell) -> str:
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float):
        return short(cell)
    if isinstance(cell, timedelta):
        return short(cell.total_seconds() / 86400.0)
    return (cell.isoformat() if isinstance(cell, date | time) else str(cell)).strip()


def _has_numbers(cells: Sequence[list[str]]) -> bool:
    return sum(any(cell and is_value(cell) for cell in row) for row in cells) > 1


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
