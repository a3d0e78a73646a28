"""How a text is written: comments, blank lines, and the delimiter on which most lines agree."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dolq_core.data.findings import MOST_CELL, Findings, TableError, check_cells, check_row, refusal
from dolq_core.data.numbers import is_value
from dolq_core.errors import grouped

DELIMITERS: Final = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "blanks"}
MARKS: Final = {".": "points", ",": "commas"}
_EXCEL_ERROR: Final = re.compile(r"#(N/A|DIV/0!|REF!|VALUE!|NAME\?|NUM!|NULL!)", re.IGNORECASE)  # a cell, no comment
_COMMENT: Final = re.compile(r"#|//|[%!](?=[\s%!]|$)")
_OPENING: Final = re.compile(r'(?:^|[\t;|, ])"')  # elsewhere the mark is a character, as in 5"
_SAMPLE: Final = 300  # lines that decide on the delimiter; the widths of all lines are checked afterwards
_SEP: Final = re.compile(r"sep=(.)", re.IGNORECASE)  # Excel's own first line


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a person says that a file is written; the reader finds whatever is left out.

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
class CellGrid:
    """Rows of cells, without blanks around them.

    Attributes:
        rows: the row of each line as a spreadsheet counts it: from 1, comments and blank lines included.
        comments: the rows that are comments, and what each begins with.
        heading: the last comment before the first line, without its mark; empty when there is none.
        breaks: positions of the lines that follow a blank one.
        delimiter: empty in a workbook.
    """

    rows: Sequence[int]
    cells: Sequence[list[str]]
    comments: Mapping[int, str] = field(default_factory=dict[int, str])
    heading: str = ""
    breaks: frozenset[int] = frozenset()
    delimiter: str = ""


def split_text(text: str, thing: str, dialect: Dialect, findings: Findings) -> CellGrid:
    """Return the cells of a text; blank lines and comments are left out."""
    rows: list[int] = []
    lines: list[str] = []
    comments: dict[int, str] = {}
    breaks: set[int] = set()
    heading, row = "", 0
    parts = iter(text.split("\n"))
    for part in parts:
        row += 1
        line = part.strip(" \r\f\v\xa0")  # not tabs: they may be empty cells
        if not line.strip():
            breaks.add(len(lines))
        elif mark := _comment_mark(line, dialect.comment):
            comments[row] = mark
            heading = heading if lines else line.removeprefix(dialect.comment or "").strip("#%/! \t")
        else:
            check_row(len(line), row)
            rows.append(row)
            if line.count('"') % 2 and _OPENING.search(line):
                line = _joined(line, parts, row, thing)
            lines.append(line)
    if not lines and len(comments) > 1:
        raise all_comments(comments, thing)
    if not lines:
        raise refusal("empty", thing, "it is empty", "Choose a table with a header and at least five rows of numbers.")
    delimiter = dialect.delimiter or _find_delimiter(lines)
    if delimiter != "," and not dialect.delimiter:
        hint = "Say another one if the columns look wrong."
        findings.add("delimiter", f"columns are separated by {DELIMITERS[delimiter]}", way_out=hint)
    cells = [_split(line, delimiter) for line in lines]
    for row, line, found in zip(rows, lines, cells, strict=True):
        if len(line) > MOST_CELL:
            check_cells(found, row)
    return CellGrid(rows, cells, comments, heading, frozenset(breaks - {0, len(lines)}), delimiter)


def _comment_mark(line: str, mark: str | None) -> str:
    """Return what a comment begins with; empty where the line is none."""
    if mark is not None:
        return mark if mark and line.startswith(mark) else ""
    found = _COMMENT.match(line)
    return found[0] if found and not _EXCEL_ERROR.match(line) else ""


def all_comments(comments: Mapping[int, str], thing: str, header: int = 0) -> TableError:
    """Return the refusal of a table without rows, as all lines below its header begin as comments do."""
    below = [mark for row, mark in comments.items() if row > header]
    marks = " or ".join(dict.fromkeys(below))
    where = " below the header" if header else ""
    if len(below) > 1:
        reason = f"all {grouped(len(below))} lines{where} begin with {marks} and were read as comments"
    else:
        reason = f"the only line{where} begins with {marks} and was read as a comment"
    return refusal("comment", thing, reason, "If these are rows of the table, say that a comment begins with nothing.")


def _joined(line: str, more: Iterator[str], row: int, thing: str) -> str:
    """Return a line whose quoted cell goes on, with the lines up to the one in which it ends."""
    found, length, is_open = [line], len(line), True
    while is_open:
        part = next(more, None)
        if part is None:
            reason = f'a quotation mark (") in row {row} is opened and never closed'
            raise refusal("quotation-mark", thing, reason, "Close or remove it.")
        found.append(part)
        length += len(part) + 1
        check_row(length, row)
        is_open = part.count('"') % 2 == 0
    return "\n".join(found)


def _split(line: str, delimiter: str) -> list[str]:
    """Split one line; a cell in quotation marks may hold the delimiter and newlines."""
    if '"' not in line:
        return line.split() if delimiter == " " else [cell.strip() for cell in line.split(delimiter)]
    line = line.strip() if delimiter == " " else line
    parts = [part + "\n" for part in line.split("\n")]
    try:
        records = list(csv.reader(parts, delimiter=delimiter, skipinitialspace=True))
    except csv.Error as error:
        hint = "Close or remove the quotation marks."
        raise refusal("quotation-mark", "A cell in quotation marks", str(error), hint) from None
    # more than one record: the marks that joined the lines enclose no cell, and the width will say so
    return [cell.strip() for record in records for cell in record]


def _find_delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that cuts most lines into equally many cells, most of them values; a comma when none does.

    Blanks count only where nothing else fits as well: they also stand inside names, dates and units.
    """
    told = _SEP.fullmatch(lines[0].strip())
    if told and told[1] in DELIMITERS:
        return told[1]
    start = max(0, min(len(lines) // 2, len(lines) - _SAMPLE))
    sample = lines[start : start + _SAMPLE]
    found = {one: _agreement(lines[0], sample, one) for one in DELIMITERS}
    best = max(DELIMITERS, key=lambda one: found[one])
    return best if any(found[best]) else ","


def _agreement(header: str, lines: Sequence[str], delimiter: str) -> tuple[float, float]:
    """Return the share of cells that hold values, times that of lines of one width, and the latter; 0 for one cell."""
    split = [_split(line, delimiter) for line in lines]
    ((common, count),) = Counter(map(len, split)).most_common(1)
    if common < 2:
        return 0.0, 0.0
    alike = [row for row in split if len(row) == common]
    values = sum(is_value(cell) for row in alike for cell in row) / (common * len(alike))
    fits = 1.0 if len(_split(header, delimiter)) == common else 0.9
    return round(values * fits * count / len(split), 6), count / len(split) * fits
