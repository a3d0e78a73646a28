"""A run as one file: the whole log, to hand on, to keep, or to play again on another machine."""

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from dolq_core.errors import StoreError, grouped
from dolq_core.records import Entry, Start
from dolq_core.store import codec

SCHEMA = "dolq-run/1"
MOST_VALUES = 2**24
"""Numbers in all arrays of a log: the largest table that is read has ten million."""
MOST_PARTS = 4_200_000
"""Values outside of texts: ten times those of the longest log that was measured, of a thousand iterations."""
MOST_ENTRIES = 50_000
_TEXTS = re.compile(rb'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"?', re.DOTALL)
_DAMAGED = "It is damaged, or DoLQ did not write it."
_MALFORMED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What records that no program of ours wrote may raise when they are read."""


def write_run(path: Path, name: str, entries: Sequence[Entry]) -> None:
    """Write the log of a run as JSON, one entry a line."""
    path.write_text(run_text(name, entries), encoding="utf-8")


def run_text(name: str, entries: Sequence[Entry]) -> str:
    """Return the log of a run as JSON, one entry a line."""
    lines = ",\n".join(codec.to_json(entry) for entry in entries)
    head = json.dumps({"schema": SCHEMA, "name": name})[:-1]  # in ASCII, so that any name survives
    return f'{head}, "entries": [\n{lines}\n]}}\n'


def read_run(path: Path) -> tuple[str, tuple[Entry, ...]]:
    """Return the name and the log of a file that `write_run` wrote; raise StoreError."""
    thing = f"The file {path.name}"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise StoreError(thing, f"it cannot be read as a recorded run ({error})", "Choose another file.") from None
    return run_of(content, thing)


def run_of(content: bytes, thing: str) -> tuple[str, tuple[Entry, ...]]:
    """Return the name and the log of a text that `run_text` made; raise StoreError about `thing`."""
    _check_parts(content, thing)
    try:
        document: Any = json.loads(content, parse_constant=codec.not_json)
    except (ValueError, RecursionError) as error:
        raise StoreError(thing, f"it cannot be read as a recorded run ({error})", "Choose another file.") from None
    if not isinstance(document, dict) or cast(dict[str, Any], document).get("schema") != SCHEMA:
        raise StoreError(thing, "it is no recorded run", "Write one with: python -m dolq_core record RUN --out FILE")
    said = cast(dict[str, Any], document)
    found = said.get("entries")
    plain = cast(list[codec.Json], found) if isinstance(found, list) else []
    _check_sizes(plain, thing)
    entries = _decoded(plain, thing)
    if not entries or not isinstance(entries[0], Start) or any(isinstance(entry, Start) for entry in entries[1:]):
        raise StoreError(thing, "a log begins with its only start, and this one does not", "Write it again.")
    return str(said.get("name", "")), entries


def _check_parts(content: bytes, thing: str) -> None:
    """Refuse a text of very many values before any of them is made: three letters of an empty list take 64 bytes."""
    bare = _TEXTS.sub(b"", content)
    parts = sum(bare.count(mark) for mark in (b",", b"[", b"{"))
    if parts > MOST_PARTS:
        raise StoreError(thing, f"it has over {grouped(MOST_PARTS)} values, which is the limit", _DAMAGED)


def _decoded(plain: list[codec.Json], thing: str) -> tuple[Entry, ...]:
    if len(plain) > MOST_ENTRIES:
        raise StoreError(
            thing, f"it has {grouped(len(plain))} entries, and {grouped(MOST_ENTRIES)} is the limit", _DAMAGED
        )
    try:
        return tuple(codec.from_plain(codec.ENTRY, one) for one in plain)
    except StoreError as error:
        raise StoreError(thing, f"in it, {error.thing}: {error.reason}", error.way_out or _DAMAGED) from None
    except _MALFORMED as error:
        raise StoreError(thing, f"it cannot be read as a recorded run ({error})", _DAMAGED) from None


def _check_sizes(plain: list[codec.Json], thing: str) -> None:
    """Refuse arrays that would fill the memory: a few packed bytes can claim to be very many."""
    waiting, values = [*plain], 0
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            shape = one.get("shape")
            values += _size(shape) if isinstance(shape, list) else 0
            waiting += one.values()
    if values > MOST_VALUES:
        raise StoreError(thing, f"its arrays claim {grouped(values)} numbers, and {grouped(MOST_VALUES)} is the limit")


def _size(shape: list[codec.Json]) -> int:
    sizes = [n for n in shape if isinstance(n, int) and not isinstance(n, bool)]
    known = len(sizes) == len(shape) <= 3 and all(0 <= n <= MOST_VALUES for n in sizes)
    return math.prod(sizes) if known else MOST_VALUES + 1
