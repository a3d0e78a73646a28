"""Bytes to plain UTF-8 bytes: which encoding a table is in, and plain words for files that are no text at all."""

import re
from typing import Final

from dolq_core.data.findings import Said, counted, refusal

_BOMS: Final = (  # UTF-32 first: its mark begins with that of UTF-16
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_KINDS: Final = (
    (b"PK\x03\x04", "a zip file"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy file"),
    (b"MATLAB 5.0", "a MATLAB file"),
    (b"SQLite format 3", "a database"),
)
NAMES: Final = {"utf-8": "UTF-8", "cp1252": "Windows-1252"}
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_TEXT: Final = bytes(byte for byte in range(256) if not _CONTROL.match(bytes([byte])))
_HEAD: Final = 1 << 16
_SAVE_AS_TEXT: Final = "Open it in the program that wrote it and save the table as CSV (UTF-8)."


def decode(raw: bytes, thing: str, said: Said) -> tuple[bytes, str]:
    """Return the text as UTF-8 with newlines, and the name of its encoding; `thing` names the file in an error."""
    kind = next((words for magic, words in _KINDS if raw.startswith(magic)), None)
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
        used = NAMES.get(encoding, encoding.upper())
        said.add("encoding", f"the file was read as {used} text", way_out="Save it as UTF-8 if letters look wrong.")
    text = text.removesuffix(b"\x1a")
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return _without_control(text, thing, said), encoding


def first_lines(raw: bytes, most: int = 8, wide: int = 100) -> tuple[str, ...]:
    """Return the first lines of a text as they stand, each cut to `wide` letters; none where it is no text."""
    start = raw[:_HEAD]
    start = start[: start.rfind(b"\n") + 1] or start  # no letter of several bytes is cut
    text = start.decode(_encoding(start), "replace").removeprefix("\ufeff")
    if any(ord(letter) < 32 and not letter.isspace() for letter in text):
        return ()
    return tuple(line[:wide] for line in text.splitlines()[:most])


def _without_control(text: bytes, thing: str, said: Said) -> bytes:
    """Cut zero bytes off the end, as loggers leave them that reserve room; refuse control characters elsewhere."""
    if text.endswith(b"\x00"):
        kept = text.rstrip(b"\x00")
        gone = counted(len(text) - len(kept), "zero byte")
        said.add("zero-byte", f"{gone} at the end of the file", "cut off", severity="left out")
        text = kept
    control = text.translate(None, _TEXT)  # a hundred times faster than a search
    if control:
        position = text.index(control[:1])
        row = text.count(b"\n", 0, position) + 1
        byte = text[position]
        what = "a zero byte" if byte == 0 else f"a control character (0x{byte:02x})"
        hint = f"This is not a text file, or a damaged one. {_SAVE_AS_TEXT}"
        raise refusal("zero-byte" if byte == 0 else "binary", thing, f"it holds {what}", hint, (row,))
    return text


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
