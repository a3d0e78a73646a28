"""What a reader of tables has to say: findings with a code, a place, what was assumed, and how to change it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, TypeAlias

from dolq_core.errors import DataError

Severity: TypeAlias = Literal["assumed", "left out", "stops"]
Code: TypeAlias = Literal[
    "bad-role",
    "binary",
    "blank-block",
    "blank-name",
    "cell-unit",
    "comment",
    "constant-column",
    "decimal-comma",
    "derivative-guess",
    "derived",
    "delimiter",
    "duplicate-name",
    "empty",
    "empty-column",
    "empty-row",
    "encoding",
    "extra-cell",
    "files",
    "footer",
    "formula",
    "infinite",
    "input-gap",
    "input-guess",
    "iso-time",
    "joined-time",
    "left-out",
    "missing-cell",
    "no-header",
    "no-numbers",
    "no-time",
    "not-a-number",
    "preamble",
    "quotation-mark",
    "repeated-header",
    "rounded",
    "row-names",
    "row-number",
    "run-column",
    "scaled",
    "sentinel",
    "sheet",
    "size",
    "text-column",
    "thousands",
    "time-guess",
    "time-not-increasing",
    "time-restart",
    "time-shift",
    "too-few-points",
    "two-headers",
    "units-row",
    "unknown-column",
    "unreadable",
    "weight",
    "width",
    "zero-byte",
]
SHOWN: Final = 10  # rows of a kind, and findings of a kind, that are named; the rest are counted
OPTIONS: Final[Mapping[Code, str]] = {  # what a person may say instead, on the command line
    "comment": "--comment",
    "decimal-comma": "--decimal",
    "delimiter": "--delimiter",
    "no-header": "--header",
    "preamble": "--header",
    "run-column": "--run",
    "sheet": "--sheet",
    "thousands": "--decimal",
    "time-guess": "--time",
    "time-restart": "--split-at-restarts",
    "two-headers": "--header",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found in a table, and what was made of it.

    Attributes:
        code: the kind, for machines.
        found: what stands there, in a fragment of a sentence.
        assumed: what was taken for granted; empty when reading stopped.
        way_out: how to change that.
        rows: as a spreadsheet counts them, at most SHOWN; `count` says how many there are.
        column: by its own name; empty when the finding is about rows or the whole file.
        severity: whether something was assumed, something was left out, or the table cannot be used.
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


class TableError(DataError):
    """A table that cannot be used; `findings` holds all that was seen until then, the one that stops it last."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        last = findings[-1]
        super().__init__(_place(last.rows[:1], last.column) or last.thing, last.found, last.way_out)
        self.findings = tuple(findings)
        self.option = OPTIONS.get(last.code, "")


@dataclass(slots=True)
class Said:
    """The findings while a file is read."""

    all: list[Finding] = field(default_factory=list[Finding])

    def add(
        self,
        code: Code,
        found: str,
        assumed: str = "",
        way_out: str = "",
        rows: Iterable[int] = (),
        column: str = "",
        severity: Severity = "assumed",
    ) -> None:
        """Add a finding; of its rows the first ten are kept, and all are counted."""
        self.all.append(finding(code, found, assumed, way_out, rows, column, severity))


def finding(
    code: Code,
    found: str,
    assumed: str = "",
    way_out: str = "",
    rows: Iterable[int] = (),
    column: str = "",
    severity: Severity = "assumed",
) -> Finding:
    """Return a finding; of its rows the first ten are kept, and all are counted."""
    listed = [int(row) for row in rows]
    return Finding(code, found, assumed, way_out, tuple(listed[:SHOWN]), column, severity, max(1, len(listed)))


def refusal(
    code: Code, thing: str, found: str, way_out: str = "", rows: Iterable[int] = (), column: str = ""
) -> TableError:
    """Return the error for a table that cannot be used; it names the first row and the column, else `thing`."""
    listed = [int(row) for row in rows]
    stop = Finding(code, found, "", way_out, tuple(listed[:SHOWN]), column, "stops", max(1, len(listed)), thing)
    return TableError((stop,))


def sentence(one: Finding) -> str:
    """Return a finding as a person reads it; without the way out."""
    place = _place(one.rows, one.column, one.count) or one.thing
    said = f"{place}: {one.found}" if place else one.found[:1].upper() + one.found[1:]
    return f"{said}; {one.assumed}." if one.assumed else f"{said}."


def document(one: Finding) -> dict[str, Any]:
    """Return a finding as it stands in a report for machines."""
    plain = asdict(one)
    plain["rows"] = list(one.rows)
    return {**plain, "sentence": sentence(one)}


def counted(n: int, what: str) -> str:
    """Return "1 row", "2 rows"."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _place(rows: Sequence[int], column: str, count: int = 0) -> str:
    more = count - len(rows)
    listed = ", ".join(map(str, rows)) + (f" and {more} more" if rows and more > 0 else "")
    words = f"{'Row' if len(rows) == 1 and more <= 0 else 'Rows'} {listed}" if rows else ""
    if not column:
        return words
    return f"{words}, column '{column}'" if words else f"Column '{column}'"
