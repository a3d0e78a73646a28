"""Unstored entries as JSON, between the program and its worker process."""

from typing import Any, cast

from dolq_core.ports import Waiting
from dolq_core.records import Entry
from dolq_core.store import codec

_ENTRY = cast(type[Entry], Entry)  # a union of records, which has no type of its own


def packed(waiting: Waiting | None) -> dict[str, Any] | None:
    """Return what waits as plain JSON."""
    if waiting is None:
        return None
    entries = [codec.to_plain(entry) for entry in waiting.entries]
    return {"name": waiting.name, "first": waiting.first, "entries": entries}


def unpacked(plain: dict[str, Any] | None) -> Waiting | None:
    """Return what `packed` made plain."""
    if plain is None:
        return None
    return Waiting(plain["name"], plain["first"], tuple(codec.from_plain(_ENTRY, one) for one in plain["entries"]))
