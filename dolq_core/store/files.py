"""A run as one file: the whole log, to hand on, to keep, or to play again on another machine."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from dolq_core.errors import StoreError
from dolq_core.records import Entry, Start
from dolq_core.store import codec

SCHEMA = "dolq-run/1"
_ENTRY = cast(type[Entry], Entry)  # a union of records, which has no type of its own


def write_run(path: Path, name: str, entries: Sequence[Entry]) -> None:
    """Write the log of a run as JSON, one entry a line."""
    lines = ",\n".join(codec.to_json(entry) for entry in entries)
    head = json.dumps({"schema": SCHEMA, "name": name}, ensure_ascii=False)[:-1]
    path.write_text(f'{head}, "entries": [\n{lines}\n]}}\n', encoding="utf-8")


def read_run(path: Path) -> tuple[str, tuple[Entry, ...]]:
    """Return the name and the log of a file that `write_run` wrote; raise StoreError."""
    thing = f"The file {path.name}"
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise StoreError(thing, f"it cannot be read as a recorded run ({error})", "Choose another file.") from None
    if not isinstance(document, dict) or cast(dict[str, Any], document).get("schema") != SCHEMA:
        raise StoreError(thing, "it is no recorded run", "Write one with: python -m dolq_core record RUN --out FILE")
    said = cast(dict[str, Any], document)
    plain = cast(list[codec.Json], said.get("entries") or [])
    entries = tuple(codec.from_plain(_ENTRY, one) for one in plain)
    if not entries or not isinstance(entries[0], Start):
        raise StoreError(thing, "it has no start", "Write it again.")
    return str(said.get("name", "")), entries
