"""What is said about known holes in the packages, whatever pip-audit answers or does not."""

import json
import sys
import time

import pytest

from tests import audit
from tests.waiting import LONGEST_S

PACKAGES = {"numpy": "2.4.6", "click": "8.5.1"}
CLEAN = {"name": "numpy", "version": "2.4.6", "vulns": []}
HOLE = {"name": "click", "version": "8.5.1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["8.5.2"]}]}
UNMENDED = {"name": "click", "version": "8.5.1", "vulns": [{"id": "PYSEC-2", "fix_versions": []}]}
SKIPPED = {"name": "click", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("answers", "said", "holes"),
    [
        ([CLEAN, HOLE], "!!! click 8.5.1: PYSEC-1, mended in 8.5.2", True),
        ([CLEAN, UNMENDED], "!!! click 8.5.1: PYSEC-2, mended in none", False),
        ([CLEAN, SKIPPED], "Nobody answered for: click.", False),
        ([SKIPPED], "nothing was looked at", False),
        ([], "nothing was looked at", False),
    ],
)
def test_a_hole_is_told_and_silence_is_no_good_news(answers, said, holes):
    lines, found = audit.told(PACKAGES, answers)
    assert said in "\n".join(lines)
    assert found == holes


def test_the_answer_is_read_whatever_the_exit_status():
    script = f"import sys; print({json.dumps(json.dumps({'dependencies': [HOLE]}))}); sys.exit(1)"
    assert audit.asked([sys.executable, "-c", script], LONGEST_S) == [HOLE]


@pytest.mark.parametrize(
    "script", ["raise OSError('no network')", "print('<html>')", f"import time; time.sleep({LONGEST_S})"]
)
def test_a_service_that_is_not_reached_neither_fails_nor_hangs(script):
    began = time.monotonic()
    assert audit.asked([sys.executable, "-S", "-c", script], LONGEST_S if "sleep" not in script else 0.3) == []
    assert time.monotonic() - began < LONGEST_S


def test_what_is_needed_is_asked_about_too():
    found = audit.needed(["# a comment", "", "streamlit~=1.67.0  # why"])
    assert {"streamlit", "pandas", "protobuf"} <= set(found)
    assert "pytest" not in found
