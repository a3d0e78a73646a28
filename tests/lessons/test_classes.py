"""A class: a place for each behind one link, answers together, nothing left when it is cleared."""

import csv
import io
import zipfile

import pytest

from dolq_core import runs
from dolq_core.errors import DolqError
from dolq_core.lessons import attempting, classes, walking
from tests.lessons.test_reading import GOOD


@pytest.fixture
def room() -> classes.Class:
    return classes.open_class("mine.toml", GOOD.encode())


def gone_through(room: classes.Class, said: str, name: str = "") -> classes.Place:
    """Take a place, answer the first question, and do the iteration of the second step."""
    place = classes.join(room, name)
    owner = classes.owner_of(room.id, place.id)
    way = walking.answer(attempting.attempt(place.way, owner), said)
    store = runs.open_store(room.database, owner)
    way = walking.press(store, walking.move(way, 1))
    runs.step_once(store, way.runs["first"])
    return place


def test_each_who_joins_has_a_place_of_their_own(room):
    first, second = classes.join(room, "Ada"), classes.join(room)
    walking.answer(attempting.attempt(first.way, classes.owner_of(room.id, first.id)), "2")
    (other,) = (way for way in classes.ways(room) if way.id == second.way)
    assert other.answers == {}
    assert {place.name for place in classes.places(room)} == {"Ada", ""}
    with pytest.raises(DolqError, match="was not begun"):
        attempting.attempt(first.way, classes.owner_of(room.id, second.id))


def test_answers_are_counted_and_leave_without_names(room):
    for said, name in (("1", "Ada"), ("2", "Emmy"), ("2", ""), ("", "Sofia")):
        place = classes.join(room, name)
        walking.answer(attempting.attempt(place.way, classes.owner_of(room.id, place.id)), said)
    classes.join(room, "Late")
    assert classes.tally(room, 0) == classes.Tally(0, {"": 1, "1": 1, "2": 2}, 5)
    table = classes.answers_table(room)
    assert next(csv.reader(io.StringIO(table))) == ["step 1"]
    assert sorted(table.split("\n")[1:-1]) == ['""', "1", "2", "2", "I do not know"]
    assert not {"Ada", "Emmy", "Sofia", "Late"} & set(table.replace("\n", " ").split())


def test_runs_lie_in_the_classs_own_database_and_leave_as_bundles(room):
    place = gone_through(room, "2", "Ada")
    assert runs.list_runs(runs.open_store()) == ()
    assert len(runs.list_runs(runs.open_store(room.database, classes.owner_of(room.id, place.id)))) == 1
    assert runs.list_runs(runs.open_store(room.database, "somebody else")) == ()
    archive = zipfile.ZipFile(io.BytesIO(classes.runs_archive(room)))
    assert archive.namelist() == ["01 first.zip"]
    assert b"Ada" not in archive.read("01 first.zip")


def test_a_class_that_is_cleared_leaves_nothing(room):
    place = gone_through(room, "2")
    beside = runs.default_database().parent
    assert [path for path in beside.rglob("*") if place.way in path.name]
    classes.clear(room)
    assert [path for path in beside.rglob("*") if place.way in path.name or room.id in path.name] == []
    assert not classes.has_key(room.id, room.key)
    with pytest.raises(DolqError, match="it is over"):
        classes.class_of(room.id)


def test_a_key_is_good_for_its_own_class(room):
    other = classes.open_class("mine.toml", GOOD.encode())
    assert classes.has_key(room.id, room.key)
    assert not classes.has_key(other.id, room.key)
    assert not classes.has_key("../" + room.id, room.key)


def test_what_is_revealed_stays_so_and_a_full_class_says_so(room):
    assert classes.reveal(room, 0).revealed == (0,)
    assert classes.reveal(room, 0).revealed == (0,)
    assert classes.class_of(room.id).revealed == (0,)
    classes.join(room)
    with pytest.raises(DolqError, match="it is full"):
        classes.join(room, most=1)


@pytest.mark.parametrize("name", ["", "../../etc", "0123456789ab"])
def test_an_address_that_names_no_class_is_refused(name):
    with pytest.raises(DolqError, match="it is over, or never was"):
        classes.class_of(name)
    with pytest.raises(DolqError, match="the class is over"):
        classes.place_of(name, name)
