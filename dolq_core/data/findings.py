"""What a reader of tables found, assumed and left out, with place and way out; and the limits of a table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

from dolq_core.errors import DataError, grouped

Severity: TypeAlias = Literal["assumed", "left out", "stops"]
Code: TypeAlias = Literal[
    "bad-role", "binary", "blank-block", "blank-name", "cell-unit", "comment", "constant-column", "decimal-comma",
    "delimiter", "derivative-guess", "derived", "duplicate-name", "empty", "empty-column", "empty-row", "encoding",
    "extra-cell", "files", "footer", "formula", "infinite", "input-gap", "input-guess", "iso-time", "joined-time",
    "missing-cell", "name-unit", "no-header", "no-numbers", "no-time", "not-a-number", "out-of-range", "preamble",
    "quotation-mark", "repeated-header", "rounded", "row-names", "row-number", "run-column", "scaled", "sentinel",
    "sheet", "size", "text-column", "thousands", "thousands-or-point", "time-again", "time-guess",
    "time-not-increasing", "time-repeat", "time-restart", "time-shift", "too-few-points",
    "two-headers", "units-row", "unknown-column", "unreadable", "weight", "zero-byte",
]  # fmt: skip
SHOWN: Final = 10  # rows of a finding, and findings of a kind, that are listed; the rest are counted
OPTIONS: Final[Mapping[Code, str]] = {  # what changes the assumption on the command line
    "comment": "--comment none", "decimal-comma": "--decimal", "delimiter": "--delimiter", "no-header": "--header",
    "name-unit": "--unit", "preamble": "--header", "run-column": "--run", "sheet": "--sheet", "thousands": "--decimal",
    "thousands-or-point": "--decimal", "time-guess": "--time",
    "time-not-increasing": "--sort-by-time", "time-repeat": "--average-repeats",
    "time-restart": "--split-at-restarts", "two-headers": "--header",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found in a table, and what was made of it.

    Attributes:
        code: the kind, for programs.
        found: what the table holds, as a fragment of a sentence.
        assumed: what was concluded; empty when reading stopped.
        way_out: how to change that.
        rows: as a spreadsheet counts them, at most SHOWN; `count` says how many there are.
        column: by its own name; empty when the finding is about rows or the whole file.
        thing: what an error names where neither a row nor a column is at fault.
    """

    code: Code
    found: str
    assumed: str = ""
    way_out: str = ""
    rows: tuple[int, ...] = ()
    column: str = ""
    severity: Severity = "assumed"
    count: int = 1
    thing: str = ""

    @property
    def sentence(self) -> str:
        """The finding in a sentence, without the way out."""
        place = _place(self.rows, self.column, self.count) or self.thing
        text = f"{place}: {self.found}" if place else self.found[:1].upper() + self.found[1:]
        return f"{text}; {self.assumed}." if self.assumed else f"{text}."

    def document(self) -> dict[str, Any]:
        """Return the finding as it stands in a report for programs."""
        return {**asdict(self), "rows": list(self.rows), "sentence": self.sentence}


class Findings(list[Finding]):
    """The findings so far, while a table is read."""

    def add(
        self,
        code: Code,
        found: str,
        assumed: str = "",
        way_out: str = "",
        rows: Iterable[int] = (),
        column: str = "",
        severity: Severity = "assumed",
        thing: str = "",
    ) -> None:
        """Add a finding; the first SHOWN of its rows are kept, and all are counted."""
        every = [int(row) for row in rows]
        self.append(
            Finding(code, found, assumed, way_out, tuple(every[:SHOWN]), column, severity, max(1, len(every)), thing)
        )


class TableError(DataError):
    """A table that cannot be used; `findings` holds all that was seen until then, the one that stops it last."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        last = findings[-1]
        super().__init__(_place(last.rows[:1], last.column) or last.thing, last.found, last.way_out)
        self.findings = tuple(findings)
        self.option = OPTIONS.get(last.code, "")


def refusal(
    code: Code, thing: str, found: str, way_out: str = "", rows: Iterable[int] = (), column: str = ""
) -> TableError:
    """Return the error for a table that cannot be used; it names the first row and the column, else `thing`."""
    findings = Findings()
    findings.add(code, found, "", way_out, rows, column, "stops", thing)
    return TableError(findings)


def counted(n: int, one: str, many: str = "") -> str:
    """Return "1 row", "2 rows"."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def quoted(names: Iterable[str]) -> str:
    """Return names for a sentence: 'a', 'b'."""
    return ", ".join(f"'{name}'" for name in names)


def _place(rows: Sequence[int], column: str, count: int = 0) -> str:
    more = count - len(rows)
    numbers = ", ".join(map(str, rows)) + (f" and {more} more" if rows and more > 0 else "")
    words = f"{'Row' if len(rows) == 1 and more <= 0 else 'Rows'} {numbers}" if rows else ""
    if not column:
        return words
    return f"{words}, column '{column}'" if words else f"Column '{column}'"


# How much a table may hold: what a stranger wrote takes bounded memory and time, or is refused in words.

LIMIT_MB: Final = 200
LIMIT: Final = LIMIT_MB * 1_000_000
"""Bytes of a file, packed or unpacked: a table of ten million numbers as text."""
MOST_COLUMNS: Final = 1_000
"""Columns: every pair of them is compared, and a page has a line for each."""
MOST_CELLS: Final = 10_000_000
"""Cells of a workbook's sheet or a Parquet file, empty ones too: as many numbers as LIMIT has as text."""
MOST_ROW: Final = 1_000_000
"""Characters of a row: the most columns with a thousand characters each."""
MOST_CELL: Final = 10_000
"""Characters of a cell: some pages of remarks; what is wrong with a cell is said with the cell."""
MOST_NAME: Final = 200
"""Characters of the name of a column: it stands in every chart and table."""

SMALLER: Final = "Thin it out, for example to every tenth row, or split it into files of one run each."


def check_size(size: int, thing: str) -> None:
    """Refuse a file of too many bytes."""
    if size > LIMIT:
        raise refusal("size", thing, f"it has {grouped(size / 1e6, '.0f')} MB, and {LIMIT_MB} MB is the limit", SMALLER)


def check_columns(columns: int, thing: str) -> None:
    """Refuse a table of too many columns."""
    if columns > MOST_COLUMNS:
        hint = "Save a table with the columns that you need; one sample is one row."
        raise refusal(
            "size", thing, f"it has {grouped(columns)} columns, and {grouped(MOST_COLUMNS)} is the limit", hint
        )


def too_many_cells(thing: str) -> TableError:
    """Return the refusal of a table of more than MOST_CELLS, which packed takes a few kilobytes."""
    return refusal(
        "size", thing, f"it has more than {grouped(MOST_CELLS)} cells, empty ones too, which is the limit", SMALLER
    )


def check_row(length: int, row: int) -> None:
    """Refuse a row that is too long to be one sample."""
    if length > MOST_ROW:
        reason = f"it has over {grouped(MOST_ROW)} characters, which is the limit"
        raise refusal("size", "", reason, "Put each sample into a row of its own.", (row,))


def check_cells(cells: Iterable[str], row: int) -> None:
    """Refuse a row with a cell that is too long for a number, a name or a remark."""
    for cell in cells:
        if len(cell) > MOST_CELL:
            reason = f"a cell has {grouped(len(cell))} characters, and {grouped(MOST_CELL)} is the limit"
            raise refusal("size", "", reason, "Shorten it or leave it empty.", (row,))


def check_names(names: Sequence[str], thing: str) -> None:
    """Refuse names that are too long for a chart."""
    for number, name in enumerate(names, 1):
        if len(name) > MOST_NAME:
            reason = f"the name of column {number} ('{name[:20]}...') has {grouped(len(name))} characters"
            raise refusal("size", thing, f"{reason}, and {MOST_NAME} is the limit", "Give it a short name.")
