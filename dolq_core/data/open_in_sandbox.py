"""Opens a workbook or a Parquet file once, within limits, and keeps nothing. Run as a program by `sandbox`.

    python open_in_sandbox.py KIND BYTES SECONDS < FILE

The exit status is 0 where the file opens, or is refused by its library in its own words; another one where it would
take more than the limits, or where the library fails in a way that no Python program can answer.
"""

# pyarrow has no stubs:
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

import os
import sys
from io import BytesIO

TOO_LARGE = 3


def main() -> int:
    """Open the file in the input; return the exit status."""
    kind, memory, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    limit(memory, seconds)
    try:
        (parquet if kind == "parquet" else workbook)(sys.stdin.buffer.read())
    except MemoryError:  # first: Arrow's own is a usual error, too
        return TOO_LARGE
    except Exception:  # noqa: BLE001  whatever it is, it is raised again, and said, where the file is read in earnest
        return 0
    return 0


def limit(memory: int, seconds: int) -> None:
    """Bound the memory and the processor time of this process, where the system can."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def workbook(raw: bytes) -> None:
    """Open every sheet, one after the other, as the reader does."""
    from python_calamine import CalamineWorkbook  # noqa: PLC0415

    book = CalamineWorkbook.from_filelike(BytesIO(raw))
    for name in book.sheet_names:
        book.get_sheet_by_name(name).to_python(skip_empty_area=False)


def parquet(raw: bytes) -> None:
    """Read every column, and make texts of what is no number, as the reader does."""
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # the others reserve more than they use
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    read = parquet.read_table(pa.BufferReader(raw), use_threads=False)
    for values in read.columns:
        if not (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
            values.to_pylist()


if __name__ == "__main__":
    sys.exit(main())
