"""The fast way through a large plain text table: Arrow parses it, exactly, and any doubt goes to the slow way.

The layout comes from the first rows, by the functions that the slow way uses. What Arrow would read otherwise than we
do (comments, blank lines, infinite or huge numbers, rows of another width, quotation marks other than around whole
cells of one line) ends this way with None.
"""

# pyarrow has no stubs:
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.data.body import SUMMARY
from dolq_core.data.clock import joined_moments
from dolq_core.data.columns import Column, Labels, Table
from dolq_core.data.dialect import AS_FOUND, Dialect, find_delimiter, grid_of, split_lines
from dolq_core.data.findings import Said, TableError
from dolq_core.data.layout import Layout, lay_out
from dolq_core.data.numbers import MISSING, Marks, is_missing, is_number, marks_of
from dolq_core.data.remarks import EXACT, extremes, say_comments, say_delimiter, say_marks, say_missing, say_sentinel

FROM: Final = 1 << 17  # bytes; below it, importing Arrow costs more than it saves
_HEAD: Final = 1 << 16
_ORDINARY: Final = b"0123456789.,+-eE\n;\t| "
_QUOTE: Final = b'"'
_DOUBTFUL: Final = b"#!%/'()*?\xc2\xe2"  # the last two begin unusual blanks, dashes and minus signs
_GAPS: Final = sorted({form for mark in MISSING for form in (mark, mark.upper(), mark.title(), "NaN", "n/A")})


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the head of a file tells of the whole."""

    delimiter: str
    layout: Layout
    marks: Marks
    units: dict[str, str]
    comments: Sequence[int]
    row: int
    offset: int


def quick_table(text: bytes, name: str, thing: str, said: Said, encoding: str, how: Dialect = AS_FOUND) -> Table | None:
    """Return the table in a large plain text; None where the slow way must read it."""
    own = Said(list(said.all))
    plan = None if how.comment else _plan(text, thing, own, how)  # a mark of one's own may stand anywhere
    if plan is None or not _is_plain(text, plan):
        return None
    read = _parsed(text, plan)
    if read is None:
        return None
    if not how.decimal:
        say_marks(plan.marks, own)
    if plan.comments:
        say_comments(plan.comments, own)
    rows = range(plan.row, plan.row + len(read[0]))
    columns = _columns(read, plan, rows, own)
    if columns is None or _has_empty_row(columns):
        return None
    columns = joined_moments(columns, own)
    decimal, units = plan.marks.decimal, plan.units
    header = plan.layout.row if plan.layout.header else 0
    return Table(
        name, columns, rows, tuple(own.all), encoding, plan.delimiter, decimal, units,
        header=header, units_row=plan.layout.units_row,
    )  # fmt: skip


def _plan(text: bytes, thing: str, said: Said, how: Dialect) -> _Plan | None:
    head = text[:_HEAD]
    head = head[: head.rfind(b"\n") + 1]
    try:
        lines = split_lines(head.decode("utf-8"), thing, how.comment)
        if not lines.text or any("\n" in line for line in lines.text):
            return None
        delimiter = how.delimiter or find_delimiter(lines.text)
        if not how.delimiter:
            say_delimiter(delimiter, said)
        grid = grid_of(lines, delimiter)
        layout = lay_out(grid, delimiter, said, how.header)
        body = grid.cells[layout.start :]
        if not _is_regular(layout, body):
            return None
        found = dict(zip(layout.names, zip(*body, strict=True), strict=True))
        marks = marks_of(found, grid.rows[layout.start :], delimiter, how.decimal)
    except TableError:  # the slow way says it better: it sees the whole file
        return None
    row = grid.rows[layout.start]
    units = {own: unit for own, unit in zip(layout.names, layout.units, strict=False) if unit}
    return None if marks.thousands else _Plan(delimiter, layout, marks, units, grid.comments, row, _offset(text, row))


def _is_regular(layout: Layout, body: Sequence[list[str]]) -> bool:
    """Whether the first rows have one width, own names, and columns of numbers or of words."""
    wide = len(layout.names)
    if not body or wide < 2 or any(len(row) != wide for row in body) or len(layout.numeric) != wide:
        return False
    if not all(layout.names) or len(set(layout.names)) < wide or not any(layout.numeric):
        return False
    numbers = [j for j in range(wide) if layout.numeric[j]]
    return all(is_number(row[j]) or is_missing(row[j]) for row in body for j in numbers)


def _offset(text: bytes, row: int) -> int:
    at = 0
    for _ in range(row - 1):
        at = text.index(b"\n", at) + 1
    return at


def _is_plain(text: bytes, plan: _Plan) -> bool:
    """Whether nothing under the header needs more than splitting at delimiters and newlines."""
    rest = text.translate(None, _ORDINARY)[len(text[: plan.offset].translate(None, _ORDINARY)) :]
    if any(byte in rest for byte in _DOUBTFUL) or (_QUOTE in rest and not _is_quoted(text, plan)):
        return False
    if plan.delimiter != " ":
        return True
    doubled = any(text.find(pair, plan.offset) >= 0 for pair in (b"  ", b" \n", b"\n "))
    return not doubled and not text.startswith(b" ", plan.offset)


def _is_quoted(text: bytes, plan: _Plan) -> bool:
    """Whether every quotation mark under the header opens or closes a whole cell, and none holds a newline."""
    body = np.frombuffer(text, dtype=np.uint8)[plan.offset :]
    marks = np.flatnonzero(body == ord(_QUOTE))
    if plan.delimiter == " " or len(marks) % 2:
        return False
    beside = np.array([ord(plan.delimiter), ord("\n")], dtype=np.uint8)
    first, last = marks[::2], marks[1::2]
    opened = np.isin(body[first[first > 0] - 1], beside).all()
    closed = np.isin(body[last[last < len(body) - 1] + 1], beside).all()
    lines = np.flatnonzero(body == ord("\n"))
    return bool(opened and closed and (np.searchsorted(marks, lines) % 2 == 0).all())


def _parsed(text: bytes, plan: _Plan) -> list[Any] | None:
    """Return the columns as Arrow reads them; None when a cell is not what the head promised."""
    import pyarrow as pa  # noqa: PLC0415  a fifth of a second to import, only where it saves more
    from pyarrow import csv  # noqa: PLC0415

    names = [str(j) for j in range(len(plan.layout.names))]
    kinds = [pa.float64() if numeric else pa.string() for numeric in plan.layout.numeric]
    try:
        read = csv.read_csv(
            pa.BufferReader(pa.py_buffer(text).slice(plan.offset, _end(text) - plan.offset)),
            read_options=csv.ReadOptions(column_names=names, use_threads=False),
            parse_options=csv.ParseOptions(delimiter=plan.delimiter, quote_char='"', ignore_empty_lines=False),
            convert_options=csv.ConvertOptions(
                column_types=dict(zip(names, kinds, strict=True)), null_values=_GAPS, decimal_point=plan.marks.decimal
            ),
        )
    except pa.ArrowInvalid:
        return None
    return list(read.columns)


def _end(text: bytes) -> int:
    """Return where the text ends, without the blank lines there."""
    end = len(text)
    while end > 1 and text[end - 2 : end] == b"\n\n":
        end -= 1
    return end


def _columns(read: list[Any], plan: _Plan, rows: range, said: Said) -> dict[str, Column] | None:
    found: dict[str, Column] = {}
    for own, numeric in zip(plan.layout.names, plan.layout.numeric, strict=True):
        arrow = read.pop(0)
        column = _numbers(own, arrow) if numeric else _labels(own, arrow, first=not found)
        if column is None:
            return None
        say_missing(column, rows, said)
        if column.numbers is not None:
            say_sentinel(own, rows, column.values, said)
        found[own] = column
    return found


def _numbers(name: str, arrow: Any) -> Column | None:
    values: Floats = arrow.to_numpy()
    low, high = extremes(values)
    if not (-EXACT < low and high < EXACT):  # infinite, or perhaps whole numbers with lost digits
        return None
    values.setflags(write=False)
    gaps = np.flatnonzero(np.isnan(values)).tolist() if arrow.null_count else ()
    return Column(name, values, values, (), tuple(gaps))


def _labels(name: str, arrow: Any, *, first: bool) -> Column | None:
    """Return a column of words; None when one of them may be a gap, a number or the label of a footer."""
    coded = arrow.combine_chunks().dictionary_encode()
    labels = [str(label).strip() for label in coded.dictionary.to_pylist()]
    doubtful = any(is_missing(label) or is_number(label) for label in labels) or len(set(labels)) < len(labels)
    if doubtful or (first and any(set(label.lower().split()) & SUMMARY for label in labels)):
        return None
    which: Ints = coded.indices.to_numpy()
    nothing = np.broadcast_to(np.nan, len(which))
    return Column(name, nothing, None, range(len(which)), (), Labels(labels, which))


def _has_empty_row(columns: Mapping[str, Column]) -> bool:
    if any(column.numbers is None for column in columns.values()):
        return False
    gaps = [np.isnan(column.values) for column in columns.values() if column.missing]
    return len(gaps) == len(columns) and bool(np.logical_and.reduce(gaps).any())
