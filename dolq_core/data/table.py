"""A table as numbers: no text is kept of a cell that is a number."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Literal, TypeAlias

import numpy as np

from dolq_core.arrays import Floats, Ints, frozen
from dolq_core.data.findings import Finding, refusal
from dolq_core.data.meant import none_meant
from dolq_core.numerics.targets import LARGEST

Kind: TypeAlias = Literal["text", "workbook", "parquet"]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column of a table.

    Attributes:
        values: (n,) numbers; NaN where a cell is missing or no number.
        numbers: `values` when every cell that is not missing is a number, else None.
        odd: positions of the cells that are neither numbers nor missing.
        missing: positions of the cells that say that there is no value.
        written: the text of the odd and of the infinite cells, by position.
    """

    name: str
    values: Floats
    numbers: Floats | None
    odd: Sequence[int] = ()
    missing: Sequence[int] = ()
    written: Mapping[int, str] = field(default_factory=dict[int, str])


class Labels(Mapping[int, str]):
    """The text of every cell of a column, each label kept once."""

    def __init__(self, labels: Sequence[str], codes: Ints) -> None:
        self.labels, self.codes = labels, codes

    def __getitem__(self, i: int) -> str:
        if not 0 <= i < len(self.codes):
            raise KeyError(i)
        return self.labels[int(self.codes[i])]

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.codes)))

    def __len__(self) -> int:
        return len(self.codes)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What a file holds.

    Attributes:
        name: what the file is called; empty when it has no name.
        columns: by their own names, in the order of the file.
        rows: the row of each sample, as a spreadsheet counts (the header is usually row 1).
        findings: what was found, assumed and left out.
        units: by own name of a column, where a row of units or the cells themselves tell one.
        parts: the column that the reader made to tell blocks or files apart; empty when there is none.
        sheet: of a workbook.
        sources: of several files: what each is called, and the position of its first row.
        header: the row of the names; 0 when there is none.
        units_row: the row of the units; 0 when there is none.
        unlike: in what several files differ, by the names of the fields above; those fields are of the first file.
    """

    name: str
    columns: Mapping[str, Column]
    rows: Sequence[int]
    findings: tuple[Finding, ...] = ()
    encoding: str = "utf-8"
    delimiter: str = ","
    decimal: str = "."
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    parts: str = ""
    sheet: str = ""
    sources: tuple[tuple[str, int], ...] = ()
    kind: Kind = "text"
    header: int = 0
    units_row: int = 0
    unlike: tuple[str, ...] = ()


def column_of(name: str, values: Floats, written: Mapping[int, str] | None = None) -> Column:
    """Return a column; what is neither a number nor `written` is missing."""
    values = frozen(values) if values.flags.writeable else values
    infinite = {int(i): f"{values[i]:g}" for i in np.flatnonzero(np.isinf(values))}
    gaps = np.isnan(values)
    odd = tuple(i for i in written or () if gaps[i])
    gaps[list(odd)] = False
    missing = tuple(np.flatnonzero(gaps).tolist())
    numeric = not odd and len(missing) < len(values)
    return Column(name, values, values if numeric else None, odd, missing, infinite | dict(written or {}))


def at(column: Column, positions: Ints) -> Column:
    """Return the column with the cells at some positions alone."""
    written = {new: column.written[int(old)] for new, old in enumerate(positions) if int(old) in column.written}
    return column_of(column.name, column.values[positions], written)


def text_column(name: str, written: Mapping[int, str], n: int) -> Column:
    """Return a column of n cells without any number."""
    return column_of(name, np.full(n, np.nan), written)


def cell(column: Column, i: int) -> str:
    """Return a cell as text; a number as short as it can be written."""
    return column.written.get(i) or ("" if np.isnan(column.values[i]) else short(float(column.values[i])))


def cells(column: Column) -> Iterator[str]:
    """Return all cells as text."""
    for i, value in enumerate(column.values.tolist()):
        yield column.written.get(i) or ("" if value != value else short(value))


def coded(column: Column) -> tuple[list[str], Ints]:
    """Return the different cells of a column as text, in the order of first appearance, and (n,) which one each is."""
    if isinstance(column.written, Labels):
        return list(column.written.labels), column.written.codes
    if column.numbers is not None and not column.missing:
        found, first, codes = np.unique(column.numbers, return_index=True, return_inverse=True)
        order = np.argsort(first)
        return [short(float(value)) for value in found[order]], np.argsort(order)[codes]
    places: dict[str, int] = {}
    every = [places.setdefault(text, len(places)) for text in cells(column)]
    return list(places), np.array(every)


def short(value: float) -> str:
    """Return a number as text: 1.0 is 1."""
    return repr(value).removesuffix(".0")


def is_mixed(column: Column) -> bool:
    """Whether a column is mostly numbers, with text in it."""
    filled = len(column.values) - len(column.missing)
    return 0 < len(column.odd) <= filled / 2


def free_name(name: str, taken: Container[str]) -> str:
    """Return the name, or "name (2)" and so on where it is taken."""
    return name if name not in taken else next(new for k in count(2) if (new := f"{name} ({k})") not in taken)


def rows_at(table: Table, positions: Iterable[int] | Ints) -> list[int]:
    """Return the rows of the file at positions of the table."""
    return [int(table.rows[int(i)]) for i in positions]


def find(table: Table, name: str) -> Column:
    """Return the column `name`; raise TableError with the names there are."""
    column = table.columns.get(name)
    if column is not None:
        return column
    raise refusal("unknown-column", "", "there is no such column", none_meant(name, table.columns), column=name)


def numbers_of(table: Table, name: str) -> Floats:
    """Return the numbers of a column; raise TableError that names the first cell that is none."""
    column = find(table, name)
    if column.numbers is not None:
        return column.numbers
    if not column.odd:
        raise refusal("empty-column", "", "all its cells are empty", "Choose a column with numbers.", column=name)
    odd = cell(column, column.odd[0])
    more = f" (one of {len(column.odd)} such cells in this column)" if len(column.odd) > 1 else ""
    hint = "Correct it, leave it empty, or name the columns to use without this one."
    if "," in odd or "'" in odd:
        hint = "Write numbers without thousands separators, or name the columns to use without this one."
    raise refusal("not-a-number", "", f"'{odd}' is not a number{more}", hint, rows_at(table, column.odd), name)


def check_range(table: Table, name: str, values: Floats) -> None:
    """Refuse a column with an infinite value, or with values of which squares are none that a computer has."""
    infinite = np.flatnonzero(np.isinf(values)).tolist()
    if infinite:
        reason = f"'{cell(table.columns[name], infinite[0])}' is infinite"
        hint = "Leave the cell empty, or remove the row."
        raise refusal("infinite", "", reason, hint, rows_at(table, infinite), name)
    size = float(np.max(np.abs(values[np.isfinite(values)]), initial=0.0))
    if size > LARGEST or 0.0 < size < 1.0 / LARGEST:
        rows = rows_at(table, np.flatnonzero(np.abs(values) > LARGEST).tolist())
        raise refusal(
            "out-of-range", "", f"values of size {size:.0e} are out of range", "Use another unit.", rows, name
        )


def runs_of(table: Table, run: str | None) -> dict[str, Ints]:
    """Return the positions of the rows of each run, by its label, in the order of first appearance."""
    if not run:
        return {"": np.arange(len(table.rows))}
    column = find(table, run)
    if column.missing:
        hint = "Every row needs the name of its run."
        raise refusal("missing-cell", "", "the cell is empty", hint, rows_at(table, column.missing), run)
    labels, codes = coded(column)
    order = np.argsort(codes, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(codes, minlength=len(labels)))[:-1])
    return dict(zip(labels, parts, strict=True))
