"""A file to a table: every cell read as text first, then as a number, so that nothing is silently garbage.

The header is the first line that is neither blank nor a comment. A file without one (its first line holds numbers
only) gets the names t, x0, x1 ... when its first column increases throughout, else x0, x1 ..., and a note says so.
"""

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from itertools import compress
from pathlib import Path
from typing import Final

import numpy as np

from dolq_core.arrays import Floats
from dolq_core.data.decode import decode
from dolq_core.data.dialect import DELIMITERS, Lines, cells, find_delimiter, split_lines, width
from dolq_core.data.numbers import decimal_mark, is_missing, is_number, to_numbers
from dolq_core.errors import DataError

_ENCODINGS: Final = {"utf-8": "UTF-8", "cp1252": "Windows-1252"}


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column as it was written, and as numbers.

    Attributes:
        text: the cells, without blanks around them.
        numbers: (n,) with NaN where a cell is missing; None when the column is not all numbers.
        odd: positions of the cells that are neither numbers nor missing.
        missing: positions of the cells that say that there is no value.
    """

    name: str
    text: tuple[str, ...]
    numbers: Floats | None
    odd: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What a file holds.

    Attributes:
        name: what the file is called; empty when it has no name.
        columns: by their own names, in the order of the file.
        rows: the row of each line of cells, as a spreadsheet counts (the header is usually row 1).
        notes: what was assumed, in plain sentences.
    """

    name: str
    columns: Mapping[str, Column]
    rows: tuple[int, ...]
    notes: tuple[str, ...] = ()
    encoding: str = "utf-8"
    delimiter: str = ","
    decimal: str = "."


@dataclass(slots=True)
class _Notes:
    """The notes while a file is read."""

    said: list[str] = field(default_factory=list[str])

    def add(self, *, when: object, sentence: str) -> None:
        if when:
            self.said.append(sentence)


def read_table(source: Path | bytes, name: str = "") -> Table:
    """Read a text table; raise DataError with the row, the reason and the way out when it cannot be trusted."""
    raw, name = _load(source, name)
    thing = f"The file '{name}'" if name else "The file"
    text, encoding = decode(raw, thing)
    lines = split_lines(text, thing)
    if not lines.rows:
        raise DataError(thing, "it is empty", "Choose a table with a header and at least five rows of numbers.")
    notes = _Notes()
    delimiter = find_delimiter(lines.text)
    header, lines = _header(lines, delimiter, notes)
    if not lines.rows:
        raise DataError(thing, "it has a header and no rows", "Choose a table with at least five rows of numbers.")
    rows, columns = _split(lines, delimiter, _check_widths(header, lines, delimiter, notes), notes)
    if not rows:
        raise DataError(thing, "all cells under the header are empty", "Choose a table with numbers in it.")
    found = _name(header, columns)
    decimal, shown = decimal_mark(found, rows, delimiter)
    used = _ENCODINGS.get(encoding, encoding.upper())
    notes.add(when=encoding != "utf-8", sentence=f"The file was read as {used} text.")
    notes.add(when=delimiter != ",", sentence=f"Columns are separated by {DELIMITERS[delimiter]}.")
    notes.add(when=shown, sentence=f"Commas are decimal marks: '{shown}' was read as {shown.replace(',', '.')}.")
    notes.add(when=lines.comments, sentence=f"{_count(lines.comments, 'comment line')} (#) left out.")
    table = {own: _column(own, column, decimal) for own, column in found.items()}
    for column in table.values():
        gaps = _count(len(column.missing), "missing cell")
        notes.add(when=column.missing and len(column.missing) < len(rows), sentence=f"Column '{column.name}': {gaps}.")
    return Table(name, table, rows, tuple(notes.said), encoding, delimiter, decimal)


def _load(source: Path | bytes, name: str) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        return source, name
    try:
        return source.read_bytes(), name or source.name
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(f"The file '{source}'", f"it cannot be read ({reason})", "Check its name and place.") from None


def _header(lines: Lines, delimiter: str, notes: _Notes) -> tuple[tuple[int, list[str]], Lines]:
    """Return the header's row and names, and the lines below it; make names up when there is no header."""
    first = cells(lines.text[0], delimiter)
    if not all(map(is_number, first)):
        below = Lines(lines.rows[1:], lines.text[1:], lines.comments)
        return (lines.rows[0], first), below
    heading = cells(lines.heading, delimiter) if lines.heading else []
    if len(heading) == len(first) > 1:
        notes.add(when=True, sentence="The names of the columns were taken from the comment above the numbers.")
        return (lines.rows[0], heading), lines
    starts = to_numbers([cells(line, delimiter)[0] for line in lines.text], ",")[0]
    timed = len(first) > 1 and len(starts) > 1 and bool((starts[1:] > starts[:-1]).all())
    names = ["t"] * timed + [f"x{i}" for i in range(len(first) - timed)]
    notes.add(
        when=True, sentence=f"Row {lines.rows[0]} holds numbers only, so the columns were named {', '.join(names)}."
    )
    return (lines.rows[0], names), lines


def _check_widths(header: tuple[int, list[str]], lines: Lines, delimiter: str, notes: _Notes) -> int:
    """Refuse rows with extra or missing cells, save empty extra ones at the end; return the greatest width."""
    row, names = header
    wanted = len(names)
    bad = [i for i, line in enumerate(lines.text) if width(line, delimiter) != wanted]
    found = {i: cells(lines.text[i], delimiter) for i in bad}
    wrong = [(lines.rows[i], len(found[i])) for i in bad if len(found[i]) < wanted or any(found[i][wanted:])]
    if wrong:
        raise _width_error(row, wanted, len(lines.rows), wrong, delimiter)
    notes.add(when=bad, sentence=f"Empty cells at the end of {_count(len(bad), 'row')} were cut off.")
    return max([wanted, *(len(row) for row in found.values())])


def _width_error(row: int, wanted: int, rows: int, wrong: Sequence[tuple[int, int]], delimiter: str) -> DataError:
    ((common, count),) = Counter(found for _, found in wrong).most_common(1)
    if count > rows / 2:
        reason = f"as the header it has {_count(wanted, 'cell')}, but {count} of {rows} rows have {common}"
        hint = "Put one name above each column, and lines of explanation behind #."
        if delimiter == "," and common == 2 * wanted > 2:
            hint = "If these are decimal commas, separate the columns by semicolons or tabs."
        return DataError(f"Row {row}", reason, hint)
    first, found = wrong[0]
    more = f" ({_count(len(wrong) - 1, 'more row')} like it)" if len(wrong) > 1 else ""
    reason = f"it has {_count(found, 'cell')}, but the header has {wanted}{more}"
    hint = "Remove the extra cell" if found > wanted else "Fill in what is missing, or leave the cell empty"
    return DataError(f"Row {first}", reason, f"{hint}; text that holds {DELIMITERS[delimiter]} needs quotation marks.")


def _split(lines: Lines, delimiter: str, width: int, notes: _Notes) -> tuple[tuple[int, ...], list[tuple[str, ...]]]:
    """Return rows and columns of cells, without the rows that are empty throughout."""
    plain = not any('"' in line for line in lines.text)
    columns = _split_plain(lines, delimiter, width) if plain else _split_quoted(lines, delimiter, width)
    filled = [any(row) for row in zip(*columns, strict=True)]
    if all(filled):
        return lines.rows, columns
    notes.add(when=True, sentence=f"{_count(filled.count(False), 'empty row')} left out.")
    return tuple(compress(lines.rows, filled)), [tuple(compress(column, filled)) for column in columns]


def _split_quoted(lines: Lines, delimiter: str, width: int) -> list[tuple[str, ...]]:
    # not by pandas: what it makes of a stray quotation mark is not what the widths were checked with
    rows = (cells(line, delimiter) for line in lines.text)
    return list(zip(*(row + [""] * (width - len(row)) for row in rows), strict=True))


def _split_plain(lines: Lines, delimiter: str, width: int) -> list[tuple[str, ...]]:
    import pandas as pd  # noqa: PLC0415  half a second to import, and `import dolq_core` must not pay for it

    frame = pd.read_csv(
        StringIO("\n".join(line.strip() if delimiter == " " else line for line in lines.text)),
        sep=r"\s+" if delimiter == " " else delimiter,
        header=None,
        names=range(width),
        index_col=False,
        dtype=object,  # Python strings as they stand
        na_filter=False,
        quoting=csv.QUOTE_NONE,
        skip_blank_lines=False,
    )
    return [tuple(str(cell).strip() for cell in column) for column in frame.to_numpy(dtype=np.object_).T]


def _name(header: tuple[int, list[str]], columns: Sequence[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Give the columns their names; refuse names that are blank or stand twice."""
    row, names = header
    used = max((i for i, name in enumerate(names, 1) if name or any(columns[i - 1])), default=0)
    for i, name in enumerate(names[:used], 1):  # beyond: a delimiter at the end of every line
        if not name:
            hint = "Give it a name; pandas writes such a column unless it is told index=False."
            raise DataError(f"Row {row}", f"column {i} has no name", hint)
    twice = next((name for name, count in Counter(names[:used]).items() if count > 1), None)
    if twice is not None:
        raise DataError(f"Row {row}", f"the name '{twice}' stands above two columns", "Rename one of them.")
    return dict(zip(names[:used], columns, strict=False))


def _column(name: str, text: tuple[str, ...], decimal: str) -> Column:
    numbers, odd = to_numbers(text, decimal)
    missing = tuple(i for i, cell in enumerate(text) if is_missing(cell)) if np.isnan(numbers).any() else ()
    whole = not odd and len(missing) < len(text)
    return Column(name, text, numbers if whole else None, odd, missing)


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
