"""Seconds and memory of reading a large table: `python -m lab reading [--rows 1000000] [--times 5]`.

A table of so many rows by four columns (a time and three normal variables, every number with all its digits) is read
from its file. "read and previewed" is `read_table` and `understand`: the table with its findings, and the trajectories
that a preview draws. It is compared with two passes of `pandas.read_csv` over the same file. Each pass is a process of
its own, the libraries imported beforehand; the figures are the least of several such processes: CPU seconds, and
growth of the peak of the resident memory, over that of the process before it reads.
"""

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.csv  # noqa: F401  a fifth of a second to import, for pandas and for the reader alike

from dolq_core.data import read_table, understand
from lab.benchmarks import report
from lab.benchmarks.fresh_process import in_fresh_process, peak_mib
from lab.benchmarks.report import Benchmark, Row

ROWS, COLUMNS = 1_000_000, 4
WAYS = ("pandas", "twice", "dolq")
KINDS = {
    "numbers alone": lambda row: ",".join(map(repr, row)),
    "a column of labels": lambda row: f"run{int(row[0]) // 100_000}," + ",".join(map(repr, row)),
    "numbers in quotation marks": lambda row: ",".join(f'"{value!r}"' for value in row),
    "decimal commas": lambda row: ";".join(map(repr, row)).replace(".", ","),
}


def measure(rows: int, times: int) -> Iterator[Row]:
    """Read each kind of file each way, in fresh processes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        for kind in KINDS:
            _write(path, kind, rows)
            row: dict[str, Any] = {"file": kind, "mb": path.stat().st_size / 1e6}
            for way in WAYS:
                done = [in_fresh_process(read_once, path, way) for _ in range(times)]
                row |= {f"{way}_s": min(s for s, _ in done), f"{way}_mib": min(mib for _, mib in done)}
            yield row | {f"of_{of}": row[f"dolq_{of}"] / row[f"twice_{of}"] for of in ("s", "mib")}


def page(rows: Sequence[Row]) -> list[str]:
    """Return the table."""
    head = (
        "file", "MB", "pandas, one pass: s", "MiB", "two passes: s", "MiB", "read and previewed: s", "MiB",
        "seconds, of two passes", "memory, of two passes",
    )  # fmt: skip
    return [report.table(head, [_line(row) for row in rows])]


def _line(row: Row) -> tuple[str, ...]:
    figures = [text for way in WAYS for text in (f"{row[f'{way}_s']:.2f}", f"{row[f'{way}_mib']:.0f}")]
    return (row["file"], f"{row['mb']:.0f}", *figures, f"{row['of_s']:.2f}", f"{row['of_mib']:.2f}")


def _write(path: Path, kind: str, rows: int) -> None:
    values = np.random.default_rng(0).normal(size=(rows, COLUMNS))
    values[:, 0] = np.arange(rows) * 1.0
    separator = ";" if kind == "decimal commas" else ","
    head = separator.join((["run"] if kind == "a column of labels" else []) + ["t", "x", "y", "z"])
    with path.open("w", encoding="utf-8") as file:
        file.write(head + "\n")
        file.writelines(KINDS[kind](row) + "\n" for row in values.tolist())


def read_once(path: Path, way: str) -> tuple[float, float]:
    """Return CPU seconds and MiB of one way to read a file."""
    before, start = peak_mib(), time.process_time()
    kept = _read(path, way)
    seconds, grown = time.process_time() - start, peak_mib() - before
    del kept
    return seconds, grown


def _read(path: Path, way: str) -> object:
    if way == "dolq":
        return understand(read_table(path))
    with path.open(encoding="utf-8") as file:
        separator = ";" if ";" in file.readline() else ","
    decimal = "," if separator == ";" else "."
    passes = 2 if way == "twice" else 1
    return [pd.read_csv(path, sep=separator, decimal=decimal) for _ in range(passes)]


BENCHMARK = Benchmark("reading", "Reading a large table", __doc__, measure, page, {"rows": ROWS, "times": 5})
