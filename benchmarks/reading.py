"""Seconds and memory of reading a large table: `python -m benchmarks.reading [--rows 1000000] [--times 5]`.

A table of so many rows by four columns (a time and three normal variables, every number with all its digits) is read
from its file. "read and previewed" is `read_table` and `understand`: the table with its findings, and the trajectories
that a preview draws. It is compared with two passes of `pandas.read_csv` over the same file. Each pass is a process of
its own, the libraries imported beforehand; the figures are the least of several such processes: CPU seconds, and
growth of the peak of the resident memory, over that of the process before it reads.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.csv  # noqa: F401  a fifth of a second to import, for pandas and for the reader alike

from benchmarks import report
from dolq_core import runs

ROWS, COLUMNS = 1_000_000, 4
KINDS = {
    "numbers alone": lambda row: ",".join(map(repr, row)),
    "a column of labels": lambda row: f"run{int(row[0]) // 100_000}," + ",".join(map(repr, row)),
    "numbers in quotation marks": lambda row: ",".join(f'"{value!r}"' for value in row),
    "decimal commas": lambda row: ";".join(map(repr, row)).replace(".", ","),
}


def main() -> None:
    """Measure each kind of file in fresh processes and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--one", nargs=2, help="read this file this way in this process and print the figures")
    asked = parser.parse_args()
    if asked.one:
        print(*measure(Path(asked.one[0]), asked.one[1]), sep="\t")
        return
    with tempfile.TemporaryDirectory() as folder:
        rows = [_compared(kind, asked.rows, asked.times, Path(folder)) for kind in KINDS]
    head = (
        "file", "MB", "pandas, one pass: s", "MB", "two passes: s", "MB", "read and previewed: s", "MB",
        "seconds, of two passes", "memory, of two passes",
    )  # fmt: skip
    how = " ".join((__doc__ or "").split("\n\n", 1)[1].split())
    report.write("reading", "Reading a large table", how, report.table(head, rows))


def _compared(kind: str, rows: int, times: int, folder: Path) -> tuple[str, ...]:
    path = folder / "table.csv"
    _write(path, kind, rows)
    found = {way: _least(path, way, times) for way in ("pandas", "twice", "dolq")}
    (one, one_mb), (two, two_mb), (own, own_mb) = (found[way] for way in ("pandas", "twice", "dolq"))
    figures = (f"{one:.2f}", f"{one_mb:.0f}", f"{two:.2f}", f"{two_mb:.0f}", f"{own:.2f}", f"{own_mb:.0f}")
    row = (kind, f"{path.stat().st_size / 1e6:.0f}", *figures, f"{own / two:.2f}", f"{own_mb / two_mb:.2f}")
    print(*row, sep="\t", flush=True)
    return row


def _write(path: Path, kind: str, rows: int) -> None:
    values = np.random.default_rng(0).normal(size=(rows, COLUMNS))
    values[:, 0] = np.arange(rows) * 1.0
    separator = ";" if kind == "decimal commas" else ","
    head = separator.join((["run"] if kind == "a column of labels" else []) + ["t", "x", "y", "z"])
    with path.open("w", encoding="utf-8") as file:
        file.write(head + "\n")
        file.writelines(KINDS[kind](row) + "\n" for row in values.tolist())


def _least(path: Path, way: str, times: int) -> tuple[float, float]:
    command = [sys.executable, "-m", "benchmarks.reading", "--one", str(path), way]
    said = [subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() for _ in range(times)]
    return min(float(one[0]) for one in said), min(float(one[1]) for one in said)


def measure(path: Path, way: str) -> tuple[float, float]:
    """Return CPU seconds and MB of one way to read a file."""
    before, start = _peak(), time.process_time()
    kept = _read(path, way)
    seconds, grown = time.process_time() - start, _peak() - before
    del kept
    return seconds, grown


def _read(path: Path, way: str) -> object:
    if way == "dolq":
        return runs.understand(runs.read_table(path))
    with path.open(encoding="utf-8") as file:
        separator = ";" if ";" in file.readline() else ","
    decimal = "," if separator == ";" else "."
    passes = 2 if way == "twice" else 1
    return [pd.read_csv(path, sep=separator, decimal=decimal) for _ in range(passes)]


def _peak() -> float:
    """Return the peak in MB; not by `resource`, which counts the process that started this one as well."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    main()
