"""Recorded runs of lessons: what must be the same in every class room, and quick on any computer.

A recording is the log of a run as `dolq_core lesson record` wrote it from the real engine; a test plays it again. Those
of the bundled lessons lie beside them. A lesson that is handed on as one file has its own inside: it may come from
anyone, and is looked at as a bundle is.
"""

import base64
import re
import textwrap
import zlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from dolq_core.errors import ExportError, StoreError
from dolq_core.lessons.format import Lesson
from dolq_core.records import Entry
from dolq_core.runs.importing import check
from dolq_core.store.files import read_run, run_of, run_text, write_run

MOST_UNPACKED: Final = 8 * 2**20
"""Bytes of an unpacked recording; the longest bundled one has 60 kB."""
_SECTION: Final = re.compile(r"^\[recordings\][^\n]*\n(?:(?!\[)[^\n]*(?:\n|\Z))*", re.MULTILINE)
_AGAIN: Final = "Record it again: python -m dolq_core lesson record FILE --inside"


def folder() -> Path:
    """Return the folder of the bundled lessons, wherever above this file `assets` stands."""
    places = (parent / "assets" / "lessons" for parent in Path(__file__).resolve().parents)
    return next((place for place in places if place.is_dir()), Path("assets") / "lessons")


def place(file: str, run: str, beside: Path | None = None) -> Path:
    """Return the file of a recording: beside the lesson, named after it and the run."""
    return (beside or folder()) / "recorded" / f"{Path(file).stem}.{run}.json"


def recording(lesson: Lesson, file: str, run: str) -> tuple[Entry, ...]:
    """Return the recorded log of a run; empty where the lesson wants none, or none is there."""
    if not lesson.runs[run].recorded:
        return ()
    if run in lesson.recordings:
        return unpacked(lesson.recordings[run], run)
    path = place(Path(file).name, run)
    kept = {one.name for one in path.parent.glob("*.json")}  # a stranger's name is compared, never opened
    return _read(path, path.stat().st_mtime_ns) if path.name in kept else ()


def write(path: Path, name: str, entries: tuple[Entry, ...]) -> None:
    """Write a recording."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_run(path, name, entries)


def inside(text: str, logs: Mapping[str, tuple[Entry, ...]]) -> str:
    """Return a lesson's text with these recordings as its last section, in the place of those that it has."""
    packed = {name: zlib.compress(run_text(name, log).encode(), 9) for name, log in logs.items()}
    lines = {name: textwrap.fill(base64.b64encode(content).decode(), 120) for name, content in packed.items()}
    section = "\n".join(f'{name} = """\n{content}"""' for name, content in lines.items())
    return f"{_SECTION.sub('', text).rstrip()}\n\n[recordings]\n{section}\n"


@lru_cache(maxsize=32)
def unpacked(packed: str, run: str) -> tuple[Entry, ...]:
    """Return the log of a recording that stands in a lesson; raise StoreError for what no program of ours wrote."""
    thing = f"The recording of {run!r}"
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(base64.b64decode("".join(packed.split()), validate=True), MOST_UNPACKED)
    except (ValueError, zlib.error) as error:
        raise StoreError(thing, f"it cannot be unpacked ({error})", _AGAIN) from None
    if not unpacking.eof:
        raise StoreError(thing, f"it is cut off, or has more than {MOST_UNPACKED // 2**20} MB", _AGAIN)
    entries = run_of(content, thing)[1]
    try:
        check(entries)
    except ExportError as error:
        raise StoreError(thing, error.reason, _AGAIN) from None
    return entries


@lru_cache(maxsize=16)
def _read(path: Path, written: int) -> tuple[Entry, ...]:
    return read_run(path)[1]
