"""What a file holds, as numbers: a table keeps no text of a cell that is a number."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from dolq_core.arrays import Floats, Ints
from dolq_core.data.findings import Finding, sentence

Kind: TypeAlias = Literal["text", "workbook", "parquet"]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column as numbers, with the few cells whose text still matters.

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

    def __init__(self, labels: Sequence[str], which: Ints) -> None:
        self.labels, self.which = labels, which

    def __getitem__(self, i: int) -> str:
        if not 0 <= i < len(self.which):
            raise KeyError(i)
        return self.labels[int(self.which[i])]

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.which)))

    def __len__(self) -> int:
        return len(self.which)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What a file holds.

    Attributes:
        name: what the file is called; empty when it has no name.
        columns: by their own names, in the order of the file.
        rows: the row of each line of cells, as a spreadsheet counts (the header is usually row 1).
        findings: what was found, assumed and left out.
        kind: what the file is; a Parquet file has types, so that nothing in it is to be found.
        header: the row of the names; 0 when there is none.
        units_row: the row of the units; 0 when there is none.
        units: by own name of a column, where a row of units or the cells themselves tell one.
        parts: the column that the reader made to tell blocks or files apart; empty when there is none.
        sheet: of a workbook; `sheets` are all that it has.
        sources: of several files: what each is called, and the position of its first row.
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
    sheets: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed, in plain sentences."""
        return tuple(map(sentence, self.findings))


def coded(column: Column) -> tuple[list[str], Ints]:
    """Return the different cells of a column as text, in the order of first appearance, and (n,) which one each is."""
    if isinstance(column.written, Labels):
        return list(column.written.labels), column.written.which
    if column.numbers is not None and not column.missing:
        found, first, which = np.unique(column.numbers, return_index=True, return_inverse=True)
        order = np.argsort(first)
        return [short(float(value)) for value in found[order]], np.argsort(order)[which]
    places: dict[str, int] = {}
    codes = [places.setdefault(text, len(places)) for text in cells(column)]
    return list(places), np.array(codes)


def column_of(name: str, values: Floats, odd: Sequence[int], written: Mapping[int, str]) -> Column:
    """Return a column; what is neither a number nor odd is missing."""
    gaps = np.isnan(values)
    gaps[list(odd)] = False
    missing = tuple(np.flatnonzero(gaps).tolist())
    whole = not odd and len(missing) < len(values)
    return Column(name, values, values if whole else None, odd, missing, written)


def cell(column: Column, i: int) -> str:
    """Return a cell as text; a number as short as it can be written."""
    return column.written.get(i) or ("" if np.isnan(column.values[i]) else short(float(column.values[i])))


def cells(column: Column) -> Iterator[str]:
    """Return all cells as text."""
    for i, value in enumerate(column.values.tolist()):
        yield column.written.get(i) or ("" if value != value else short(value))


def short(value: float) -> str:
    """Return a number as text: 1.0 is 1."""
    return repr(value).removesuffix(".0")


def rows_at(table: Table, positions: Iterable[int] | Ints) -> list[int]:
    """Return the rows of the file at positions of the table."""
    return [int(table.rows[int(i)]) for i in positions]
