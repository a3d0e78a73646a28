"""How a table is understood, as a report for people and for programs: what `inspect` prints and writes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias, Unpack

from dolq_core.data import (
    AS_FOUND,
    DELIMITERS,
    MARKS,
    Dialect,
    Finding,
    More,
    Reading,
    Table,
    TableError,
    read_tables,
    understand,
)
from dolq_core.data.findings import OPTIONS, SHOWN, Code, Severity, counted
from dolq_core.data.read import ENCODINGS, first_lines, kind_of, load
from dolq_core.data.table import Kind
from dolq_core.data.typed import sheets_of
from dolq_core.inspection.guesses import many_words
from dolq_core.records import Dataset

Weight: TypeAlias = Literal["stops", "mind", "said"]
_DOUBTFUL: Final[frozenset[Code]] = frozenset(
    ("blank-block", "cell-unit", "constant-column", "derivative-guess", "duplicate-name", "footer", "input-gap",
     "input-guess", "name-unit", "repeated-header", "rounded", "sentinel", "thousands-or-point",
     "time-guess", "too-few-points", "zero-byte")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of a list of findings; `option` of the command line changes what was assumed; `count` of them."""

    weight: Weight
    code: Code
    severity: Severity
    text: str
    way_out: str = ""
    option: str = ""
    count: int = 1


def listed(findings: Sequence[Finding]) -> tuple[Listed, ...]:
    """Return what stops first, then what needs a look, then the rest; of a kind at most SHOWN, and the count."""
    kinds: dict[tuple[Weight, Code], list[Finding]] = {}
    for one in findings:
        kinds.setdefault((_weight(one), one.code), []).append(one)
    order: tuple[Weight, ...] = ("stops", "mind", "said")
    return tuple(line for kind in sorted(kinds, key=lambda kind: order.index(kind[0])) for line in _lines(kinds[kind]))


def _lines(kind: Sequence[Finding]) -> Iterator[Listed]:
    for one in kind[:SHOWN]:
        yield Listed(_weight(one), one.code, one.severity, one.sentence, one.way_out, OPTIONS.get(one.code, ""))
    more = len(kind) - SHOWN
    if more > 0:
        yield Listed(_weight(kind[0]), kind[0].code, kind[0].severity, f"And {more} more of this kind.", count=more)


def _weight(one: Finding) -> Weight:
    """Names that are numbers or were made up need a look; names taken from a comment do not."""
    if one.severity == "stops":
        return "stops"
    return "mind" if one.code in _DOUBTFUL or (one.code == "no-header" and one.rows) else "said"


_WORDS: Final[Mapping[str, str]] = {  # how a file is written, by the fields of a table
    "kind": "kind",
    "encoding": "encoding",
    "delimiter": "delimiter",
    "decimal": "decimal mark",
    "header": "row of names",
    "units_row": "row of units",
    "sheet": "sheet",
}


@dataclass(frozen=True, slots=True)
class OpenedFiles:
    """Files as they were read.

    Attributes:
        table: None where they cannot be read; the last finding says why.
        manner: how they are written, in a sentence; empty without a table.
        kind: of the first file: it says what of a `Dialect` applies.
        sheets: of a workbook.
        head: the first lines of a text file, as they are.
    """

    table: Table | None
    findings: tuple[Finding, ...]
    manner: str
    kind: Kind
    sheets: tuple[str, ...] = ()
    head: tuple[str, ...] = ()


def open_files(files: Sequence[tuple[str, bytes]], dialect: Dialect = AS_FOUND) -> OpenedFiles:
    """Read files, each a name and bytes, as `read_tables` does; what stops it is a finding, not an error."""
    kind, sheets, head = _outside(*files[0])
    try:
        table = read_tables(files, dialect)
    except TableError as error:
        return OpenedFiles(None, error.findings, "", kind, sheets, head)
    return OpenedFiles(table, table.findings, manner(table), kind, sheets, head)


def _outside(name: str, content: bytes) -> tuple[Kind, tuple[str, ...], tuple[str, ...]]:
    """Return what a file is, and its sheets or first lines, as far as it opens."""
    try:
        raw = load(content, name)
        kind = kind_of(raw)
        return kind, sheets_of(raw, "The file") if kind == "workbook" else (), first_lines(raw) * (kind == "text")
    except TableError:
        return "text", (), ()


def manner(table: Table) -> str:
    """Return how a file is written in one sentence; of several, how all of them are and in what they differ."""
    parts = [words for field, words in _manners(table) if field not in table.unlike]
    if table.sources:
        parts.insert(0, counted(len(table.sources), "file"))
    if table.unlike:
        parts.append("each file with its own " + " and ".join(_WORDS[field] for field in table.unlike))
    sentence = ", ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _manners(table: Table) -> Iterator[tuple[str, str]]:
    if table.kind == "parquet":
        yield "kind", "a Parquet file, whose columns have names and types"
        return
    if table.kind == "workbook":
        yield "sheet", f"the sheet '{table.sheet}' of a workbook"
    else:
        yield "encoding", f"{ENCODINGS.get(table.encoding, table.encoding.upper())} text"
        yield "delimiter", f"columns separated by {DELIMITERS[table.delimiter]}"
    yield "decimal", f"decimal {MARKS[table.decimal]}"
    yield "header", f"names in row {table.header}" if table.header else "no row of names"
    if table.units_row:
        yield "units_row", f"units in row {table.units_row}"


# --- a table as it was understood ------------------------------------------------------------------


FORMAT: Final = "dolq-report/1"


@dataclass(frozen=True, slots=True)
class Inspection:
    """A table as it was understood, or why it was not.

    Attributes:
        reading: None where the table cannot be used; the last finding says why.
        manner: how the file is written, in a sentence; empty where it cannot be read at all.
    """

    name: str
    reading: Reading | None
    findings: tuple[Finding, ...]
    manner: str = ""


def inspect_table(
    table: Table,
    time: str | None = None,
    states: Sequence[str] | None = None,
    run: str | None = None,
    units: Mapping[str, str] | None = None,
    meanings: Mapping[str, str] | None = None,
    **more: Unpack[More],
) -> Inspection:
    """Return how a table is understood with these roles and words; what stops it is a finding, not an error."""
    try:
        reading = understand(table, time, states, run, "", units, meanings, **more)
    except TableError as error:
        before = error.findings if error.findings[: len(table.findings)] == table.findings else None
        return Inspection(table.name, None, before or (*table.findings, *error.findings), manner(table))
    return Inspection(table.name, reading, reading.findings, manner(table))


def lines(found: Inspection) -> Iterator[str]:
    """Yield the report as a person reads it."""
    if found.manner:
        yield found.manner
    for one in listed(found.findings):
        yield f"{one.code} ({one.severity}): {one.text}"
        if one.way_out:
            yield f"    {one.way_out}{f' ({one.option})' if one.option else ''}"
    if found.reading is None:
        yield "This table cannot be used as it is."
        return
    data = found.reading.dataset
    inputs = f"; inputs: {', '.join(one.title for one in data.inputs)}" if data.inputs else ""
    yield f"time: {data.time.title}; states: {', '.join(one.title for one in data.states)}{inputs}"
    if said := many_words(len(data.states)):
        yield f"{said} (--state)"
    yield from _further(data)
    rows = sum(len(run.t) for run in data.trajectories)
    labels = ", ".join(f"{run.label or 'all'} ({len(run.t)})" for run in data.trajectories[:10])
    yield f"{rows} rows in {len(data.trajectories)} run(s): {labels}{' ...' if len(data.trajectories) > 10 else ''}"


def _further(data: Dataset) -> Iterator[str]:
    for what, given in (("given derivatives", data.derivatives), ("weights", data.weights)):
        if given:
            named = ", ".join(f"{one.column} of {one.state or 'all states'}" for one in given)
            yield f"{what}: {named}"


def report(found: Inspection) -> dict[str, Any]:
    """Return the report for programs."""
    plain: dict[str, Any] = {"format": FORMAT, "file": found.name, "usable": found.reading is not None}
    if found.reading is not None:
        roles, data = found.reading.roles, found.reading.dataset
        plain |= {
            "time": {"name": data.time.name, "unit": data.time.unit},
            "run": roles.run,
            "states": [{"name": state.name, "symbol": state.symbol, "unit": state.unit} for state in data.states],
            "inputs": [{"name": one.name, "symbol": one.symbol, "unit": one.unit} for one in data.inputs],
            "weights": [one.written() for one in data.weights],
            "derivatives": [one.written() for one in data.derivatives],
            "preparation": asdict(data.preparation),
            "ignored": list(roles.ignored),
            "runs": [{"label": run.label, "rows": len(run.t)} for run in data.trajectories],
        }
    return {**plain, "findings": [one.document() for one in found.findings]}
