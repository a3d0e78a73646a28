"""Bytes to text: which encoding a table is in, and plain words for files that are no text at all."""

import re
from typing import Final

from dolq_core.errors import DataError

_BOMS: Final = (  # UTF-32 first: its mark begins with that of UTF-16
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_KINDS: Final = (
    (b"PK\x03\x04", "an Excel, LibreOffice or zip file"),
    (b"\xd0\xcf\x11\xe0", "an old Excel file"),
    (b"\x1f\x8b", "a gzip file"),
    (b"PAR1", "a Parquet file"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy file"),
    (b"MATLAB 5.0", "a MATLAB file"),
    (b"SQLite format 3", "a database"),
)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_SAVE_AS_TEXT: Final = "Open it in the program that wrote it and save the table as CSV (UTF-8)."


def decode(raw: bytes, thing: str) -> tuple[str, str]:
    """Return the text, with plain newlines, and the name of its encoding; `thing` names the file in an error."""
    kind = next((words for magic, words in _KINDS if raw.startswith(magic)), None)
    if kind:
        raise DataError(thing, f"this is {kind}, not a text table", _SAVE_AS_TEXT)
    encoding = _encoding(raw)
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        raise DataError(thing, "this is neither UTF-8, UTF-16 nor Windows text", _SAVE_AS_TEXT) from None
    text = text.removeprefix("\ufeff").removesuffix("\x1a").replace("\r\n", "\n").replace("\r", "\n")
    if _CONTROL.search(text):
        raise DataError(thing, "this is not a text file", _SAVE_AS_TEXT)
    return text, encoding.removesuffix("-sig")


def _encoding(raw: bytes) -> str:
    marked = next((name for mark, name in _BOMS if raw.startswith(mark)), None)
    if marked:
        return marked
    start = raw[:4096]
    if b"\x00" in start:  # no text but UTF-16 has zero bytes: they are the upper halves of ASCII characters
        return "utf-16-le" if start[1::2].count(0) > start[::2].count(0) else "utf-16-be"
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
