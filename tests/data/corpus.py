"""Awkward files, made here: every way to write one small table, alone and in pairs, and every fault in each of them.

A way (`WAYS`) changes how the table is written, never what it says. A fault (`FAULTS`) makes it unusable in one row.
The writer knows the row of the file in which each row of the table ends up, so that a report can be checked.
"""

import gzip
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import combinations

import numpy as np
from openpyxl import Workbook

TIMES = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0]
FIRST = [1.25, -2.5, 1000.75, 0.001, 2.5e-07, 13.0, 7.125, -0.5]
SECOND = [10.5, 11.5, 9.25, 8.0, 12.75, 3.5, 4.0, 6.5]


@dataclass(frozen=True)
class File:
    """A table, and how it is written. `slots` names what a way has settled, so that no other changes it again."""

    rows: tuple[tuple[str, ...], ...]
    names: tuple[str, ...] = ("time", "x", "y")
    own: tuple[str, ...] = ("time", "x", "y")
    above: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    inside: tuple[tuple[int, str], ...] = ()
    delimiter: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    newline: str = "\n"
    end: str = ""
    form: str = "text"
    quoted: bool = False
    padded: bool = False
    gap: tuple[int, int] | None = None
    lead: int = 0  # cells of a row before that of the time
    slots: frozenset[str] = frozenset()


def plain() -> File:
    rows = zip(TIMES, FIRST, SECOND, strict=True)
    return File(tuple(tuple(map(repr, row)) for row in rows))


def numbers(file: File) -> np.ndarray:
    """The true values, time first."""
    values = np.column_stack([TIMES, FIRST, SECOND])
    if file.gap:
        values[file.gap] = np.nan
    return values


def written(file: File) -> tuple[bytes, str, list[int]]:
    """Return the bytes, a file name, and the row of the file for each row of the table."""
    lines = list(file.above)
    if file.names:
        lines.append(_line(file, file.names))
    if file.units:
        lines.append(_line(file, file.units))
    rows = []
    for i, row in enumerate(file.rows):
        again = _line(file, file.names) if file.names else ""
        lines += [line.format(again).replace(",", file.delimiter) for place, line in file.inside if place == i]
        rows.append(len(lines) + 1)
        lines.append(_line(file, [cell.replace(".", file.decimal) if _numeric(cell) else cell for cell in row]))
    lines += [line.replace(",", file.delimiter) for line in file.below]
    if file.form == "xlsx":
        return _workbook([line.split(file.delimiter) for line in lines]), "table.xlsx", rows
    raw = (file.newline.join(lines) + file.newline).encode(file.encoding) + file.end.encode()
    return (gzip.compress(raw), "table.csv.gz", rows) if file.form == "gz" else (raw, "table.csv", rows)


def _numeric(cell: str) -> bool:
    return cell[:1] in "-.0123456789" and cell.count(".") == 1 and "," not in cell and "-0" not in cell[1:5]


def _line(file: File, row) -> str:
    cells = [_quoted(cell) if file.quoted or file.delimiter in cell else cell for cell in row]
    line = (f" {file.delimiter} " if file.padded else file.delimiter).join(cells)
    return line + (file.delimiter if "trailing" in file.slots else "")


def _quoted(cell: str) -> str:
    doubled = cell.replace('"', '""')
    return f'"{doubled}"'


def _workbook(rows) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append([_typed(cell) for cell in row])
    book.create_sheet("Notes")["A1"] = "nothing here"
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def _typed(cell: str):
    try:
        return float(cell)
    except ValueError:
        return cell or None


def way(slots: str, **changes):
    """A change of how a file is written; it settles `slots`."""
    return lambda file: replace(file, slots=file.slots | set(slots.split()), **changes)


def _cells(change):
    return lambda file: tuple(
        tuple(change(i, j, cell) for j, cell in enumerate(row)) for i, row in enumerate(file.rows)
    )


def _gap(mark):
    def change(file: File) -> File:
        rows = _cells(lambda i, j, cell: mark if (i, j) == (3, 2 + file.lead) else cell)(file)
        return replace(file, rows=rows, gap=(3, 2), slots=file.slots | {"gap"})

    return change


def _names(*names):
    return way("names", names=names, own=names)


def _with_column(name, cells, slot):
    def change(file: File) -> File:
        rows = tuple((*row, cells(i)) for i, row in enumerate(file.rows))
        more = {"names": (*file.names, name)} if file.names else {}
        units = (*file.units, "") if file.units else ()
        return replace(file, rows=rows, units=units, slots=file.slots | {slot, "column"}, **more)

    return change


def _dated(file: File) -> File:
    clocks = [f"2024-03-31 0{int(t)}:{int(t * 60) % 60:02d}:00" for t in TIMES]
    rows = tuple((clock, *row[1:]) for clock, row in zip(clocks, file.rows, strict=True))
    return replace(file, rows=rows, slots=file.slots | {"clock", "headless"})


def _slashed(file: File) -> File:
    clocks = [f"31/3/2024 0{int(t)}:{int(t * 60) % 60:02d}" for t in TIMES]
    rows = tuple((clock, *row[1:]) for clock, row in zip(clocks, file.rows, strict=True))
    return replace(file, rows=rows, slots=file.slots | {"clock", "headless"})


def _hours(file: File) -> File:
    clocks = [f"{int(t)}:{int(t * 60) % 60:02d}" for t in TIMES]
    rows = tuple((clock, *row[1:]) for clock, row in zip(clocks, file.rows, strict=True))
    return replace(file, rows=rows, slots=file.slots | {"clock", "headless"})


def _two_columns(file: File) -> File:
    clocks = [(f"{30 + (23 + t >= 24)}.03.2024", f"{int(23 + t) % 24}:{int(t * 60) % 60:02d}") for t in TIMES]
    rows = tuple((*clock, *row[1:]) for clock, row in zip(clocks, file.rows, strict=True))
    names, own = ("Date", "Time", *file.names[1:]), ("Date Time", *file.own[1:])
    return replace(
        file, rows=rows, names=names, own=own, lead=1, slots=file.slots | {"clock", "headless", "names", "units"}
    )


def _row_names(file: File) -> File:
    rows = tuple((f"{i}", *row) for i, row in enumerate(file.rows, 1))
    return replace(file, rows=rows, lead=1, slots=file.slots | {"headless", "names", "units", "column", "below"})


def _thousands(file: File) -> File:
    rows = _cells(lambda i, j, cell: "1,000.75" if (i, j) == (2, 1) else cell)(file)
    return replace(file, rows=rows, slots=file.slots | {"decimal", "form"})


def _german(file: File) -> File:
    rows = _cells(lambda i, j, cell: "1.000,75" if (i, j) == (2, 1) else cell)(file)
    return replace(file, rows=rows, delimiter=";", decimal=",", slots=file.slots | {"decimal", "delimiter", "form"})


def _percent(file: File) -> File:
    rows = _cells(lambda i, j, cell: f"{cell} %" if j == 2 + file.lead and cell[:1].isdigit() else cell)(file)
    return replace(file, rows=rows, slots=file.slots | {"gap", "percent", "blanks", "form"})


WAYS = {
    "semicolons": way("delimiter", delimiter=";"),
    "tabs": way("delimiter", delimiter="\t"),
    "bars": way("delimiter", delimiter="|"),
    "blanks": way("delimiter blanks quotes names units gap column trailing form", delimiter=" "),
    "decimal commas": way("delimiter decimal form", delimiter=";", decimal=","),
    "decimal commas, tabs": way("delimiter decimal form", delimiter="\t", decimal=","),
    "decimal commas, quoted": way("delimiter decimal form quotes", decimal=","),
    "thousands": _thousands,
    "points for thousands": _german,
    "BOM": way("encoding", encoding="utf-8-sig"),
    "UTF-16": way("encoding", encoding="utf-16"),
    "UTF-16 unmarked": way("encoding end", encoding="utf-16-le"),
    "Windows text": way("encoding names", encoding="cp1252", names=("time", "µx", "y"), own=("time", "µx", "y")),
    "CRLF": way("newline", newline="\r\n"),
    "CR": way("newline", newline="\r"),
    "comments": way("above form", above=("# made by hand", "# on a Monday")),
    "a comment inside": way("inside form", inside=((4, "# a pause"),)),
    "preamble": way("above", above=("Instrument: Spectro 3000", "Operator: J. Doe", "")),
    "preamble of pairs": way("above", above=("Instrument;Spectro 3000", "Date;2020-01-01", "")),
    "units row": way("units", units=("s", "mg/l", "°C")),
    "units in brackets": way("names", names=("time (s)", "x [mg]", "y (°C)"), own=("time (s)", "x [mg]", "y (°C)")),
    "bracketed units row": way("units", units=("[h]", "[mV]", "[-]")),
    "no header": way("names units headless", names=(), own=("t", "x0", "x1")),
    "German names": _names("Zeit", "Druck", "Höhe"),
    "French names": _names("temps", "pression", "été"),
    "Spanish names": _names("tiempo", "presión", "año nuevo"),
    "names with blanks": _names("elapsed time", "cell count", "dry mass"),
    "duplicate names": way("names", names=("time", "x", "x"), own=("time", "x", "x (2)")),
    "a blank name": way("names", names=("time", "", "y"), own=("time", "column 2", "y")),
    "quotes": way("quotes", quoted=True),
    "a quotation mark in a name": way("names", names=("time", 'x 5"', "y"), own=("time", 'x 5"', "y")),
    "padding": way("blanks", padded=True),
    "trailing delimiters": way("trailing column"),
    "blank lines at the end": way("below form", below=("", "")),
    "footer": way("below", below=("Mean,1.5,2.5",)),
    "footer in words": way("below", below=("", "End of measurement")),
    "repeated header": way("inside headless", inside=((5, "{}"),)),
    "an empty row": way("inside", inside=((3, ",,"),)),
    "a blank line": way("inside form", inside=((3, ""),)),
    "zero bytes at the end": way("end encoding form", end="\0\0\0"),
    "NA": _gap("NA"),
    "an empty cell": _gap(""),
    "a question mark": _gap("?"),
    "#N/A": _gap("#N/A"),
    "a column of words": _with_column("note", lambda i: "ok" if i % 2 else "good", "words"),
    "a constant column": _with_column("room", lambda i: "21.0", "constant"),
    "an empty column": _with_column("nothing", lambda i: "", "nothing"),
    "a row number": _with_column("nr", lambda i: str(i + 1), "count"),
    "booleans": _with_column("valid", lambda i: "TRUE" if i % 3 else "FALSE", "booleans"),
    "dates": _dated,
    "dates with slashes": _slashed,
    "hours and minutes": _hours,
    "a date and a clock": _two_columns,
    "row names": _row_names,
    "percent": _percent,
    "gzip": way("form", form="gz"),
    "a workbook": way("form encoding newline quotes blanks end delimiter", form="xlsx", delimiter="\x1f"),
}  # fmt: skip
CLASHES = [
    {"no header", "a column of words"}, {"no header", "a constant column"}, {"no header", "an empty column"},
    {"no header", "a row number"}, {"no header", "booleans"}, {"blanks", "footer in words"}, {"blanks", "an empty row"},
    {"blanks", "dates"}, {"blanks", "dates with slashes"}, {"no header", "dates with slashes"},
    {"no header", "hours and minutes"}, {"no header", "a date and a clock"}, {"no header", "row names"},
    {"trailing delimiters", "row names"},
    {"a workbook", "preamble of pairs"}, {"no header", "dates"}, {"bars", "preamble of pairs"},
]  # fmt: skip


def made(*ways: str) -> File | None:
    """Return the table written in these ways at once; None where they exclude each other."""
    if any(clash <= set(ways) for clash in CLASHES):
        return None
    file = plain()
    settled: set[str] = set()
    for name in ways:
        after = WAYS[name](file)
        own = WAYS[name](plain()).slots
        if own & settled:
            return None
        settled |= own
        file = after
    return file


def _put(place, column, cell):
    def change(file: File) -> File:
        at = (place, column + file.lead)
        return replace(file, rows=_cells(lambda i, j, old: cell if (i, j) == at else old)(file))

    return change


def _extra(file: File) -> File:
    return replace(file, rows=tuple((*row, "7.5") if i == 4 else row for i, row in enumerate(file.rows)))


def _restarted(file: File) -> File:
    return replace(file, rows=file.rows[:7] + file.rows[:7], gap=None)


FAULTS = {  # what is done to the file, the code of the finding, the place of the row that it names
    "a word among numbers": (_put(5, 1, "two"), "not-a-number", 5),
    "a limit of detection": (_put(5, 1, "<0.5"), "not-a-number", 5),
    "hexadecimal": (_put(5, 1, "0x1F"), "not-a-number", 5),
    "a slip in the time": (_put(6, 0, "3.o"), "not-a-number", 6),
    "an infinite cell": (_put(4, 1, "inf"), "infinite", 4),
    "an overflow": (_put(4, 1, "1e999"), "infinite", 4),
    "a missing time": (_put(4, 0, ""), "missing-cell", 4),
    "a repeated time": (_put(4, 0, "1.5"), "time-repeat", 4),
    "a time that goes back": (_put(4, 0, "0.75"), "time-not-increasing", 4),
    "an extra cell": (_extra, "extra-cell", 4),
    "a time that restarts": (_restarted, "time-restart", 7),
}
CLOCKS = {"dates", "dates with slashes", "hours and minutes", "a date and a clock"}
UNSEEN = [  # here the fault is no fault, or another one
    ("an extra cell", {"trailing delimiters", "a workbook", "row names"}), ("a missing time", {"blanks", "dates"}),
    ("a time that restarts", {"repeated header", "a row number"}), ("an overflow", {"a workbook"}),
    ("an infinite cell", {"a workbook"}), ("a repeated time", CLOCKS), ("a time that goes back", CLOCKS),
    ("a slip in the time", {"dates", "a date and a clock"}), ("a time that restarts", {"row names"}),
]  # fmt: skip

ALONE = [(name,) for name in WAYS]
PAIRS = [pair for pair in combinations(WAYS, 2) if made(*pair)]
BROKEN = [
    (fault, name)
    for fault in FAULTS
    for name in WAYS
    if made(name) and not any(fault == one and name in ways for one, ways in UNSEEN)
]
