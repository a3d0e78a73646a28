"""Files that were made to fill the memory or to stop the program: each is refused in words, in bounded time and memory.

What a table may hold is in `dolq_core.data.findings` and `dolq_core.data.sandbox`, each limit with its reason.
"""

import bz2
import gzip
import io
import lzma
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from dolq_core import runs
from dolq_core.data import read, sandbox
from dolq_core.data.findings import MOST_CELL, MOST_COLUMNS, MOST_NAME, MOST_ROW
from dolq_core.errors import THIN
from dolq_core.inspection import inspect_table
from tests.waiting import LONGEST_S

ROOT = Path(__file__).parents[2]
ROWS = "\n".join(f"{k},{k * k % 7}" for k in range(20))
PLAIN = f"t,x\n{ROWS}\n"


def wide(columns):
    names = ",".join(["t", *(f"c{i}" for i in range(columns - 1))])
    return "\n".join([names, *(",".join(str(k * i % 7 + k) for i in range(columns)) for k in range(12))])


def workbook(inside: bytes) -> bytes:
    """A workbook of Excel's with something before the end of its sheet."""
    book, out, changed = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    for row in (["t", "x"], *([k, k * k] for k in range(20))):
        book.active.append(row)
    book.save(out)
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                content = content.replace(b"</sheetData>", inside + b"</sheetData>")
            new.writestr(name, content)
    return changed.getvalue()


def far_corner():
    """Five kilobytes: a cell in the last row and column of a sheet, and nothing between; 17 thousand million cells."""
    return workbook(b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')


def long_texts():
    """A column of one long text, which is stored once: forty thousand million letters when it is read."""
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(400_000, np.int32)), pa.array(["x" * 100_000]))
    out = io.BytesIO()
    parquet.write_table(pa.table({"t": np.arange(400_000.0), "s": text}), out, compression="zstd")
    return out.getvalue()


def far_cell():
    """Five kilobytes: eleven million empty cells, which a process apart has room for."""
    return workbook(b'<row r="110000"><c r="CW110000"><v>1</v></c></row>')


def one_number():
    """A number twelve million times, which is stored once for each million."""
    out, numbers = io.BytesIO(), pa.table({name: np.full(1_000_000, 1.0) for name in "txy"})
    with parquet.ParquetWriter(out, numbers.schema, compression="zstd") as writer:
        for _ in range(4):
            writer.write_table(numbers)
    return out.getvalue()


HOSTILE = {
    "a bzip2 file that grows by a million": (lambda: bz2.compress(b"0" * 30_000_000), "unpacked it has more than"),
    "an xz file that grows by thousands": (lambda: lzma.compress(b"0" * 30_000_000), "unpacked it has more than"),
    "an xz file that asks for memory": (
        lambda: lzma.compress(b"t,x", filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 28}]),
        "a damaged xz file",
    ),
    "a gzip file that grows by a thousand": (lambda: gzip.compress(b"0" * 30_000_000, 1), "unpacked it has more than"),
    "too many columns": (lambda: wide(MOST_COLUMNS + 1).encode(), f"1{THIN}001 columns, and 1{THIN}000 is the limit"),
    "too many columns, quick": (lambda: (wide(MOST_COLUMNS + 1) + "\n" + "1," * 60_000).encode(), "columns"),
    "a million empty columns": (lambda: b"a,b\n" + b"," * 900_000, f"900{THIN}001 columns"),
    "one row without an end": (
        lambda: b"t,x\n" + b"1," * MOST_ROW,
        f"Row 2: it has over 1{THIN}000{THIN}000 characters",
    ),
    "a number of a hundred thousand digits": (
        lambda: f"{PLAIN}20,{'9' * 100_000}\n".encode(),
        f"a cell has 100{THIN}000",
    ),
    "a quotation mark that stays open": (lambda: f'{PLAIN}20,"{"9" * 9}'.encode() + b"9\n" * 600_000, "characters"),
    "a name without an end": (lambda: f"t,{'x' * 999_000}\n{ROWS}".encode(), f"a cell has 999{THIN}000 characters"),
    "a name that no chart can show": (
        lambda: f"t,{'x' * (MOST_NAME + 1)}\n{ROWS}".encode(),
        "'xxxxxxxxxxxxxxxxxxxx...'",
    ),
    "a workbook with a cell in the last corner": (far_corner, "more than 0.5 GB of memory"),
    "a workbook with a cell that is far": (far_cell, f"more than 10{THIN}000{THIN}000 cells"),
    "a Parquet file with one number again and again": (one_number, f"more than 10{THIN}000{THIN}000 cells"),
    "a Parquet file with one text a million times": (long_texts, "more than 0.5 GB of memory"),
    "a workbook that is none": (lambda: b"PK\x03\x04 [Content_Types].xml", "this workbook cannot be read"),
    "a Parquet file that is none": (lambda: b"PAR1 and so on PAR1", "this Parquet file cannot be read"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_refused_in_words(what, monkeypatch):
    monkeypatch.setattr(sandbox, "MOST_MEMORY", 2**29)  # as the limits of the program, but sooner reached
    monkeypatch.setattr(read, "LIMIT", 20_000_000)
    make, said = HOSTILE[what]
    opened = runs.opened([("a.csv", make())], what)
    assert opened.table is None
    last = opened.findings[-1]
    assert said in f"{'Row ' + str(last.rows[0]) + ': ' if last.rows else ''}{last.found}"
    assert last.way_out
    assert len(last.found) < 300, "no letter of the file beyond what a sentence can hold"


def test_a_small_parquet_file_opens_however_many_processors_there_are(monkeypatch):
    monkeypatch.setattr(sandbox, "MOST_MEMORY", 350 * 2**20)  # too little where each thread has a heap
    out = io.BytesIO()
    parquet.write_table(pa.table({f"c{k}": np.arange(6.0) for k in range(60)}), out)
    assert runs.opened([("a.parquet", out.getvalue())], "small").table is not None


def test_a_library_that_fails_by_chance_is_asked_once_more(monkeypatch):
    ends, real = [-signal.SIGSEGV], sandbox.tried
    monkeypatch.setattr(sandbox, "tried", lambda *args: ends.pop() if ends else real(*args))
    out = io.BytesIO()
    parquet.write_table(pa.table({"t": np.arange(6.0), "x": np.arange(6.0) ** 2}), out)
    assert runs.opened([("a.parquet", out.getvalue())], "by chance").table is not None
    assert not ends


def test_a_file_that_ends_its_library_is_refused(monkeypatch):
    monkeypatch.setattr(sandbox, "tried", lambda *_: -signal.SIGSEGV)
    opened = runs.opened([("a.xlsx", workbook(b"<!-- ends it -->"))], "ends it")
    assert opened.table is None
    assert "it is damaged, or takes more than 1 GB" in opened.findings[-1].found


def test_a_table_at_the_limits_is_read():
    table = runs.opened([("a.csv", wide(MOST_COLUMNS).encode())], "wide").table
    assert table is not None
    assert len(table.columns) == MOST_COLUMNS
    assert inspect_table(table).reading is not None
    rows = f"t,x,remark,{'n' * MOST_NAME}\n" + "\n".join(f"{k},{k * k % 7},{'a' * MOST_CELL},{k}" for k in range(9))
    assert runs.opened([("a.csv", rows.encode())], "long").table is not None


def test_digits_that_no_float_holds_are_said():
    found = runs.opened([("a.csv", f"{PLAIN}20,{'9' * 5000}\n".encode())], "digits")
    assert any(one.code in ("rounded", "infinite") for one in found.findings)


@pytest.mark.skipif(sys.platform == "win32", reason="there a process cannot limit its memory")
def test_the_process_that_tries_a_file_has_limits_of_memory_and_time():
    code = (
        "import runpy; runpy.run_path('dolq_core/data/sandbox.py')['limit'](2**28, 1)\n"
        "try: bytes(2**29)\n"
        "except MemoryError: print('refused', flush=True)\n"
        "while True: pass"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONGEST_S, cwd=ROOT)
    assert done.stdout == "refused\n"
    assert done.returncode in (-signal.SIGXCPU, -signal.SIGKILL), "its processor time was not limited"


def test_a_file_is_tried_once(monkeypatch):
    asked = []
    real = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *args, **more: asked.append(args) or real(*args, **more))
    content = workbook(b"<!-- only here -->")
    for how in ("first", "second"):
        assert runs.opened([("a.xlsx", content)], how).table is not None
    assert len(asked) == 1
