"""A Parquet file to a table: its columns have types already."""

# pyarrow has no stubs:
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from collections import Counter
from typing import Any

import numpy as np

from dolq_core.arrays import Floats, frozen
from dolq_core.data.apart import check_opens
from dolq_core.data.bounds import check_cells, check_columns, check_names
from dolq_core.data.columns import Column, Table, column_of
from dolq_core.data.findings import Said, counted, refusal
from dolq_core.data.numbers import is_missing


def is_parquet(raw: bytes) -> bool:
    """Whether these are the bytes of a Parquet file."""
    return raw.startswith(b"PAR1")


def parquet_table(raw: bytes, name: str, thing: str, said: Said) -> Table:
    """Return what a Parquet file holds."""
    import pyarrow as pa  # noqa: PLC0415  a fifth of a second to import, only where it is needed
    from pyarrow import parquet  # noqa: PLC0415

    check_opens(raw, "parquet", thing)
    try:
        read = parquet.read_table(pa.BufferReader(raw))
    except (pa.ArrowException, OSError) as error:
        raise refusal("unreadable", thing, f"this Parquet file cannot be read ({error})", "Write it again.") from None
    return typed_table(read, name, thing, said)


def typed_table(read: Any, name: str, thing: str, said: Said) -> Table:
    """Return the table of an Arrow table; its first row counts as row 2, as under a header."""
    if not read.num_rows or not read.num_columns:
        raise refusal("empty", thing, "it has no rows", "Choose a table with at least five rows of numbers.")
    names = ["index" if own.startswith("__index_level_") else own for own in read.column_names]
    check_columns(len(names), thing)
    check_names(names, thing)
    twice = [own for own, times in Counter(names).items() if times > 1]
    if twice:
        raise refusal(
            "duplicate-name", thing, f"the name '{twice[0]}' stands above more than one column", "Rename one."
        )
    rows = range(2, read.num_rows + 2)
    columns: dict[str, Column] = {}
    for own, values in zip(names, read.columns, strict=True):
        columns[own] = column = _column(own, values)
        if column.missing and len(column.missing) < len(rows):
            gaps = [rows[i] for i in column.missing]
            said.add("missing-cell", counted(len(gaps), "missing cell"), "left missing", "", gaps, own)
    return Table(name, columns, rows, tuple(said.all), kind="parquet")


def _column(name: str, values: Any) -> Column:
    """Return a column; booleans and nested values are text."""
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import compute  # noqa: PLC0415

    kind = values.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        numbers: Floats = frozen(compute.cast(values, pa.float64(), safe=False).to_numpy())
        infinite = {int(i): f"{numbers[i]:g}" for i in np.flatnonzero(np.isinf(numbers))}
        return column_of(name, numbers, (), infinite)
    texts = ["" if cell is None else _text(cell) for cell in values.to_pylist()]
    for row, text in enumerate(texts, 2):
        check_cells((text,), row)
    odd = {i: text for i, text in enumerate(texts) if not is_missing(text)}
    return column_of(name, frozen(np.full(len(texts), np.nan)), tuple(odd), odd)


def _text(cell: object) -> str:
    return str(cell).strip()
