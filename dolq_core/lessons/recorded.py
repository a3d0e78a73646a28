"""Recorded runs of the bundled lessons: what must be the same in every class room, and quick on any computer.

A recording is the log of a run as `dolq_core lesson record` wrote it from the real engine; a test plays it again.
"""

from functools import lru_cache
from pathlib import Path

from dolq_core.lessons.format import Lesson
from dolq_core.records import Entry
from dolq_core.store.files import read_run, write_run


def folder() -> Path:
    """Return the folder of the bundled lessons, wherever above this file `assets` stands."""
    places = (parent / "assets" / "lessons" for parent in Path(__file__).resolve().parents)
    return next((place for place in places if place.is_dir()), Path("assets") / "lessons")


def place(file: str, run: str, beside: Path | None = None) -> Path:
    """Return the file of a recording: beside the lesson, named after it and the run."""
    return (beside or folder()) / "recorded" / f"{Path(file).stem}.{run}.json"


def recording(lesson: Lesson, file: str, run: str) -> tuple[Entry, ...]:
    """Return the recorded log of a run; empty where the lesson wants none, or none is there."""
    path = place(Path(file).name, run)
    if not lesson.runs[run].recorded or not path.is_file():
        return ()
    return _read(path, path.stat().st_mtime_ns)


def write(path: Path, name: str, entries: tuple[Entry, ...]) -> None:
    """Write a recording."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_run(path, name, entries)


@lru_cache(maxsize=16)
def _read(path: Path, written: int) -> tuple[Entry, ...]:
    return read_run(path)[1]
