"""Files to one table: text, plain or packed, workbooks and Parquet; several files are several runs."""

import bz2
import gzip
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from dolq_core.data.dialect import AS_FOUND, Dialect
from dolq_core.data.findings import (
    LIMIT,
    LIMIT_MB,
    SMALLER,
    Finding,
    Findings,
    TableError,
    check_size,
    counted,
    refusal,
)
from dolq_core.data.table import Column, Kind, Table, column_of, free_name, text_column
from dolq_core.data.text import grid_table, text_table
from dolq_core.data.typed import grid_of_sheet, parquet_table

ENCODINGS: Final = {"utf-8": "UTF-8", "cp1252": "Windows-1252"}
_BOMS: Final = (  # UTF-32 first: its mark begins with that of UTF-16
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_ZIP: Final = b"PK\x03\x04"
_OLD_EXCEL: Final = b"\xd0\xcf\x11\xe0"
_BINARY: Final = {
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"%PDF": "a PDF", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture", b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "a NumPy file", b"MATLAB 5.0": "a MATLAB file", b"SQLite format 3": "a database",
}  # fmt: skip
_WEB_PAGE: Final = (b"<!doctype html", b"<html", b"<head", b"<body")
_MARKUP: Final = (b"<?xml", b"<!--")
_GET_THE_TABLE: Final = (
    "Open it in a browser: sign in if it asks for that and download the table, or copy the table into a spreadsheet "
    "and save that as CSV."
)
_XZ_MEMORY: Final = 100_000_000  # `xz -9` takes 65 MB; a crafted file could ask for gigabytes
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_TEXT: Final = bytes(byte for byte in range(256) if not _CONTROL.match(bytes([byte])))
_PIECE: Final = 1 << 20  # bytes that are unpacked at a time
_HEAD: Final = 1 << 16
_SAVE_AS_TEXT: Final = "Open it in the program that wrote it and save the table as CSV (UTF-8)."
WRITTEN: Final = ("kind", "encoding", "delimiter", "decimal", "header", "units_row", "sheet")
"""The fields of a table that say how its file is written."""


def read_table(source: Path | bytes, name: str = "", dialect: Dialect = AS_FOUND) -> Table:
    """Read a table from a file or its bytes; raise TableError with all that was found until then.

    dialect: what the person says of the way in which it is written; the rest is found, and noted as a finding.
    """
    name = name or (source.name if isinstance(source, Path) else "")
    thing = f"The file '{name}'" if name else "The file"
    findings = Findings()
    try:
        raw = load(source, name)
        match kind_of(raw):
            case "parquet":
                return parquet_table(raw, name, thing)
            case "workbook":
                grid, sheet = grid_of_sheet(raw, dialect.sheet, thing, findings)
                table = grid_table(grid, name, thing, findings, dialect)
                return replace(table, kind="workbook", sheet=sheet)
            case "text":
                text, encoding = decode(raw, thing, findings)
                del raw
                return text_table(text, name, thing, findings, encoding, dialect)
    except TableError as error:
        raise TableError((*findings, *error.findings)) from None


def read_tables(sources: Sequence[Path | tuple[str, bytes]], dialect: Dialect = AS_FOUND) -> Table:
    """Read files with the same columns as one table with a column that names the file of each row; raise TableError.

    sources: paths, or names with bytes. A single file is read as `read_table` reads it. dialect: of every file.
    """
    if not sources:
        raise refusal("files", "The files", "none is named", "Name at least one.")
    tables: list[Table] = []
    for source in sources:
        name, content = (source.name, source) if isinstance(source, Path) else source
        try:
            tables.append(read_table(content, name, dialect))
        except TableError as error:
            if len(sources) == 1:
                raise
            last = error.findings[-1]
            found = last.found if name in last.thing else f"in the file '{name}' {last.found}"
            raise TableError((*error.findings[:-1], replace(last, found=found))) from None
    return tables[0] if len(tables) == 1 else _joined(tables)


def _joined(tables: Sequence[Table]) -> Table:
    first, labels = tables[0], _labels(tables)
    wanted = _own(first)
    for table in tables[1:]:
        _check_columns(first.name, wanted, table)
        _check_units(first, table)
    parts, lengths = free_name("file", wanted), [len(table.rows) for table in tables]
    files = np.repeat(np.arange(len(tables)), lengths).tolist()
    columns = {parts: text_column(parts, {i: labels[k] for i, k in enumerate(files)}, len(files))}
    columns |= {own: _column(own, [table.columns[own] for table in tables]) for own in wanted}
    findings = Findings(_of_files(tables))
    hint = "Name another column with the run if that is wrong."
    findings.add("files", f"{len(tables)} files", f"each is a run, named in the column '{parts}'", hint)
    starts = np.cumsum([0, *lengths[:-1]]).tolist()
    return replace(
        first,
        name=labels[0] + f" and {len(tables) - 1} more",
        columns=columns,
        rows=tuple(row for table in tables for row in table.rows),
        findings=tuple(findings),
        units={own: unit for table in tables for own, unit in table.units.items()},
        parts=parts,
        sources=tuple(zip(labels, starts, strict=True)),
        unlike=tuple(what for what in WRITTEN if len({getattr(table, what) for table in tables}) > 1),
    )


def _check_units(first: Table, table: Table) -> None:
    """Raise DataError where a row of units, or a name, says another unit for a column than the first file does."""
    for own, unit in first.units.items():
        if table.units.get(own, unit) != unit:
            reason = f"it is in {first.units[own]} in {first.name}, and in {table.units[own]} in {table.name}"
            raise refusal("files", f"The column '{own}'", reason, "Bring both files to one unit.")


def _own(table: Table) -> list[str]:
    return [name for name in table.columns if name != table.parts]


def _labels(tables: Sequence[Table]) -> list[str]:
    """Return what each file is called, without its ending; whole and numbered where two are called the same."""
    stems = [table.name.split(".")[0] or table.name for table in tables]
    whole = stems if len(set(stems)) == len(stems) else [table.name for table in tables]
    return whole if len(set(whole)) == len(whole) else [f"{name} ({i})" for i, name in enumerate(whole, 1)]


def _check_columns(first: str, wanted: Sequence[str], table: Table) -> None:
    own = _own(table)
    faults = [
        *(f"it has no column '{name}', but '{first}' has" for name in wanted if name not in own),
        *(f"it has a column '{name}', but '{first}' has none" for name in own if name not in wanted),
    ]
    if faults:
        hint = "Give all files the same columns, with the same names."
        raise refusal("files", f"The file '{table.name}'", faults[0], hint)


def _column(name: str, parts: Sequence[Column]) -> Column:
    starts = np.cumsum([0, *(len(part.values) for part in parts)]).tolist()
    written = {start + i: text for start, part in zip(starts, parts, strict=False) for i, text in part.written.items()}
    return column_of(name, np.concatenate([part.values for part in parts]), written)


def _of_files(tables: Sequence[Table]) -> Iterator[Finding]:
    """Yield the findings of all files; what is the same in each of them once, and any other with its file."""
    shared = [one for one in tables[0].findings if all(one in table.findings for table in tables)]
    yield from (replace(one, found=f"in every file {one.found}") for one in shared)
    for table in tables:
        yield from (replace(one, found=f"in '{table.name}' {one.found}") for one in table.findings if one not in shared)


def load(source: Path | bytes, name: str) -> bytes:
    """Return the bytes of a file, unpacked; refuse files over the limit before anything of them is read."""
    thing = f"The file '{name}'" if name else "The file"
    if isinstance(source, Path):
        try:
            check_size(source.stat().st_size, thing)
            source = source.read_bytes()
        except OSError as error:
            reason = f"it cannot be read ({error.strerror or error})"
            raise refusal("unreadable", f"The file '{source}'", reason, "Check its name and place.") from None
    check_size(len(source), thing)
    return _unpacked(source, thing)


class _Pieces(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _unpacked(raw: bytes, thing: str) -> bytes:
    """Return what a packed file holds; the bytes as they are where nothing is packed."""
    packed: tuple[tuple[bytes, str, Callable[[], _Pieces]], ...] = (
        (b"\x1f\x8b", "gzip", lambda: gzip.open(BytesIO(raw))),
        (b"BZh", "bzip2", lambda: bz2.open(BytesIO(raw))),
        (b"\xfd7zXZ", "xz", lambda: _Xz(raw)),
        (_ZIP, "zip", lambda: _only_file(raw, thing)),
    )
    for magic, kind, opened in packed:
        if raw.startswith(magic) and not _is_workbook(raw):
            return _whole(opened, kind, thing)
    return raw


class _Xz:
    """An xz file, read in pieces with little memory."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes more; nothing at the end."""
        if self._decompressor.eof:
            return b""
        raw, self._raw = self._raw, b""
        piece = self._decompressor.decompress(raw, size)
        if not piece and not self._decompressor.eof:
            raise EOFError("it ends too soon")
        return piece


def _only_file(raw: bytes, thing: str) -> _Pieces:
    archive = zipfile.ZipFile(BytesIO(raw))
    inside = [one for one in archive.infolist() if not one.is_dir() and not one.filename.startswith("__MACOSX/")]
    if len(inside) != 1:
        reason = f"it is a zip file with {counted(len(inside), 'file')}, and one table is read at a time"
        raise refusal("unreadable", thing, reason, "Unpack it and give the files one by one.")
    if inside[0].flag_bits & 1:
        raise refusal("unreadable", thing, "it is a zip file with a password", "Unpack it first.")
    return archive.open(inside[0])


def _whole(opened: Callable[[], _Pieces], kind: str, thing: str) -> bytes:
    pieces: list[bytes] = []
    size = 0
    try:
        file = opened()
        while size <= LIMIT and (piece := file.read(_PIECE)):  # at once it would take five times the memory
            pieces.append(piece)
            size += len(piece)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError) as error:
        reason = f"it is a damaged {kind} file ({error})"
        raise refusal("unreadable", thing, reason, "Write or download it again.") from None
    if size > LIMIT:
        raise refusal("size", thing, f"unpacked it has more than {LIMIT_MB} MB, which is the limit", SMALLER)
    return b"".join(pieces)


def kind_of(raw: bytes) -> Kind:
    """Return what a file is, by its bytes."""
    if raw.startswith(b"PAR1"):
        return "parquet"
    return "workbook" if _is_workbook(raw) or raw.startswith(_OLD_EXCEL) else "text"


def _is_workbook(raw: bytes) -> bool:
    return raw.startswith(_ZIP) and (b"[Content_Types].xml" in raw or b"opendocument.spreadsheet" in raw[:200])


def decode(raw: bytes, thing: str, findings: Findings) -> tuple[bytes, str]:
    """Return the text as UTF-8 with newlines, and the name of its encoding."""
    kind = next((words for magic, words in _BINARY.items() if raw.startswith(magic)), None)
    if kind:
        raise refusal("binary", thing, f"this is {kind}, not a text table", _SAVE_AS_TEXT)
    encoding = _encoding(raw)
    text = raw
    if encoding != "utf-8":
        try:
            text = raw.decode(encoding).removeprefix("\ufeff").encode("utf-8")
        except (UnicodeDecodeError, UnicodeEncodeError):
            reason = "this is neither UTF-8, UTF-16 nor Windows text"
            raise refusal("encoding", thing, reason, _SAVE_AS_TEXT) from None
    encoding = encoding.removesuffix("-sig")
    if encoding != "utf-8":
        used = ENCODINGS.get(encoding, encoding.upper())
        findings.add("encoding", f"the file was read as {used} text", way_out="Save it as UTF-8 if letters look wrong.")
    text = text.removesuffix(b"\x1a")
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if _is_web_page(text):
        raise refusal("unreadable", thing, "this is a web page (HTML), not a table", _GET_THE_TABLE)
    return _without_control(text, thing, findings), encoding


def _is_web_page(text: bytes) -> bool:
    start = text[:_HEAD].lstrip()[:2000].lower()
    return start.startswith(_WEB_PAGE) or (start.startswith(_MARKUP) and b"<html" in start)


def first_lines(raw: bytes, most: int = 8, wide: int = 100) -> tuple[str, ...]:
    """Return the first lines of a text as they are, each cut to `wide` characters; none where it is no text."""
    start = raw[:_HEAD]
    start = start[: start.rfind(b"\n") + 1] or start  # no letter of several bytes is cut
    text = start.decode(_encoding(start), "replace").removeprefix("\ufeff")
    if any(ord(letter) < 32 and not letter.isspace() for letter in text):
        return ()
    return tuple(line[:wide] for line in text.splitlines()[:most])


def _without_control(text: bytes, thing: str, findings: Findings) -> bytes:
    """Cut zero bytes off the end, as loggers leave them that reserve room; refuse control characters elsewhere."""
    kept = text.rstrip(b"\x00")
    if len(kept) < len(text):
        gone = counted(len(text) - len(kept), "zero byte")
        findings.add("zero-byte", f"{gone} at the end of the file", "cut off", severity="left out")
    control = kept.translate(None, _TEXT)  # a hundred times faster than a search
    if control:
        position = kept.index(control[:1])
        row, byte = kept.count(b"\n", 0, position) + 1, kept[position]
        what = f"a control character (0x{byte:02x})" if byte else "a zero byte"
        hint = f"This is not a text file, or a damaged one. {_SAVE_AS_TEXT}"
        raise refusal("binary" if byte else "zero-byte", thing, f"it holds {what}", hint, (row,))
    return kept


def _encoding(raw: bytes) -> str:
    marked = next((name for mark, name in _BOMS if raw.startswith(mark)), None)
    if marked:
        return marked
    start = raw[:4096]
    low, high = start[::2].count(0), start[1::2].count(0)
    if max(low, high) > len(start) / 8 and min(low, high) * 8 < max(low, high):
        return "utf-16-le" if high > low else "utf-16-be"  # the zero bytes are the upper halves of ASCII characters
    if raw.isascii():
        return "utf-8"
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
