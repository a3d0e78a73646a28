"""Packages that were exchanged on the way, and files that others on the machine can read."""

import re
import stat
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from dolq_core import runs
from dolq_core.bundled import load_bundled
from tests.every import every, none
from tests.lock import LOCKED, ROOT

SOURCES = {"container.txt": ("requirements.txt",), "ci.txt": ("requirements.txt", "requirements-dev.txt")}
_HASHES = r"(?:\n    --hash=sha256:[0-9a-f]{64}[^\n]*)+"
_PIN = re.compile(rf"^(?P<name>[\w.-]+)(?:\[[\w,.-]+\])?==(?P<version>[^ ;\\]+)[^\n]*{_HASHES}", re.M)


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "locked" / name).read_text(encoding="utf-8")
    found = {match["name"].lower(): match["version"] for match in _PIN.finditer(text)}
    assert len(re.findall("^[a-z]", text, re.M)) == len(list(_PIN.finditer(text))), "each has its hashes"
    return found


def present(name: str) -> bool:
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False


@pytest.mark.parametrize("name", LOCKED)
def test_every_requirement_is_locked_with_hashes_in_a_version_that_it_allows(name):
    locked = pins(name)
    for source in SOURCES[name]:
        for line in (ROOT / source).read_text(encoding="utf-8").splitlines():
            if re.match(r"\w", line):
                wanted = Requirement(line.split("#")[0])
                assert locked[wanted.name.lower()] in wanted.specifier, "Lock anew: python -m tests.lock"


@pytest.mark.parametrize("name", LOCKED)
def test_what_is_needed_with_an_extra_is_locked_with_it(name):
    """An older pip takes `a==1` for no pin of `a[b]`, and refuses the file as soon as there is an `a` 2."""
    text = (ROOT / "locked" / name).read_text(encoding="utf-8")
    named = [Requirement(line.split(";")[0].rstrip(" \\")) for line in re.findall("^[a-z][^\n]*", text, re.M)]
    locked = {one.name.lower(): one.extras for one in named}
    asked = [Requirement(line) for one in locked if present(one) for line in requires(one) or ()]
    plain = [one for one in asked if one.marker is None or one.marker.evaluate({"extra": ""})]
    wanted = [one for one in plain if one.extras and one.name.lower() in locked]
    assert wanted, "google-genai asks for google-auth[requests]"
    assert every(one.extras <= locked[one.name.lower()] for one in wanted), "Lock anew: python -m tests.lock"


def test_the_container_and_ci_install_what_is_locked_and_nothing_else():
    for place, file in (("Dockerfile", "container.txt"), (".ci/run", "ci.txt")):
        lines = (ROOT / place).read_text(encoding="utf-8").splitlines()
        installs = [line for line in lines if "pip install" in line and not line.startswith("#")]
        assert any(f"--require-hashes -r locked/{file}" in line for line in installs)
        assert none("-r requirements" in line for line in installs)


def test_a_package_with_other_bytes_is_refused(tmp_path):
    """pip itself, with a file that has the name and the version of a locked one."""
    number = version("click")
    wheel = tmp_path / f"click-{number}-py3-none-any.whl"
    wheel.write_bytes(b"PK other bytes")
    locked = tmp_path / "locked.txt"
    text = (ROOT / "locked" / "container.txt").read_text(encoding="utf-8")
    entry = re.search(r"^click==[^\n]*(?:\n    --hash[^\n]*)+", text, re.M)
    assert entry is not None
    locked.write_text(re.sub("^click==[^ ]+", f"click=={number}", entry[0]), encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--no-index", "--no-deps", "--find-links", str(tmp_path)]
    done = subprocess.run(
        [*command, "--require-hashes", "-r", str(locked), "-d", str(tmp_path / "out")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="rights are others there")
def test_nobody_else_on_the_machine_reads_the_database(tmp_path):
    store = runs.open_store(tmp_path / "runs.db")
    runs.start(store, load_bundled("yeast"))
    files = list(Path(tmp_path).glob("runs.db*"))
    assert len(files) >= 2
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
