"""Text to rows of cells: comments, blank lines, and the delimiter that all lines agree on, or that a person names."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from dolq_core.data.bounds import MOST_CELL, check_cells, check_row
from dolq_core.data.findings import refusal
from dolq_core.data.numbers import is_missing, is_number
from dolq_core.data.times import is_moment
from dolq_core.data.units import behind

DELIMITERS: Final = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "blanks"}
_EXCEL_ERROR: Final = re.compile(r"#(N/A|DIV/0!|REF!|VALUE!|NAME\?|NUM!|NULL!)", re.IGNORECASE)  # a cell, no comment
_COMMENT: Final = re.compile(r"#|//|[%!](?=[\s%!]|$)")
_OPENING: Final = re.compile(r'(?:^|[\t;|, ])"')  # elsewhere the mark is a character, as in 5"
_SAMPLE: Final = 300  # lines that decide on the delimiter; the widths of all lines are checked afterwards
_SEP: Final = re.compile(r"sep=(.)", re.IGNORECASE)  # Excel's own first line


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a person says that a file is written; whatever is left out, the reader finds.

    Attributes:
        delimiter: one of DELIMITERS; of a text file.
        decimal: the decimal mark, a point or a comma; the other one then divides thousands.
        header: the row of the names, as a spreadsheet counts rows; 0 when there is none, None where it is to be found.
        comment: what a comment begins with; empty when there are none, None where it is to be found. Of a text file.
        sheet: of a workbook; empty for the first one that holds numbers.
    """

    delimiter: str = ""
    decimal: str = ""
    header: int | None = None
    comment: str | None = None
    sheet: str = ""


AS_FOUND: Final = Dialect()


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a text that hold cells.

    Attributes:
        rows: the row of each line as a spreadsheet counts it: from 1, comments and blank lines included.
        text: the lines; one holds a newline where a quoted cell does.
        comments: the rows that are comments.
        heading: the last comment before the first line, without its mark; empty when there is none.
        breaks: positions of the lines that follow a blank one.
    """

    rows: list[int] = field(default_factory=list[int])
    text: list[str] = field(default_factory=list[str])
    comments: list[int] = field(default_factory=list[int])
    heading: str = ""
    breaks: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells without blanks around them, however the file wrote them; see `Lines`."""

    rows: Sequence[int]
    cells: Sequence[list[str]]
    comments: Sequence[int] = ()
    heading: str = ""
    breaks: frozenset[int] = frozenset()


def split_lines(text: str, thing: str, comment: str | None = None) -> Lines:
    """Split a text into rows, leave out blank ones and comments, join rows that a quoted newline divides.

    comment: what a comment begins with, empty for nothing; None for any of the usual marks.
    """
    rows: list[int] = []
    kept: list[str] = []
    comments: list[int] = []
    breaks: set[int] = set()
    heading, row = "", 0
    parts = iter(text.split("\n"))
    for part in parts:
        row += 1
        line = part.strip(" \r\f\v\xa0")  # not tabs: they may be empty cells
        if not line.strip():
            breaks.add(len(kept))
            continue
        if _is_comment(line, comment):
            comments.append(row)
            heading = heading if kept else line.removeprefix(comment or "").strip("#%/! \t")
            continue
        check_row(len(line), row)
        if line.count('"') % 2 and _OPENING.search(line):
            line = _joined(line, parts, row, thing)
        rows.append(row)
        kept.append(line)
    return Lines(rows, kept, comments, heading, frozenset(breaks - {0, len(kept)}))


def _joined(line: str, more: Iterator[str], row: int, thing: str) -> str:
    """Return a line whose quoted cell goes on, with the lines up to the one in which it ends."""
    found, letters, is_open = [line], len(line), True
    while is_open:
        part = next(more, None)
        if part is None:
            reason = f'a quotation mark (") in row {row} is opened and never closed'
            raise refusal("quotation-mark", thing, reason, "Close or remove it.")
        found.append(part)
        letters += len(part) + 1
        check_row(letters, row)
        is_open = part.count('"') % 2 == 0
    return "\n".join(found)


def _is_comment(line: str, mark: str | None) -> bool:
    if mark is not None:
        return bool(mark) and line.startswith(mark)
    return bool(_COMMENT.match(line)) and not _EXCEL_ERROR.match(line)


def grid_of(lines: Lines, delimiter: str) -> Grid:
    """Split all lines."""
    split = [cells(line, delimiter) for line in lines.text]
    for row, line, found in zip(lines.rows, lines.text, split, strict=True):
        if len(line) > MOST_CELL:
            check_cells(found, row)
    return Grid(lines.rows, split, lines.comments, lines.heading, lines.breaks)


def cells(line: str, delimiter: str) -> list[str]:
    """Split one line; a cell in quotation marks may hold the delimiter and newlines."""
    if '"' not in line:
        return line.split() if delimiter == " " else [cell.strip() for cell in line.split(delimiter)]
    line = line.strip() if delimiter == " " else line
    parts = [part + "\n" for part in line.split("\n")]
    try:
        found = list(csv.reader(parts, delimiter=delimiter, skipinitialspace=True))
    except csv.Error as error:
        hint = "Close or remove the quotation marks."
        raise refusal("quotation-mark", "A cell in quotation marks", str(error), hint) from None
    # more than one record: the marks that joined the lines enclose no cell, and the width will say so
    return [cell.strip() for record in found for cell in record]


def find_delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that cuts most lines into equally many cells, most of them numbers; a comma when none does.

    Blanks count only where nothing else fits as well: they also stand inside names, dates and units.
    """
    told = _SEP.fullmatch(lines[0].strip())
    if told and told[1] in DELIMITERS:
        return told[1]
    start = max(0, min(len(lines) // 2, len(lines) - _SAMPLE))
    sample = [line for line in lines[start : start + _SAMPLE] if line]
    found = {one: _agreement(lines[0], sample, one) for one in DELIMITERS}
    best = max(DELIMITERS, key=lambda one: found[one])
    return best if any(found[best]) else ","


def _agreement(header: str, lines: Sequence[str], delimiter: str) -> tuple[float, float]:
    """Return the share of cells that hold values, times that of lines of one width, and the latter; 0 for one cell."""
    split = [cells(line, delimiter) for line in lines]
    ((common, count),) = Counter(map(len, split)).most_common(1)
    if common < 2:
        return 0.0, 0.0
    alike = [row for row in split if len(row) == common]
    values = sum(is_value(cell) for row in alike for cell in row) / (common * len(alike))
    fits = 1.0 if len(cells(header, delimiter)) == common else 0.9
    return round(values * fits * count / len(split), 6), count / len(split) * fits


def is_value(cell: str) -> bool:
    """Whether a cell is what a column of measurements may hold: a number, a number and its unit, a moment, a gap."""
    return is_number(cell) or is_moment(cell) or is_missing(cell) or is_number(behind(cell)[0])
