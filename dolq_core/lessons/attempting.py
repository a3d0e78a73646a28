"""One learner's way through a lesson: what was answered, which runs belong to it, where it stands.

Kept beside the database of runs, one file for each way, one line for each event; nothing is ever rewritten, and the
first answer to a question is the one that counts. The file holds the lesson's own text: it opens as it was begun, also
when the lesson was changed since, or was a teacher's file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import TypeAlias, cast

from dolq_core import runs
from dolq_core.errors import DolqError, StoreError
from dolq_core.lessons.format import Lesson
from dolq_core.lessons.reading import read, read_again
from dolq_core.ports import LOCAL
from dolq_core.store import codec
from dolq_core.store.rules import new_id

ID = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Opened:
    """The first line: the lesson's file, by name and with all of its text."""

    file: str
    source: str


@dataclass(frozen=True, slots=True)
class Ran:
    """A run of the lesson was begun in the store."""

    name: str
    run: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """The button of a step was pressed: the run is to reach `goal` iterations."""

    step: int
    goal: int


@dataclass(frozen=True, slots=True)
class Done:
    """What a step does is done; the run had so many entries then."""

    step: int
    entries: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the question of a step: the number of an option, a number, or a word; empty: "I do not know"."""

    step: int
    value: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The learner went to a step."""

    step: int


Event: TypeAlias = Opened | Ran | Pressed | Done | Answer | Moved
_EVENT = cast(type[Event], Event)  # a union of records, which has no type of its own


@dataclass(frozen=True, slots=True)
class Attempt:
    """Where a learner stands: the fold of the events.

    Attributes:
        id: empty for a way that is kept nowhere, such as that of a check.
        lesson: as it was when the way was begun.
        owner: whose way it is.
        step: the step that is open, from 0; furthest: the last one that was.
        runs: ids in the store by the names in the lesson.
        goals, done, answers: by step.
    """

    id: str
    file: str
    source: str
    lesson: Lesson = field(repr=False)
    owner: str = LOCAL
    step: int = 0
    furthest: int = 0
    runs: Mapping[str, str] = field(default_factory=dict[str, str])
    goals: Mapping[int, int] = field(default_factory=dict[int, int])
    done: Mapping[int, int] = field(default_factory=dict[int, int])
    answers: Mapping[int, str] = field(default_factory=dict[int, str])


def folder(owner: str = LOCAL) -> Path:
    """Return the folder of an owner's ways through lessons, beside the database of runs."""
    return runs.owner_folder("lessons", owner)


def begin(file: str, content: bytes, owner: str = LOCAL) -> Attempt:
    """Begin a lesson anew and return the way at its first step; raise LessonError or StoreError."""
    read(content, file)
    name = new_id()
    _write(name, Opened(file, content.decode("utf-8-sig")), owner)
    return attempt(name, owner)


def attempt(name: str, owner: str = LOCAL) -> Attempt:
    """Return where a way through a lesson stands; raise StoreError when there is none of this id."""
    path = folder(owner) / f"{name}.jsonl"
    if not ID.fullmatch(name) or not path.is_file():
        raise StoreError(f"The lesson {name!r}", "it was not begun on this computer", "Open one from the list.")
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    events = [codec.from_json(_EVENT, line) for line in lines if line.endswith("}")]  # the last may be half written
    first = events[0] if events else None
    if not isinstance(first, Opened):
        raise StoreError(f"The lesson {name!r}", "its file is damaged", "Begin it anew from the list.")
    begun = Attempt(name, first.file, first.source, read_again(first.source, first.file), owner)
    return reduce(_after, events[1:], begun)


def keep(now: Attempt, event: Event) -> Attempt:
    """Add an event and return where the way stands then, by its file: another tab may go the same way."""
    if not now.id:
        return _after(now, event)
    _write(now.id, event, now.owner)
    return attempt(now.id, now.owner)


def attempts(most: int, owner: str = LOCAL) -> tuple[Attempt, ...]:
    """Return the ways of an owner that were gone on with last, the newest first; damaged ones are left out."""
    paths = sorted(folder(owner).glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    return tuple(way for way in (_readable(path.stem, owner) for path in paths[:most]) if way is not None)


def _readable(name: str, owner: str) -> Attempt | None:
    try:
        return attempt(name, owner)
    except DolqError:
        return None


def _write(name: str, event: Event, owner: str) -> None:
    path = folder(owner) / f"{name}.jsonl"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(codec.to_json(event) + "\n")
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> StoreError:
    """Return the error for a file that its place does not take."""
    return StoreError(f"The file {path}", f"it cannot be written ({error.strerror})", "Make room there.")


def _after(now: Attempt, event: Event) -> Attempt:
    match event:
        case Opened():
            return now
        case Ran(name, run):
            return replace(now, runs={**now.runs, name: run})
        case Pressed(step, goal):
            return replace(now, goals={**now.goals, step: goal})
        case Done(step, entries):
            return replace(now, done={step: entries, **now.done})
        case Answer(step, value):
            return replace(now, answers={step: value, **now.answers})
        case Moved(step):
            return replace(now, step=step, furthest=max(step, now.furthest))


def entries_at(now: Attempt, run: str) -> int | None:
    """Return how many entries a run had when the open step was done with it; None: the run as it stands."""
    steps = now.lesson.steps[: now.step + 1]
    acts = [k for k, step in enumerate(steps) if step.act and now.lesson.run_name(step) == run]
    return now.done.get(acts[-1]) if acts else 1
