"""The wheel holds all that the program needs, and the core runs without what the extras bring."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement
from packaging.version import Version

from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.cli import main
from dolq_core.records import Settings
from dolq_core.version import VERSION
from tests.e2e.server import served

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
WITHOUT = """
import sys
from importlib.machinery import PathFinder
class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.split(".")[0] in {names} else super().find_spec(name, path, target)
sys.meta_path[sys.meta_path.index(PathFinder)] = Without
from dolq_core import runs
from dolq_core.bundled import load_bundled
from dolq_core.cli import main
from dolq_core.records import Settings
main(prog_name="dolq")
"""
OF_EXTRAS = ("streamlit", "plotly", "starlette", "openai", "google", "httpx2", "distributed", "sklearn", "sympy")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with what a wheel of this tree unpacks to."""
    place = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "-w", str(place), str(ROOT)], check=True, capture_output=True)
    (wheel,) = place.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(place / "site")
    return place / "site"


def command(installed, tmp_path, *words):
    """What a command of the wheel prints, where the packages of the extras are not there."""
    environment = os.environ | {"PYTHONPATH": str(installed), "DOLQ_DB": str(tmp_path / "runs.db")}
    code = [sys.executable, "-c", WITHOUT.format(names=OF_EXTRAS), *words]
    return subprocess.run(code, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)


def test_the_wheel_alone_finds_the_law_of_the_yeast(installed, tmp_path):
    done = command(installed, tmp_path, "discover", "yeast")
    assert done.returncode == 0, done.stderr
    assert "d yeast / d hour = 0.547 yeast - 0.000825 yeast**2" in done.stdout


def test_a_lesson_and_the_suites_are_in_the_wheel(installed, tmp_path):
    assert "all as the lesson says" in command(installed, tmp_path, "lesson", "check", "yeast").stdout
    assert "textbook" in command(installed, tmp_path, "bench", "list").stdout


@pytest.mark.parametrize(
    ("words", "extra", "status"),
    [(("app",), "dolq[app]", 2), (("discover", "yeast", "--agents", "ollama", "--model", "x"), "dolq[llm]", 4)],
)
def test_what_an_extra_brings_is_named_where_it_is_missing(installed, tmp_path, words, extra, status):
    done = command(installed, tmp_path, *words)
    assert done.returncode == status
    assert f"pip install '{extra}'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_app_starts_from_the_wheel_and_draws_its_pages(installed, tmp_path):
    app = installed / "dolq_core" / "app"
    code = f"""
import os, sys
sys.path.insert(0, {str(app)!r})
from streamlit.testing.v1 import AppTest
drawn = AppTest.from_file({str(app / "app.py")!r}, default_timeout=120).run()
for name in ("data", "lessons", "benchmarks"):
    drawn.switch_page(f"pages/{{name}}/page.py").run()
    assert not drawn.exception and len(drawn.main), name
print(sys.modules["dolq_core"].__file__, flush=True)
os._exit(0)
"""
    environment = os.environ | {"PYTHONPATH": str(installed), "DOLQ_DB": str(tmp_path / "runs.db")}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == str(installed / "dolq_core" / "__init__.py"), done.stderr
    with served(tmp_path / "runs.db", app, profile={"PYTHONPATH": str(installed)}):
        pass  # raises where the server does not answer


def test_no_name_of_the_wheel_is_a_common_one(installed):
    assert {path.name for path in installed.iterdir()} == {"dolq_core", "lab", f"dolq-{VERSION}.dist-info"}


def test_the_version_is_said_once(installed, tmp_path):
    assert CliRunner().invoke(main, ["--version"]).output == f"dolq, version {VERSION}\n"
    assert not re.search(r"\d\.\d", str(PROJECT.get("version", "")))


def test_the_core_and_its_extras_need_what_the_app_is_installed_with():
    """requirements.txt pins narrowly what pyproject.toml allows widely."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pinned = {one.name: one for line in lines if (one := requirement(line))}
    wide = {one.name: one for one in map(Requirement, [*PROJECT["dependencies"], *EXTRAS["app"], *EXTRAS["llm"]])}
    assert set(wide) == set(pinned)
    for name, one in wide.items():
        assert version(name) in one.specifier, name
        lowest = next(Version(part.version) for part in one.specifier if part.operator in (">=", "~="))
        assert lowest <= Version(next(iter(pinned[name].specifier)).version), name


def requirement(line):
    text = line.partition("#")[0].strip()
    return Requirement(text) if text else None


def test_nothing_of_the_core_is_capped():
    found = [
        one for one in map(Requirement, PROJECT["dependencies"]) if len(one.specifier) != 1 or ">=" not in str(one)
    ]
    assert found == []


def completed(words):
    """What a bash gets that asks how the last of these words may go on."""
    environment = {"_DOLQ_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    return CliRunner().invoke(main, [], prog_name="dolq", env=environment)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_complete(shell):
    done = CliRunner().invoke(main, ["completion", shell])
    assert done.exit_code == 0
    assert "_DOLQ_COMPLETE" in done.output


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("dolq disc", "discover"),
        ("dolq discover ye", "yeast"),
        ("dolq discover yeast --meth", "--method"),
        ("dolq export x --to pyt", "python"),
        ("dolq lesson check gl", "glider"),
    ],
)
def test_commands_sets_and_forms_are_completed(words, found):
    done = completed(words)
    assert found in [line.rpartition(",")[2] for line in done.output.splitlines()], done.output


def test_stored_runs_are_completed(tmp_path, monkeypatch):
    monkeypatch.setenv("DOLQ_DB", str(tmp_path / "runs.db"))
    store = runs.open_store()
    run = runs.start(store, load_bundled("yeast"), Settings())
    done = completed(f"dolq show {run[:4]}")
    assert done.output.splitlines() == [f"plain,{run}"]
