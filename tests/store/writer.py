"""A program of its own that appends to a run: `python -m tests.store.writer FILE RUN ENTRIES SIZE`.

It prints a line after each entry that was stored, so that whoever kills it knows what must be there.
"""

import sys
from pathlib import Path

from dolq_core.store.sqlite import SqliteStore
from tests.contracts.store_contract import append_at_the_end


def main(file: str, run: str, entries: str, size: str) -> None:
    store = SqliteStore(Path(file))
    for n in range(int(entries)):
        append_at_the_end(store, run, f"{n} " + "x" * int(size))
        print(n, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
