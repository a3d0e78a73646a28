"""Files that compiled libraries read are first opened in a process of its own, with limits of memory and time.

A workbook of five kilobytes with a cell in its last corner asks for a terabyte, and the library that reads it then
ends the whole program, with the work of everybody in it. Only what stays within the limits is read here.

As a program, `python sandbox.py KIND BYTES SECONDS CELLS < FILE` opens a file once and keeps nothing. The exit status
is 0 where the file opens, or is refused by its library in its own words; TOO_MANY where it has more cells; another one
where it would take more than the limits, or where the library fails in a way that no Python program can answer.
"""

# pyarrow has no stubs:
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

import logging
import os
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Final, Literal

TOO_LARGE: Final = 3
TOO_MANY: Final = 4
MOST_MEMORY: Final = 2**30
"""Bytes while a workbook or a Parquet file is opened: five times the largest file that is read."""
MOST_SECONDS: Final = 60
FRUGAL: Final = {
    "MALLOC_ARENA_MAX": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "ARROW_IO_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
"""Environment of that process: each thread otherwise reserves memory of its own, which counts though it is never used.
An ordinary Parquet file opens in 325 MB so, on two cores, and in 525 MB otherwise."""
_AS_TEXT: Final = "Save the table as CSV (UTF-8): it takes less memory to read."
_opened: Final = OrderedDict[bytes, None]()  # the last files that opened: none is tried twice
_lock: Final = threading.Lock()


def check_opens(raw: bytes, kind: Literal["workbook", "parquet"], thing: str) -> None:
    """Refuse a file that cannot be opened within MOST_MEMORY and MOST_SECONDS."""
    from dolq_core.data.findings import MOST_CELLS, refusal, too_many_cells  # noqa: PLC0415  the program in the sandbox imports nothing of ours

    digest = sha256(raw).digest()
    with _lock:
        if digest in _opened:
            return
    command = [sys.executable, "-I", __file__, kind, str(MOST_MEMORY), str(MOST_SECONDS), str(MOST_CELLS)]
    status = tried(command, raw, MOST_SECONDS)
    if status not in (None, 0, TOO_LARGE, TOO_MANY):  # it was ended: by what the file holds, or by chance
        logging.getLogger(__name__).warning("opening %s ended with status %s; it is opened again", thing, status)
        status = tried(command, raw, MOST_SECONDS)
    if status is None:
        reason = f"opening it takes more than {MOST_SECONDS} s, which is the limit"
        raise refusal("size", thing, reason, _AS_TEXT)
    if status == TOO_MANY:
        raise too_many_cells(thing)
    if status:
        perhaps = "it takes" if status == TOO_LARGE else "it is damaged, or takes"  # memory may also end a library
        reason = f"{perhaps} more than {MOST_MEMORY / 2**30:g} GB of memory to open, which is the limit"
        raise refusal("size", thing, reason, _AS_TEXT)
    with _lock:
        _opened[digest] = None
        while len(_opened) > 64:
            _opened.popitem(last=False)


def tried(command: Sequence[str], raw: bytes, seconds: float, folder: Path | None = None) -> int | None:
    """Return the exit status of a program that is given a file and says nothing; None where it takes too long."""
    silent = subprocess.DEVNULL
    try:
        done = subprocess.run(
            command,
            input=raw,
            cwd=folder,
            env=os.environ | FRUGAL,
            stdout=silent,
            stderr=silent,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode


def _main() -> int:
    kind, memory, seconds, cells = sys.argv[1], *map(int, sys.argv[2:5])
    limit(memory, seconds)
    try:
        fits = (_open_parquet if kind == "parquet" else _open_workbook)(sys.stdin.buffer.read(), cells)
    except MemoryError:  # first: Arrow's own is a usual error, too
        return TOO_LARGE
    except Exception:  # noqa: BLE001  whatever it is, it is raised again, and said, where the file is read in earnest
        return 0
    return 0 if fits else TOO_MANY


def limit(memory: int, seconds: int) -> None:
    """Bound the memory and the processor time of this process, where the system can."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _open_workbook(raw: bytes, most: int) -> bool:
    """Open every sheet, one after the other, as the reader does; return whether all have at most so many cells."""
    from python_calamine import CalamineWorkbook  # noqa: PLC0415

    book = CalamineWorkbook.from_filelike(BytesIO(raw))
    for name in book.sheet_names:
        sheet = book.get_sheet_by_name(name)
        if sheet.total_height * sheet.total_width > most:
            return False
        sheet.to_python(skip_empty_area=False)
    return True


def _open_parquet(raw: bytes, most: int) -> bool:
    """Read every column, and make texts of what is no number, as the reader does; False where there are too many cells.

    What the end of the file says is looked at first, and then what came: it may say anything.
    """
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # the others reserve more than they use
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    said = parquet.read_metadata(pa.BufferReader(raw))
    if said.num_rows * said.num_columns > most:
        return False
    read = parquet.read_table(pa.BufferReader(raw), use_threads=False)
    if read.num_rows * read.num_columns > most:
        return False
    for values in read.columns:
        if not (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
            values.to_pylist()
    return True


if __name__ == "__main__":
    os._exit(_main())  # at once: a library that fails while it is taken down says nothing of the file
