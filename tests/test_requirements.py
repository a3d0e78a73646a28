"""The page on versions says what requirements.txt says, and what is installed here is allowed by it."""

import json
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.version import Version

from lab.benchmarks import report, versions

ROWS = json.loads((report.RUNS / "versions.json").read_text(encoding="utf-8"))["rows"]
PACKAGES = {row["package"]: row for row in ROWS if "package" in row}
AGAIN = "Measure anew: python -m lab versions"


def test_the_page_is_what_the_command_writes_from_the_stored_rows():
    page = Path(report.RESULTS.parent / "versions.md").read_text(encoding="utf-8")
    assert versions.BENCHMARK.text(report.RUNS) == page


def test_the_lowest_versions_are_those_of_the_requirements():
    assert {name: row["lowest"] for name, row in PACKAGES.items()} == versions.lowest(), AGAIN
    (ran,) = (row for row in ROWS if "python" in row)
    assert ran["python"] == versions.python_range(), AGAIN
    assert ran["passed"] > 500


def test_every_requirement_is_read():
    named = [
        line for line in (versions.ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines() if "=" in line
    ]
    assert len(versions.lowest()) == len(named)


@pytest.mark.parametrize("name", versions.lowest())
def test_what_was_tested_and_what_is_installed_is_allowed(name):
    row = PACKAGES[name]
    for number in (row["newest"], version(name)):
        assert Version(row["lowest"]) <= Version(number) < Version(row["below"]), AGAIN
