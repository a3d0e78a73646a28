"""What the comparison with other programs says of DoLQ is what a test shows."""

import re
from pathlib import Path

import pytest
import yaml

from tests.every import every

ROOT = Path(__file__).resolve().parent.parent
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "peers.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| | ", "| --- "))
]


def test_all_rows_are_answered():
    assert len(ROWS) >= 29
    assert every(len(row) == 5 and all(row[:4]) for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_yes_names_a_test_and_each_no_names_none(row):
    _, _, _, ours, named = row
    if ours == "no":
        assert named == ""
        return
    file, _, function = named.partition("::")
    assert re.search(rf"^def {function}\(", (ROOT / "tests" / file).read_text(encoding="utf-8"), re.MULTILINE)


def test_the_citation_can_be_read_and_names_paper_and_program():
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert said["cff-version"] == "1.2.0"
    assert said["license"] == "MIT"
    assert "Ordinary Differential Equations" in said["preferred-citation"]["title"]
    assert [one["family-names"] for one in said["preferred-citation"]["authors"]] == ["Song", "Shin", "Lee"]
