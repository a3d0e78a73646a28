"""A class: one link to a lesson, a fresh place for each who follows it, answers together, cleared in one go.

Each place is an owner of its own: its runs, its way through the lesson and what it may use are nobody else's, and the
runs lie in a database of the class. All of it is one folder beside the teacher's database.
"""

import csv
import hmac
import io
import secrets
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dolq_core import runs
from dolq_core.errors import DolqError, StoreError
from dolq_core.lessons.attempting import ID, Attempt, attempt, begin, folder, unwritable
from dolq_core.lessons.format import Lesson
from dolq_core.lessons.reading import read, read_again
from dolq_core.ports import LOCAL
from dolq_core.store import codec
from dolq_core.store.codec import Record
from dolq_core.store.rules import new_id
from dolq_core.views.files import export

MOST: Final = 60
"""Places of one class."""
NAMED: Final = 40
"""Letters of a name."""


@dataclass(frozen=True, slots=True)
class Class:
    """One lesson for one room.

    Attributes:
        key: who has it may take a place.
        owner: who teaches.
        file, source: the lesson.
        revealed: steps whose answers are told.
    """

    id: str
    key: str
    owner: str
    file: str
    source: str
    revealed: tuple[int, ...] = ()

    @property
    def lesson(self) -> Lesson:
        """Return the lesson of the class."""
        return read_again(self.source, self.file)

    @property
    def database(self) -> Path:
        """Return the database with the runs of all places."""
        return _folder(self.id) / "runs.db"


@dataclass(frozen=True, slots=True)
class Place:
    """One learner's place. name: as they gave it, or empty; way: the id of their way through the lesson."""

    id: str
    name: str
    way: str


@dataclass(frozen=True, slots=True)
class Tally:
    """What was answered to the question of a step.

    Attributes:
        answers: how often each answer was given, "I do not know" as an empty one.
        present: places there are.
    """

    step: int
    answers: Mapping[str, int]
    present: int


def _folder(name: str) -> Path:
    return runs.owner_folder("classes") / name


def owner_of(room: str, place: str) -> str:
    """Return the owner that a place of a class is."""
    return f"class {room} {place}"


def open_class(file: str, content: bytes, owner: str = LOCAL) -> Class:
    """Begin a class on a lesson; raise LessonError or StoreError."""
    read(content, file)
    made = Class(new_id(), secrets.token_urlsafe(9), owner, file, content.decode("utf-8-sig"))
    (_folder(made.id) / "places").mkdir(parents=True, exist_ok=True)
    _write(made)
    return made


def class_of(name: str) -> Class:
    """Return a class by its id; raise StoreError when there is none, or it was cleared."""
    return _kept(Class, f"The class {name!r}", "it is over, or never was", name, "class.json")


def taught_by(owner: str) -> tuple[Class, ...]:
    """Return the classes that somebody teaches, the newest first."""
    paths = sorted(_folder("").glob("*/class.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    return tuple(one for one in (class_of(path.parent.name) for path in paths) if one.owner == owner)


def has_key(name: str, key: str) -> bool:
    """Whether this is the key of a class that is going on."""
    try:
        return hmac.compare_digest(class_of(name).key.encode(), key.encode())
    except DolqError:
        return False


def join(room: Class, name: str = "", most: int = MOST) -> Place:
    """Take a fresh place, at the first step of the lesson; raise StoreError when the class is full."""
    if len(places(room)) >= most:
        raise StoreError("The class", f"it is full: it has {most} places", "Ask the teacher.")
    made = new_id()
    way = begin(room.file, room.source.encode(), owner_of(room.id, made))
    place = Place(made, " ".join(name.split())[:NAMED], way.id)
    _put(_folder(room.id) / "places" / f"{made}.json", codec.to_json(place))
    return place


def place_of(room: str, name: str) -> Place:
    """Return a place by its id; raise StoreError when there is none."""
    file = f"places/{name if ID.fullmatch(name) else ''}.json"
    return _kept(Place, "The place", "the class is over, or it never was", room, file)


def places(room: Class) -> tuple[Place, ...]:
    """Return all places, in the order of their ids, which says nothing of who came when."""
    return tuple(place_of(room.id, path.stem) for path in sorted((_folder(room.id) / "places").glob("*.json")))


def ways(room: Class) -> tuple[Attempt, ...]:
    """Return where each place stands."""
    return tuple(attempt(place.way, owner_of(room.id, place.id)) for place in places(room))


def reveal(room: Class, step: int) -> Class:
    """Tell all places the answer of a step from now on."""
    now = class_of(room.id)
    now = replace(now, revealed=tuple(sorted({*now.revealed, step})))
    _write(now)
    return now


def tally(room: Class, step: int, now: Sequence[Attempt] | None = None) -> Tally:
    """Count the answers to the question of a step; now: `ways`, where they are known."""
    found = ways(room) if now is None else now
    said = [way.answers[step] for way in found if step in way.answers]
    return Tally(step, {value: said.count(value) for value in sorted(set(said))}, len(found))


def answers_table(room: Class) -> str:
    """Return all answers as CSV without names: a row a place, in no order that says who it is, a column a question."""
    asked = [number for number, step in enumerate(room.lesson.steps) if step.ask is not None]
    rows = sorted([_said(way, number) for number in asked] for way in ways(room))
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([f"step {number + 1}" for number in asked])
    table.writerows(rows)
    return text.getvalue()


def _said(way: Attempt, step: int) -> str:
    said = way.answers.get(step)
    return "" if said is None else said or "I do not know"


def runs_archive(room: Class) -> bytes:
    """Return the runs of all places as bundles in one ZIP file, numbered and without names."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for number, way in enumerate(sorted(ways(room), key=lambda way: sorted(way.runs.values())), 1):
            store = runs.open_store(room.database, way.owner)
            for name, run in sorted(way.runs.items()):
                archive.writestr(f"{number:02d} {name}.zip", export(runs.load(store, run), "bundle").content)
    return packed.getvalue()


def clear(room: Class) -> None:
    """End a class: its places, their answers and their runs are gone."""
    for place in places(room):
        shutil.rmtree(folder(owner_of(room.id, place.id)).parent, ignore_errors=True)
    shutil.rmtree(_folder(room.id), ignore_errors=True)


def _kept(of: type[Record], thing: str, over: str, room: str, file: str) -> Record:
    try:
        if ID.fullmatch(room):
            return codec.from_json(of, (_folder(room) / file).read_text(encoding="utf-8"))
    except OSError:
        pass
    raise StoreError(thing, over, "Ask for the link.")


def _write(room: Class) -> None:
    _put(_folder(room.id) / "class.json", codec.to_json(room))


def _put(path: Path, text: str) -> None:
    """Write a file whole or not at all: it is read by others meanwhile."""
    beside = path.with_suffix(f".{new_id()}")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
