"""A stranger's name stays a name: nothing is read or written where it points, and a download has a tame one."""

import ast
import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from dolq_core import lessons, runs
from dolq_core.bundled import load_bundled
from dolq_core.errors import DolqError
from dolq_core.lessons import recorded
from dolq_core.records import Settings
from dolq_core.store.files import run_text
from dolq_core.store.memory import MemoryStore
from dolq_core.views.files import TARGETS, file_name, keep_elsewhere
from lab import small
from pages.ui import new_run
from tests.every import every
from tests.loop.states import logistic_problem

LESSON = recorded.folder() / "yeast.toml"
TABLE = b"t,x\n" + b"".join(f"{k},{k * k}\n".encode() for k in range(12))
NAMES = {
    "path up": "../../../outside",
    "path up in the middle": "a/../../outside",
    "absolute": "/tmp/outside",
    "drive": "C:\\Windows\\outside",
    "drive without a path": "C:outside",
    "backslashes": "..\\..\\outside",
    "share": "\\\\server\\share\\outside",
    "device": "CON",
    "device with an ending": "nul.csv",
    "device with a number": "COM1",
    "device with a raised number": "LPT².txt",
    "NUL": "out\0side",
    "newline": "out\r\nContent-Type: text/html\r\n\r\nside",
    "escape": "\x1b]0;outside\x07",
    "from right to left": "run\u202evsc.exe",
    "invisible": "\u200b\u2066\ufeff",
    "half of a letter": "\ud83d",
    "leading dash": "-rf",
    "option": "--out=outside",
    "dot": ".",
    "two dots": "..",
    "many dots": "....",
    "hidden": ".bashrc",
    "blank": "   ",
    "empty": "",
    "long": "a" * 5000,
    "long in bytes": "\U0001f9ea" * 5000,
    "digits": "9" * 5000,
    "shell": "$(touch outside); `touch outside` | & %PATH% ~/x *?",
    "markup": '<img src=x onerror=alert(1)>"',
}
DEVICES = {"CON", "PRN", "AUX", "NUL"} | {f"{port}{n}" for port in ("COM", "LPT") for n in "123456789¹²³"}

every_name = pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)


@pytest.fixture(scope="module")
def run():
    store = MemoryStore()
    made = runs.start(store, logistic_problem(20), Settings(iterations=1))
    runs.step_once(store, made)
    return runs.load(store, made)


@pytest.fixture
def inside(tmp_path, monkeypatch):
    """The only folder that may change; the program's own files are in it."""
    folder = tmp_path / "a" / "b" / "inside"
    folder.mkdir(parents=True)
    monkeypatch.setenv("DOLQ_DB", str(folder / "runs.db"))
    monkeypatch.chdir(folder)
    yield folder
    assert [path for path in tmp_path.rglob("*") if path.is_file() and not path.is_relative_to(folder)] == []
    assert not Path("/tmp/outside").exists()


def tame(name):
    """Say whether every system takes this as the name of a file, and shows it as it is."""
    return (
        0 < len(name.encode()) <= 255
        and name.isprintable()
        and not set(name) & set('<>:"/\\|?*')
        and name[0] not in ".-~ "
        and name[-1] not in ". "
        and name.split(".")[0].strip().upper() not in DEVICES
    )


@every_name
def test_a_run_of_that_name_is_exported_as_a_tame_file(run, name, inside):
    named = replace(run, name=name)
    assert [target for target in TARGETS if not tame(file_name(named, target))] == []
    assert every(file_name(named, target).isascii() for target in TARGETS)


@every_name
def test_a_run_that_is_kept_elsewhere_stays_in_its_folder(run, name, inside):
    kept = keep_elsewhere(replace(run, name=name), [inside])
    assert kept is not None
    assert kept.parent == inside
    assert tame(kept.name)


@every_name
def test_a_download_is_called_something_tame(name):
    made = f"{runs.download_name(name, 'table')} clean.csv"
    assert tame(made)
    assert tame(f"{runs.download_name(name, 'lesson')}.toml")


def test_every_download_of_the_pages_is_named_by_these_two():
    asked = [
        ast.unparse(call.args[2])
        for file in (Path(runs.__file__).parents[2] / "pages").rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(".download_button")
    ]
    assert len(asked) >= 6
    assert [name for name in asked if "download_name(" not in name and "file_name(" not in name] == []


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Größe der Hefe, 2.", "Größe der Hefe, 2"),
        ("酵母 (30 °C)", "酵母 (30 °C)"),
        ("a/b/yeast", "yeast"),
        ("50% *sugar*", "50% _sugar_"),
        ("con", "run_con"),
        ("console", "console"),
        ("..", "table"),
    ],
)
def test_a_download_keeps_what_is_no_trick(name, made):
    assert runs.download_name(name, "table") == made


@every_name
def test_a_run_is_started_renamed_and_brought_in_under_one_line(run, name):
    store = MemoryStore()
    problem = run.entries[0].problem
    try:
        brought = runs.import_run(store, run_text(name, run.entries).encode("ascii"))
    except UnicodeEncodeError:
        pytest.fail("a log is ASCII whatever its name")
    made = [brought, runs.start(store, problem, name=name)]
    try:
        runs.rename(store, made[1], name)
    except DolqError as error:
        assert "it is empty" in str(error)  # noqa: PT017  either way is right
    for each in made:
        said = runs.load(store, each).name
        assert said
        assert said.isprintable()
        assert len(said) <= 200


@every_name
def test_an_uploaded_table_of_that_name_is_read_as_any_other(name, inside):
    given = new_run.upload_of([(name, TABLE), ("run 2.csv", TABLE), ("run 10.csv", TABLE)])
    assert [file for file, _ in given.files if file != name] == ["run 2.csv", "run 10.csv"]
    opened = runs.opened(((f"{name}.csv", TABLE),), "mark")
    assert opened.table is not None
    assert len(opened.table.rows) == 12


@every_name
def test_a_lesson_of_that_name_opens_nothing_but_itself(name, inside):
    begun = lessons.begin(name, LESSON.read_bytes())
    assert lessons.attempt(begun.id).source == LESSON.read_text(encoding="utf-8")
    lesson = begun.lesson
    kept = {key: replaced.model_copy(update={"recorded": True}) for key, replaced in lesson.runs.items()}
    wants = lesson.model_copy(update={"runs": kept})
    assert {recorded.recording(wants, name, key) for key in kept} == {()}


@every_name
def test_a_bundle_that_holds_a_file_of_that_name_is_refused(name):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        entry = zipfile.ZipInfo("name")
        entry.filename = name.encode("utf-8", "replace").decode()[:60_000]
        packed.writestr(entry, "x")
    with pytest.raises(DolqError):
        runs.import_run(MemoryStore(), out.getvalue())


@every_name
def test_no_address_of_that_name_finds_anything(name, inside):
    store = MemoryStore()
    for find in (
        lambda: runs.load(store, name),
        lambda: lessons.attempt(name),
        lambda: load_bundled(name),
        lambda: small.open_run(store, name, "task"),
    ):
        with pytest.raises((DolqError, KeyError)):
            find()
