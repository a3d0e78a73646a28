"""The body of a large plain text, parsed by Arrow.

What Arrow would read otherwise than we do (comments, blank lines, infinite or huge numbers, rows of another width,
quotation marks other than around whole cells of one line) is left to the reader of cells.
"""

# pyarrow has no stubs:
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from collections.abc import Collection, Iterable
from typing import Any, Final

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.data.dates import are_iso
from dolq_core.data.layout import SUMMARY, Layout
from dolq_core.data.numbers import EXACT, MISSING, extremes, is_missing, is_number
from dolq_core.data.table import Column, Labels

FROM: Final = 1 << 17  # bytes; below it, importing Arrow costs more than it saves
_ORDINARY: Final = b"0123456789.,+-eE\n;\t| "
_QUOTE: Final = b'"'
_DOUBTFUL: Final = b"#!%/'()*?\xc2\xe2"  # the last two begin unusual blanks, dashes and minus signs
_MISSING: Final = sorted({form for mark in MISSING for form in (mark, mark.upper(), mark.title(), "NaN", "n/A")})


def parse(text: bytes, layout: Layout, row: int, delimiter: str, decimal: str) -> dict[str, Column] | None:
    """Return the columns of the rows from `row` on; None where a cell is not what the first rows promise."""
    offset = 0
    for _ in range(row - 1):
        offset = text.index(b"\n", offset) + 1
    arrays = _arrays(text, offset, layout.numeric, delimiter, decimal) if _is_plain(text, offset, delimiter) else None
    if arrays is None:
        return None
    columns: dict[str, Column] = {}
    for name, numeric in zip(layout.names, layout.numeric, strict=True):
        array = arrays.pop(0)  # no second copy of a long column
        column = _numbers(name, array) if numeric else _labels(name, array, first=not columns)
        if column is None:
            return None
        columns[name] = column
    return None if _has_empty_row(columns.values()) else columns


def _is_plain(text: bytes, offset: int, delimiter: str) -> bool:
    """Whether the body needs no more than splitting at delimiters and newlines."""
    rest = text.translate(None, _ORDINARY)[len(text[:offset].translate(None, _ORDINARY)) :]
    if any(byte in rest for byte in _DOUBTFUL) or (_QUOTE in rest and not _is_quoted(text, offset, delimiter)):
        return False
    if delimiter != " ":
        return True
    doubled = any(text.find(pair, offset) >= 0 for pair in (b"  ", b" \n", b"\n "))
    return not doubled and not text.startswith(b" ", offset)


def _is_quoted(text: bytes, offset: int, delimiter: str) -> bool:
    """Whether every quotation mark of the body opens or closes a whole cell, and none holds a newline."""
    body = np.frombuffer(text, dtype=np.uint8)[offset:]
    marks = np.flatnonzero(body == ord(_QUOTE))
    if delimiter == " " or len(marks) % 2:
        return False
    beside = np.array([ord(delimiter), ord("\n")], dtype=np.uint8)
    first, last = marks[::2], marks[1::2]
    opened = np.isin(body[first[first > 0] - 1], beside).all()
    closed = np.isin(body[last[last < len(body) - 1] + 1], beside).all()
    lines = np.flatnonzero(body == ord("\n"))
    return bool(opened and closed and (np.searchsorted(marks, lines) % 2 == 0).all())


def _arrays(text: bytes, offset: int, numeric: Iterable[bool], delimiter: str, decimal: str) -> list[Any] | None:
    """Return the columns as Arrow reads them; None when it finds another number of cells, or text among numbers."""
    import pyarrow as pa  # noqa: PLC0415  a fifth of a second to import, only where it saves more
    from pyarrow import csv  # noqa: PLC0415

    kinds = {str(j): pa.float64() if holds else pa.string() for j, holds in enumerate(numeric)}
    end = len(text)
    while text.endswith(b"\n\n", 0, end):
        end -= 1
    try:
        read = csv.read_csv(
            pa.BufferReader(pa.py_buffer(text).slice(offset, end - offset)),
            read_options=csv.ReadOptions(column_names=list(kinds), use_threads=False),
            parse_options=csv.ParseOptions(delimiter=delimiter, quote_char='"', ignore_empty_lines=False),
            convert_options=csv.ConvertOptions(column_types=kinds, null_values=_MISSING, decimal_point=decimal),
        )
    except pa.ArrowInvalid:
        return None
    return list(read.columns)


def _numbers(name: str, array: Any) -> Column | None:
    values: Floats = array.to_numpy()
    low, high = extremes(values)
    if not (-EXACT < low and high < EXACT):  # infinite, or perhaps whole numbers with lost digits
        return None
    values.setflags(write=False)
    gaps = np.flatnonzero(np.isnan(values)).tolist() if array.null_count else ()
    return Column(name, values, values, (), tuple(gaps))


def _labels(name: str, array: Any, *, first: bool) -> Column | None:
    """Return a column of words; None when one of them may be a gap, a number or the label of a footer."""
    coded = array.combine_chunks().dictionary_encode()
    labels = [str(label).strip() for label in coded.dictionary.to_pylist()]
    if not are_iso(labels):  # which are neither gaps nor numbers nor words
        if any(is_missing(label) or is_number(label) for label in labels):
            return None
        if first and any(set(label.lower().split()) & SUMMARY for label in labels):
            return None
    if len(set(labels)) < len(labels):
        return None
    codes = coded.indices.to_numpy()
    return Column(name, np.broadcast_to(np.nan, len(codes)), None, range(len(codes)), (), Labels(labels, codes))


def _has_empty_row(columns: Collection[Column]) -> bool:
    if not all(column.missing for column in columns):
        return False
    return bool(np.logical_and.reduce([np.isnan(column.values) for column in columns]).any())
