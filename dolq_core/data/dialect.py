"""Text to lines and cells: comments, blank lines, and the delimiter that all lines agree on."""

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dolq_core.errors import DataError

DELIMITERS: Final = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "blanks"}
_EXCEL_ERROR: Final = re.compile(r"#(N/A|DIV/0!|REF!|VALUE!|NAME\?|NUM!|NULL!)", re.IGNORECASE)  # a cell, no comment
_OPENING: Final = re.compile(r'(?:^|[\t;|, ])"')  # elsewhere the mark is a character, as in 5"
_SAMPLE: Final = 500  # lines that decide on the delimiter; the widths of all lines are checked afterwards


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a file that hold cells.

    Attributes:
        rows: the row of each line as a spreadsheet counts it: from 1, comments and blank lines included.
        text: the lines; one holds a newline where a quoted cell does.
        comments: how many lines were comments.
        heading: the last comment before the first line, without its mark; empty when there is none.
    """

    rows: tuple[int, ...]
    text: tuple[str, ...]
    comments: int = 0
    heading: str = ""


def split_lines(text: str, thing: str) -> Lines:
    """Split a text into rows, leave out blank ones and comments (#), join rows that a quoted newline divides."""
    rows: list[int] = []
    kept: list[str] = []
    comments, heading, row = 0, "", 0
    parts = iter(text.split("\n"))
    for part in parts:
        row += 1
        line = part.strip(" \r\f\v\xa0")  # not tabs: they may be empty cells
        if not line.strip():
            continue
        if line.startswith("#") and not _EXCEL_ERROR.match(line):
            comments += 1
            heading = heading if kept else line.strip("# \t")
            continue
        while line.count('"') % 2 and _OPENING.search(line):
            more = next(parts, None)
            if more is None:
                reason = f'a quotation mark (") in row {row} is opened and never closed'
                raise DataError(thing, reason, "Close or remove it.")
            line += "\n" + more
        rows.append(row)
        kept.append(line)
    return Lines(tuple(rows), tuple(kept), comments, heading)


def cells(line: str, delimiter: str) -> list[str]:
    """Split one line; a cell in quotation marks may hold the delimiter and newlines."""
    if '"' not in line:
        return line.split() if delimiter == " " else [cell.strip() for cell in line.split(delimiter)]
    line = line.strip() if delimiter == " " else line
    parts = [part + "\n" for part in line.split("\n")]
    try:
        found = list(csv.reader(parts, delimiter=delimiter, skipinitialspace=True))
    except csv.Error as error:
        raise DataError("A cell in quotation marks", str(error), "Close or remove the quotation marks.") from None
    # more than one record: the marks that joined the lines enclose no cell, and the width will say so
    return [cell.strip() for record in found for cell in record]


def width(line: str, delimiter: str) -> int:
    """Return the number of cells in a line, as `cells` would split it."""
    if '"' in line or delimiter == " ":
        return len(cells(line, delimiter))
    return line.count(delimiter) + 1


def find_delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that cuts most lines into as many cells as the header; a comma when none does.

    Blanks count only where nothing else fits: they also stand inside names, dates and units.
    """
    sample = lines[:_SAMPLE]
    scores = {delimiter: _agreement(sample, delimiter) for delimiter in DELIMITERS}
    best = max((one for one in DELIMITERS if one != " "), key=lambda one: scores[one])
    if scores[best] > 0.5:
        return best
    return " " if scores[" "] > 0.5 else max(best, ",", key=lambda one: scores[one])


def _agreement(lines: Sequence[str], delimiter: str) -> float:
    """Return the share of lines with the most common width above 1, halved when the header has another one."""
    widths = [width(line, delimiter) for line in lines]
    ((common, count),) = Counter(widths).most_common(1)
    if common < 2:
        return 0.0
    return count / len(widths) * (1.0 if widths[0] == common else 0.5)
