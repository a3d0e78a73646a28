"""What belongs to one person does not exist for another: every function that can name a run is tried by a neighbour."""

import inspect
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules

import pytest

import dolq_core.views
from dolq_core import lessons, runs
from dolq_core.bundled import load_bundled
from dolq_core.errors import StoreError
from dolq_core.jobs import Board
from dolq_core.jobs.worker import iterate
from dolq_core.ports import LOCAL
from dolq_core.records import Intervention
from dolq_core.views.comparison import kin
from dolq_core.views.files import export
from dolq_core.views.summary import summary
from lab import small
from lab.processes import Campaigns
from tests.app.scenes import scripted

ANN, BOB = "https://id.example 1", "https://id.example 2"
NO_SUCH_RUN = "there is no such run"


@pytest.fixture
def ann():
    return runs.open_store(owner=ANN)


@pytest.fixture
def bob():
    return runs.open_store(owner=BOB)


@pytest.fixture
def run(ann):
    """A run of Ann's that she has looked at from all sides, so that everything that can be remembered is."""
    made = scripted(ann, runs.start(ann, load_bundled("yeast")))
    (info,) = runs.list_runs(ann)
    summary(ann, info)
    runs.fork(ann, made.id, 1)
    kin(ann, runs.load(ann, made.id))
    return runs.load(ann, made.id)


REFUSED = {
    "auto": lambda store, run: runs.auto(store, run.id, 1),
    "fork": lambda store, run: runs.fork(store, run.id, 1),
    "intervene": lambda store, run: runs.intervene(store, run.id, Intervention(remark="mine")),
    "load": lambda store, run: runs.load(store, run.id),
    "recorded_run": lambda store, run: runs.recorded_run(store, run.id),
    "remove": lambda store, run: runs.remove(store, run.id),
    "rename": lambda store, run: runs.rename(store, run.id, "mine"),
    "step_once": lambda store, run: runs.step_once(store, run.id),
    "summary": lambda store, run: summary(store, info_of(run)),
    "take_back": lambda store, run: runs.take_back(store, run.id),
    "twin_of": lambda store, run: runs.twin_of(store, run.id),
}
"""Functions that are told a run: for a neighbour there is none."""
OWN = {"id_of", "import_run", "kin", "list_runs", "open_run", "start", "store_log", "try_model"}
"""Functions that take a store and name no run: what they make or list is the asker's own."""


def info_of(run):
    return next(info for info in runs.list_runs(runs.open_store(owner=ANN)) if info.id == run.id)


def test_every_function_that_takes_the_store_or_names_a_run_is_tried_here():
    """A new public function is added to REFUSED or OWN, with its check."""
    views = [import_module(f"{dolq_core.views.__name__}.{one.name}") for one in iter_modules(dolq_core.views.__path__)]
    found = {}
    for room in (runs, small, *views):
        for name, one in inspect.getmembers(room, inspect.isfunction):
            if name in getattr(room, "__all__", (name,)) and not name.startswith("_"):
                found[name] = {p.name: str(p.annotation) for p in inspect.signature(one).parameters.values()}
    takes_store = {name for name, asked in found.items() if "store" in asked}
    assert takes_store == set(REFUSED) | OWN
    names_a_run = {
        name for name, asked in found.items() if asked.get("run") == str(str) or asked.get("info") or asked.get("owner")
    }
    told_the_owner = {"folder", "info", "logs", "open_standby", "open_store", "owner_folder", "stored", "tables"}
    assert names_a_run - takes_store == told_the_owner, "it names a run, and does not say who asks"


@pytest.mark.parametrize("name", REFUSED)
def test_a_neighbour_is_told_that_there_is_no_such_run(name, bob, run):
    for store in (bob, runs.open_store()):
        with pytest.raises(StoreError, match=NO_SUCH_RUN):
            REFUSED[name](store, run)
    again = runs.load(runs.open_store(owner=ANN), run.id)
    assert (again.name, again.entries) == (run.name, run.entries)


def test_lists_hold_what_is_ones_own(ann, bob, run):
    assert runs.list_runs(bob) == ()
    assert len(runs.list_runs(ann)) == 2
    own = runs.load(bob, runs.start(bob, run.state.problem))
    assert kin(bob, own) == (), "Ann's run begins as Bob's does, and he is not told"


def test_a_neighbours_run_has_no_name_here(ann, bob, run):
    """Nor does it make a name that two of us use ambiguous."""
    runs.rename(ann, run.id, "Ours")
    (fork,) = (info.id for info in runs.list_runs(ann) if info.id != run.id)
    runs.rename(ann, fork, "hers")
    assert runs.id_of(ann, "ours") == run.id
    assert runs.id_of(bob, "ours") == "ours", "as it was said: no run of his is called so"
    own = runs.start(bob, run.state.problem)
    runs.rename(bob, own, "Ours")
    assert (runs.id_of(ann, "ours"), runs.id_of(bob, "ours")) == (run.id, own)


def test_what_is_imported_belongs_to_who_imports_it_and_leaves_the_other_alone(ann, bob, run):
    bundle = export(run, "bundle").content
    mine = runs.import_run(bob, bundle)
    assert mine != run.id
    assert [info.id for info in runs.list_runs(bob)] == [mine]
    runs.intervene(bob, mine, Intervention(remark="Bob's"))
    assert runs.load(ann, run.id).entries == run.entries


def test_a_job_is_known_to_its_owner_alone(database, bob, run):
    board = Board()
    try:
        board.start(database.parent / "default.db", run.id, len(run.entries), "auto", owner=ANN)
        for owner in (BOB, LOCAL):
            board.stop(run.id, owner)
            board.pause(run.id, owner)
            board.forget(run.id, owner)
            assert board.snapshot(run.id, owner) is None
        assert board.snapshot(run.id, ANN).wanted == "go"
    finally:
        board.close()


def test_every_method_of_the_board_that_names_a_run_is_told_who_asks():
    asked = {
        name: set(inspect.signature(one).parameters)
        for name, one in inspect.getmembers(Board, inspect.isfunction)
        if not name.startswith("_")
    }
    assert {name for name, names in asked.items() if "run" in names and "owner" not in names} == set()
    assert {name for name, names in asked.items() if "run" in names} == {"forget", "pause", "snapshot", "start", "stop"}
    assert "run" not in {name for one in vars(Campaigns) for name in one.split("_")}


def test_a_worker_finds_no_run_of_another_owner(database, run):
    said = []
    asked = {"database": str(database.parent / "default.db"), "run": run.id, "at": len(run.entries), "keys": []}
    iterate({**asked, "owner": BOB}, said.append)
    assert [one["kind"] for one in said] == ["failed"]
    assert NO_SUCH_RUN in said[0]["words"]


def test_ways_through_lessons_belong_to_who_began_them():
    one = lessons.bundled()[0]
    way = lessons.begin(one.path.name, one.path.read_bytes(), ANN)
    assert lessons.attempts(9, ANN) == (way,)
    assert lessons.attempts(9, BOB) == lessons.attempts(9) == ()
    assert lessons.attempt(way.id, ANN) == way
    for owner in (BOB, LOCAL):
        with pytest.raises(StoreError, match="was not begun"):
            lessons.attempt(way.id, owner)
    moved = lessons.move(way, 0)
    assert moved.owner == ANN
    with pytest.raises(StoreError, match="was not begun"):
        lessons.attempt(replace(way, owner=BOB).id, BOB)


def test_campaigns_lie_in_a_folder_of_their_owner():
    folder = small.folder(ANN) / "mine"
    folder.mkdir(parents=True)
    (folder / "tasks.jsonl").write_text("")
    assert [info.name for info in small.stored(ANN)] == ["mine"]
    assert small.stored(BOB) == small.stored() == ()
    assert small.folder().name == "campaigns", "where it was before there were owners"
    for name in ("../mine", "/etc", "a/b", "..", ""):
        with pytest.raises(StoreError, match="no name of a campaign"):
            small.info(name, ANN)
    for owner in ("../../etc", "a/b", "\0", "x" * 5000):
        inside = runs.owner_folder("campaigns", owner).relative_to(runs.default_database().parent)
        assert (inside.parts[0], len(inside.parts[1])) == ("owners", 32), "no name of a person is a path"
