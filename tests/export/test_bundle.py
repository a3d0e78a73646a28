"""A bundle holds everything and comes back as the same run; what is no bundle is refused before anything is stored."""

import io
import json
import zipfile
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest
from click.testing import CliRunner

from dolq_core import runs
from dolq_core.arrays import frozen
from dolq_core.bundled import load_bundled
from dolq_core.cli import main
from dolq_core.errors import THIN, DolqError
from dolq_core.records import FamilyKey, FamilyNote, Intervention, Override, TermKey, TermNote, Undo
from dolq_core.store.files import run_text
from dolq_core.store.memory import MemoryStore
from dolq_core.views.files import TARGETS, export
from dolq_core.views.summary import result
from tests.app.scenes import disputed
from tests.every import every
from tests.export.laws import LAWS, NASTY


def lived():
    """A run in which a person spoke, took something back and was paused, with data that have gaps."""
    store = runs.open_store()
    run = disputed(2, "Growth, =1+1")
    said = Intervention(
        reason="@home",
        overrides=(Override(TermKey(0, "x"), "keep", "=cmd|' /C calc'!A0", "keep", "good"),),
        ban=(TermNote(TermKey(0, "x**3"), NASTY),),
        ban_families=(FamilyNote(FamilyKey(0, "ratio"), "no"),),
        insight="It rests.",
    )
    runs.intervene(store, run, said)
    runs.intervene(store, run, Intervention(remark="-2 is a remark"))
    runs.take_back(store, run)
    return runs.load(store, run)


def bundle(run):
    return export(run, "bundle").content


def test_a_bundle_comes_back_as_the_same_run():
    run = lived()
    store = MemoryStore()
    again = runs.load(store, runs.import_run(store, bundle(run)))
    assert again.name == run.name
    assert again.entries == run.entries
    assert again.state == run.state
    assert result(again) == result(run)
    assert any(isinstance(entry, Undo) for entry in again.entries)


def test_a_run_with_inputs_and_odd_names_comes_back_and_is_packed_to_the_same_bytes():
    run = LAWS["awkward"]()
    store = MemoryStore()
    again = runs.load(store, runs.import_run(store, bundle(run)))
    assert again.entries == run.entries
    assert bundle(again) == bundle(run)


def test_the_bundle_holds_every_target_and_says_what_each_is():
    packed = zipfile.ZipFile(io.BytesIO(bundle(lived())))
    names = packed.namelist()
    assert names[:2] == ["bundle.json", "run.json"]
    assert {"README.txt", "requirements.txt", "Logistic.tex", "Logistic_python.py", "Logistic.jl"} <= set(names)
    assert len(names) == len(TARGETS) - 2 + 4  # without itself and without calls, for there were none
    card = json.loads(packed.read("bundle.json"))
    assert card["schema"] == "dolq-bundle/1"
    assert {name: sha256(packed.read(name)).hexdigest() for name in names[1:]} == card["files"]
    assert "numpy==" + np.__version__ in packed.read("requirements.txt").decode().splitlines()
    assert every(name in packed.read("README.txt").decode() for name in names[1:-1])


def test_a_run_without_an_equation_is_bundled_too():
    store = runs.open_store()
    run = runs.load(store, runs.start(store, load_bundled("yeast")))
    assert runs.load(store, runs.import_run(store, bundle(run))).entries == run.entries


def test_a_recorded_run_is_taken_too():
    run, store = lived(), MemoryStore()
    text = run_text(run.name, run.entries).encode()
    assert runs.load(store, runs.import_run(store, text)).entries == run.entries


def test_the_command_line_exports_and_imports(tmp_path):
    run, db, file = lived(), str(tmp_path / "other.db"), tmp_path / "run.zip"
    file.write_bytes(bundle(run))
    done = CliRunner().invoke(main, ["import", str(file), "--db", db])
    assert done.exit_code == 0, done.output
    found = runs.load(runs.open_store(tmp_path / "other.db"), done.output.split()[1].strip(":"))
    assert found.entries == run.entries
    file.write_bytes(b"PK not a zip")
    done = CliRunner().invoke(main, ["import", str(file), "--db", db])
    assert (done.exit_code, done.output.startswith("Error: The bundle: it cannot be unpacked")) == (2, True)


def test_what_is_imported_where_it_is_already_is_said_to_be_a_copy(tmp_path):
    run, db, file = lived(), tmp_path / "other.db", tmp_path / "run.zip"
    file.write_bytes(bundle(run))
    first, second = (CliRunner().invoke(main, ["import", str(file), "--db", str(db)]).output for _ in range(2))
    id_ = first.split()[1].strip(":")
    assert "It is a copy" not in first
    assert f"It is a copy: the run {id_}, {run.name}, has the same log." in second
    store = runs.open_store(db)
    runs.step_once(store, id_)
    assert runs.twin_of(store, id_) is None, "it has gone on"


def test_two_runs_on_which_nothing_was_done_are_no_copies():
    store = MemoryStore()
    first, _ = (runs.start(store, load_bundled("yeast")) for _ in range(2))
    assert runs.twin_of(store, first) is None


def zipped(files, flags=0, attributes=0):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = attributes
            packed.writestr(entry, content)
    return out.getvalue()


def card(log, schema="dolq-bundle/1"):
    return json.dumps({"schema": schema, "name": "", "files": {"run.json": sha256(log).hexdigest()}})


def with_log(log, schema="dolq-bundle/1"):
    return zipped([("bundle.json", card(log, schema)), ("run.json", log)])


EMPTY = b'{"schema": "dolq-run/1", "entries": []}'
REFUSED = {
    "nothing": (b"", "cannot be read as a recorded run"),
    "no zip": (b"PK\x03\x04 and so on", "cannot be unpacked"),
    "another zip": (zipped([("a.txt", "a")]), "no bundle.json, so it is no bundle"),
    "path up": (zipped([("../run.json", EMPTY)]), "a bundle has no folders"),
    "absolute path": (zipped([("/etc/passwd", "x")]), "a bundle has no folders"),
    "folder": (zipped([("a/run.json", EMPTY)]), "a bundle has no folders"),
    "backslash": (zipped([("..\\run.json", EMPTY)]), "a bundle has no folders"),
    "drive": (zipped([("C:run.json", EMPTY)]), "a bundle has no folders"),
    "link": (zipped([("run.json", "/etc/passwd")], attributes=0o120777 << 16), "is a link"),
    "two of one name": (zipped([("run.json", EMPTY), ("RUN.json", EMPTY)]), "two files of one name"),
    "many files": (zipped([(f"f{n}", "") for n in range(101)]), "101 files, and 100 is the limit"),
    "no log": (zipped([("bundle.json", card(EMPTY))]), "it has no run.json"),
    "card of another shape": (zipped([("bundle.json", "[1]"), ("run.json", EMPTY)]), "its schema is 'None'"),
    "card that is nested without end": (zipped([("bundle.json", "[" * 100_000), ("run.json", "")]), "is damaged"),
    "newer": (with_log(EMPTY, "dolq-bundle/2"), "update the program"),
    "changed log": (
        zipped([("bundle.json", card(b"other")), ("run.json", EMPTY)]),
        "the file is damaged or was changed",
    ),
    "empty log": (with_log(EMPTY), "a log begins with its only start"),
    "log of another kind": (with_log(b'{"schema": "x"}'), "it is no recorded run"),
    "log that is nested without end": (with_log(b"[" * 100_000), "cannot be read as a recorded run"),
    "log with NaN": (with_log(b'{"schema": "dolq-run/1", "entries": [NaN]}'), "NaN is not JSON"),
    "array that fills the memory": (
        with_log(b'{"schema": "dolq-run/1", "entries": [{"shape": [99999999, 9], "zlib": ""}]}'),
        f"numbers, and 16{THIN}777{THIN}216 is the limit",
    ),
    "array of a negative size": (
        with_log(b'{"schema": "dolq-run/1", "entries": [{"shape": [-1, 9], "zlib": ""}]}'),
        "is the limit",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_bundle_is_refused_in_words_and_nothing_is_stored(name):
    content, said = REFUSED[name]
    store = MemoryStore()
    with pytest.raises(DolqError, match="The bundle: ") as refused:
        runs.import_run(store, content)
    assert said in str(refused.value)
    assert not store.runs()


def test_a_file_that_grows_when_it_is_unpacked_is_given_up_at_its_limit(monkeypatch):
    monkeypatch.setattr("dolq_core.export.bundle.MOST_LOG", 1000)
    log = b" " * 10_000_000
    with pytest.raises(DolqError, match=r"run.json in it is larger than"):
        runs.import_run(MemoryStore(), with_log(log))


def test_a_file_with_a_password_is_refused():
    content = bytearray(with_log(EMPTY))
    for place in (content.find(b"PK\x01\x02") + 8, content.find(b"PK\x03\x04") + 6):
        content[place] |= 1
    with pytest.raises(DolqError, match="has a password"):
        runs.import_run(MemoryStore(), bytes(content))


def changed(entries, **parts):
    """The log with other data; nothing else of it is changed."""
    first = entries[0]
    dataset = replace(first.problem.dataset, **parts)
    return (replace(first, problem=replace(first.problem, dataset=dataset)), *entries[1:])


def hostile():
    entries = disputed_entries()
    dataset = entries[0].problem.dataset
    (state,), (run,) = dataset.states, dataset.trajectories
    done = entries[1]
    odd = replace(done.attempt[0].terms[0], skeleton="__import__('os')")
    far = replace(done.verdicts[0], key=TermKey(7, "x"))
    short = replace(done.attempt[0].terms[0], skeleton="x/(params[0] + x)")
    attempt = done.attempt[0]
    return {
        "is no plain name": changed(entries, states=(replace(state, symbol="x; import os"),)),
        "share a symbol": changed(entries, states=(state, replace(state, name="y"))),
        "do not fit its columns": changed(entries, trajectories=(replace(run, x=frozen(np.zeros((3, 1)))),)),
        "time does not increase": changed(entries, trajectories=(replace(run, t=frozen(run.t[::-1].copy())),)),
        "Cannot read the term": (entries[0], replace(done, attempt=(replace(attempt, terms=(odd,)),))),
        "it speaks of equation 8": (entries[0], replace(done, verdicts=(far,))),
        "has 0 numbers inside": (entries[0], replace(done, attempt=(replace(attempt, terms=(short,)),))),
        "which the data do not have": (entries[0], Intervention(ban=(TermNote(TermKey(0, "y")),))),
        "has 0 equations": (entries[0], replace(done, attempt=())),
    }


def disputed_entries():
    return runs.load(runs.open_store(), disputed()).entries


@pytest.mark.parametrize("said", [
    "is no plain name", "share a symbol", "do not fit its columns", "time does not increase", "Cannot read the term",
    "it speaks of equation 8", "has 0 numbers inside", "which the data do not have", "has 0 equations",
])  # fmt: skip
def test_a_log_that_the_program_could_not_have_written_is_refused(said):
    store = MemoryStore()
    log = run_text("hostile", hostile()[said]).encode()
    with pytest.raises(DolqError, match="The bundle: ") as refused:
        runs.import_run(store, with_log(log))
    assert said in str(refused.value)
    assert not store.runs()
